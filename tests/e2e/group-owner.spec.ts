/** PERM-13, GPAGE-1 and API-26: what the owner of a group does with it, and setting its picture. */
import type { Page } from '@playwright/test'
import { uploadedPicture } from './dashboard-page.ts'
import {
  address,
  friday,
  friendsOf,
  heading,
  manage,
  member,
  naturalWidth,
  newOwner,
  pictureForm,
  setPicture,
  syncButton,
} from './group-page.ts'
import { pngFile } from './groups-page.ts'
import { api, callsTo, dialog, expect, test } from './support.ts'

const nameField = (page: Page) => manage(page).getByRole('textbox', { name: 'Group name' })
const handOver = (page: Page) => manage(page).getByRole('button', { name: 'Hand over' })
const deleteGroup = (page: Page) => manage(page).getByRole('button', { name: 'Delete group' })

test('PERM-13: the owner renames the group', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 400/)
  const { mira, theo, id, path } = await friday(product)
  await signInAs(mira, path)
  await expect(nameField(page)).toHaveValue('Friday')
  await nameField(page).fill('  ')
  await nameField(page).press('Enter')
  await expect(manage(page).getByRole('alert').filter({ hasText: /./ })).toHaveText('Group name required.')
  await expect(nameField(page)).toBeFocused()
  await expect(page).toBeAccessible()
  await nameField(page).fill('Friday\u0007')
  await nameField(page).press('Enter')
  await expect(manage(page).getByRole('alert').filter({ hasText: 'Failed to rename group.' })).toContainText(
    'control characters',
  )
  await nameField(page).fill(' Saturday ')
  await manage(page).getByRole('button', { name: 'Rename' }).click()
  await expect(manage(page).getByText('Group renamed!')).toBeVisible()
  await expect(heading(page)).toHaveAccessibleName('Saturday')
  await expect(nameField(page)).toHaveValue('Saturday')
  expect((await theo.call(api.groups.read, { id })).name).toBe('Saturday')
  await expect(page).toBeAccessible()
})

test('PERM-13: the owner hands the group over', async ({ page, product, signInAs }) => {
  const { mira, theo, id, path } = await friday(product)
  const [nora] = await friendsOf(product, mira, ['Nora'])
  await mira.call(api.groups.addMembers, { id }, { steam_ids: [nora!.steam_id] })
  await signInAs(mira, path)
  await expect(handOver(page)).toBeDisabled()
  // Nora has not joined.
  await expect(newOwner(page).getByRole('option')).toHaveText(['Choose a member', 'Theo'])
  await newOwner(page).selectOption('Theo')
  await handOver(page).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveAccessibleName('Hand over the group?')
  await expect(dialog(page)).toContainText('Theo will become the owner of Friday')
  await expect(page).toBeAccessible()
  await page.keyboard.press('Escape')
  await expect(handOver(page)).toBeFocused()

  await page.route(
    '**/owner',
    (route) => route.fulfill({ status: 409, json: { error: 'Theo owns enough.', code: 'too_many_groups' } }),
    { times: 1 },
  )
  await handOver(page).click()
  await dialog(page).getByRole('button', { name: 'Hand over' }).click()
  await expect(manage(page).getByRole('alert').filter({ hasText: /./ })).toContainText('Theo owns enough.')
  await handOver(page).click()
  await dialog(page).getByRole('button', { name: 'Hand over' }).click()
  await expect(manage(page).getByText('Group handed over!')).toBeVisible()
  await expect(handOver(page)).toHaveCount(0)
  await expect(member(page, 'Theo')).toContainText('(Owner)')
  expect((await theo.call(api.groups.read, { id })).owner_steam_id).toBe(theo.steam_id)
  // What had the focus is gone; it is where the outcome stands.
  await expect(manage(page).locator(':focus')).toContainText('Group handed over!')
  await expect(page).toBeAccessible()
})

test('PERM-13: the owner deletes the group', async ({ page, product, signInAs }) => {
  const { mira, theo, path } = await friday(product)
  await signInAs(mira, path)
  await deleteGroup(page).click()
  await expect(dialog(page)).toContainText(
    'Friday will be deleted for all its members. This can’t be undone.',
  )
  await expect(page).toBeAccessible()
  await dialog(page).getByText('Cancel').click()
  await expect(deleteGroup(page)).toBeFocused()
  await page.route(`**/api${path}`, (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 500, body: '' }) : route.fallback(),
  )
  await deleteGroup(page).click()
  await dialog(page).getByRole('button', { name: 'Delete group' }).click()
  await expect(manage(page).getByRole('alert').filter({ hasText: /./ })).toContainText(
    'Failed to delete group.',
  )
  await page.unrouteAll()
  await deleteGroup(page).click()
  await dialog(page).getByRole('button', { name: 'Delete group' }).click()
  await expect(page).toHaveURL('/groups')
  await expect(page.getByText('You’re not in any groups yet.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page).toBeAccessible()
  expect((await theo.call(api.groups.list, theo.user)).groups).toEqual([])
})

test('GPAGE-1, PIC-6: addresses of pictures', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 400/)
  const { mira, id, path } = await friday(product)
  const uploaded = await uploadedPicture(product, mira)
  await signInAs(mira, path)
  await expect(heading(page).locator('img')).toHaveCount(0)
  await address(page).fill('javascript:alert(1)')
  await setPicture(page).click()
  const failure = pictureForm(page).getByRole('alert')
  await expect(failure).toContainText('Failed to update picture.')
  await expect(failure).toContainText('The picture URL must be an http or https URL.')
  await expect(address(page)).toHaveValue('javascript:alert(1)')
  expect((await mira.call(api.groups.read, { id })).picture_url).toBeNull()
  await expect(page).toBeAccessible()

  await address(page).fill(`  ${uploaded} `)
  await setPicture(page).click()
  await expect(pictureForm(page).getByText('Group picture updated!')).toBeVisible()
  await expect.poll(() => naturalWidth(heading(page).locator('img'))).toBe(40)
  await expect(address(page)).toHaveValue('')

  await address(page).fill('http://127.0.0.1/none.png')
  await setPicture(page).click()
  await expect(pictureForm(page).getByText('Group picture updated!')).toBeVisible()
  await expect(pictureForm(page).getByText('No picture could be loaded from this address.')).toBeVisible()
  await expect(heading(page).locator('img')).toHaveCount(0)
  await expect(page).toBeAccessible()
})

test('GPAGE-1: without a picture the button does nothing', async ({ page, product, signInAs }) => {
  const { mira, path } = await friday(product)
  await signInAs(mira, path)
  const posts = callsTo(page, '', /POST/)
  await address(page).fill('   ')
  await setPicture(page).click()
  await address(page).fill('javascript:alert(1)')
  await address(page).fill('')
  await setPicture(page).click()
  await expect(pictureForm(page).getByRole('alert')).toHaveCount(0)
  // What is asked for afterwards is asked for alone.
  await syncButton(page).click()
  await expect(page.getByText('Group sync complete!')).toBeVisible()
  expect(posts).toEqual(['POST /api/sync_group_games'])
})

test('API-26: a picture is uploaded; no image is refused', async ({ page, product, signInAs }) => {
  const { mira, path } = await friday(product)
  await signInAs(mira, path)
  const file = pictureForm(page).getByLabel('Or upload a picture')
  const upload = pictureForm(page).getByRole('button', { name: 'Upload Picture' })
  await file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
  await expect(file).toHaveAccessibleDescription('Please choose an image file.')
  await expect(upload).toHaveCount(0)
  await file.setInputFiles(await pngFile())
  await expect(page.getByRole('img', { name: 'Preview of the chosen picture' })).toBeVisible()
  await expect(page).toBeAccessible()
  await upload.click()
  await expect(pictureForm(page).getByText('Group picture updated!')).toBeVisible()
  await expect.poll(() => naturalWidth(heading(page).locator('img'))).toBe(32)
  await expect(page.getByRole('img', { name: 'Preview of the chosen picture' })).toHaveCount(0)
})
