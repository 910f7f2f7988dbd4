/** GLIST-2 and GLIST-3: my groups, and creating one. */
import { imageOf, upload } from '../support/png.ts'
import { groupsOf } from './group-page.ts'
import { EMPTY, card, create, form, list, nameField, pictureField, pngFile, preview } from './groups-page.ts'
import { callsTo, expect, test } from './support.ts'

test("GLIST-2: picture, name, '{n} members' and View Group", async ({ page, product, signInAs }) => {
  const friend = await product.player()
  const me = await product.player({ friends: [friend] })
  const pictured = await product.group({ owner: me, members: [friend], name: 'Friday night crew' })
  await product.group({ owner: me, name: 'Alone' })
  expect((await upload(me, pictured.group_id, await imageOf('teal'))).status).toBe(200)
  await signInAs(me, '/groups')

  await expect(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeVisible()
  await expect(page).toHaveTitle('Groups · Shelfmates')
  await expect(list(page).getByRole('listitem')).toHaveCount(2)
  await expect(card(page, 'Friday night crew')).toContainText('2 members')
  await expect(card(page, 'Alone')).toContainText('1 member ·')
  const picture = card(page, 'Friday night crew').locator('img').first()
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  await expect(card(page, 'Alone').locator('[aria-hidden] img')).toHaveCount(0)
  await expect(page).toBeAccessible()
  await card(page, 'Friday night crew').getByRole('link', { name: 'View Group' }).click()
  await expect(page).toHaveURL(`/groups/${pictured.group_id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Friday night crew' })).toBeVisible()
})

test("GLIST-2, GLIST-3, LOOK-11: success goes to the new group's page", async ({ page, enter }) => {
  const me = await enter({}, '/groups')
  await expect(page.getByText(EMPTY, { exact: true })).toBeVisible()
  await expect(page).toBeAccessible()
  await nameField(page).fill('  Friday night crew ')
  await create(page).click()
  await expect(page).toHaveURL(/\/groups\/\d+$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Friday night crew' })).toBeVisible()
  const [created, ...others] = await groupsOf(me)
  expect(created).toMatchObject({ name: 'Friday night crew', owner_steam_id: me.steam_id, member_count: 1 })
  expect(others).toEqual([])
  await expect(page).toHaveURL(`/groups/${created!.group_id}`)
  await page.goBack()
  await expect(card(page, 'Friday night crew')).toContainText('1 member ·')
  await expect(nameField(page)).toHaveValue('')
})

test('GLIST-3: an image is previewed, uploaded and shown', async ({ page, enter }) => {
  await enter({}, '/groups')
  const changes = callsTo(page, '', /POST/)
  await nameField(page).fill('Friday')
  await pictureField(page).setInputFiles(await pngFile())
  await expect(preview(page)).toBeVisible()
  await expect(form(page)).toContainText('crew.png')
  await expect(page).toBeAccessible()
  await create(page).click()
  const heading = page.getByRole('heading', { level: 1, name: 'Friday' })
  await expect(heading).toBeVisible()
  const picture = heading.locator('img')
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(32)
  const id = /\/(\d+)$/.exec(page.url())![1]
  expect(changes).toEqual(['POST /api/groups', `POST /api/groups/${id}/picture`])
})

test('LIM-6: the page says why a picture failed', async ({ page, expectedErrors, enter }) => {
  expectedErrors.push(/status of 413/)
  const me = await enter({}, '/groups')
  await nameField(page).fill('Friday')
  await pictureField(page).setInputFiles(await pngFile(6500, 6200))
  await expect(preview(page)).toBeVisible()
  await create(page).click()
  const said = page.getByRole('alert').filter({ hasText: 'the picture couldn’t be uploaded' })
  await expect(said).toContainText('The picture is larger than 5 MB or 40 megapixels.')
  await expect(page.getByRole('heading', { level: 1, name: 'Friday' })).toBeVisible()
  expect(await groupsOf(me)).toHaveLength(1)
  await expect(page).toBeAccessible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Friday' })).toBeVisible()
  await expect(said).toHaveCount(0)
})
