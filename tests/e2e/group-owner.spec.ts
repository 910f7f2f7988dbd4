/** PERM-13: what only the owner of a group does with it. */
import type { Page } from '@playwright/test'
import { groupsContract } from '#shared/contract/groups.ts'
import { dialog, friday, friendsOf, heading, manage, member, newOwner } from './group-page.ts'
import { expect, expectAccessible, test } from './support.ts'

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
  await expectAccessible(page)
  await nameField(page).fill('x'.repeat(101))
  await nameField(page).press('Enter')
  await expect(manage(page).getByRole('alert').filter({ hasText: /./ })).toHaveText('At most 100 characters.')
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
  expect((await theo.call(groupsContract.read, { id })).name).toBe('Saturday')
  await expectAccessible(page)
})

test('PERM-13: the owner hands the group over', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 409/)
  const { mira, theo, id, path } = await friday(product)
  const [nora] = await friendsOf(product, mira, ['Nora'])
  await mira.call(groupsContract.addMembers, { id }, { steam_ids: [nora!.steam_id] })
  await signInAs(mira, path)
  await expect(handOver(page)).toBeDisabled()
  // Nora has not joined.
  await expect(newOwner(page).getByRole('option')).toHaveText(['Choose a member', 'Theo'])
  await newOwner(page).selectOption('Theo')
  await handOver(page).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveAccessibleName('Hand over the group?')
  await expect(dialog(page)).toContainText('Theo will become the owner of Friday')
  await expectAccessible(page)
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
  expect((await theo.call(groupsContract.read, { id })).owner_steam_id).toBe(theo.steam_id)
  // What had the focus is gone; it is where the outcome stands.
  await expect(manage(page).locator(':focus')).toContainText('Group handed over!')
  await expectAccessible(page)
})

test('PERM-13: the owner deletes the group', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 500/)
  const { mira, theo, path } = await friday(product)
  await signInAs(mira, path)
  await deleteGroup(page).click()
  await expect(dialog(page)).toContainText(
    'Friday will be deleted for all its members. This can’t be undone.',
  )
  await expectAccessible(page)
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
  await expectAccessible(page)
  expect((await theo.call(groupsContract.list, { steamId: theo.steam_id })).groups).toEqual([])
})
