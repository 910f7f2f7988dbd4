/** GPAGE-1: a group's page. Its members, picture and games have files of their own. */
import {
  compare,
  friday,
  friendsOf,
  GONE,
  heading,
  leaveButton,
  member,
  members,
  naturalWidth,
  removeButton,
} from './group-page.ts'
import { imageOf, upload } from '../support/png.ts'
import { api, expect, test } from './support.ts'

test('GPAGE-1: picture and name, and the number of members', async ({ page, product, signInAs }) => {
  const { mira, id, path } = await friday(product)
  expect((await upload(mira, id, await imageOf('teal'))).status).toBe(200)
  await signInAs(mira, path)
  await expect(heading(page)).toHaveAccessibleName('Friday')
  await expect(page).toHaveTitle('Friday · Shelfmates')
  await expect(page.getByRole('heading', { name: '2 members' })).toBeVisible()
  await expect.poll(() => naturalWidth(heading(page).locator('img'))).toBe(20)
  await expect(page).toBeAccessible()
})

test("GPAGE-8: '(Owner)', and Remove for all others", async ({ page, product, signInAs }) => {
  const { mira, theo, id, path } = await friday(product)
  const [ada] = await friendsOf(product, mira, ['Ada'])
  await mira.call(api.groups.addMembers, { id }, { steam_ids: [ada!.steam_id] })
  // The button stands there for everybody, not only for the owner (GPAGE-8).
  await signInAs(theo, path)
  await expect(members(page).getByRole('listitem')).toHaveCount(3)
  await expect(members(page).getByText('(Owner)')).toHaveCount(1)
  await expect(member(page, 'Mira')).toContainText('(Owner)')
  await expect(member(page, 'Mira').getByRole('button')).toHaveCount(0)
  await expect(removeButton(page, 'Ada')).toHaveAccessibleName('Remove Ada')
  await expect(removeButton(page, 'Ada')).toHaveText('Remove')
  // To oneself it is a way out, and reads so.
  await expect(leaveButton(page)).toHaveText('Leave')
  await expect(leaveButton(page)).toHaveAccessibleName('Remove Theo: Leave')
  await expect(page).toBeAccessible()
})

test('GPAGE-21: a group that is gone, or of others', async ({ page, product, expectedErrors, enter }) => {
  expectedErrors.push(/status of 404/)
  const { path: ofOthers } = await friday(product)
  await enter()
  for (const path of ['/groups/4000000000', '/groups/none', '/groups/0', '/groups/99999999999', ofOthers]) {
    await page.goto(path)
    await expect(page.getByText(GONE)).toBeVisible()
    await expect(page.getByText('Friday')).toHaveCount(0)
  }
  await expect(page).toBeAccessible()
  await page.getByRole('link', { name: 'Back to Groups' }).click()
  await expect(page).toHaveURL('/groups')
})

test('GPAGE-21: a removed member is told', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 404/)
  const { mira, theo, id, path } = await friday(product)
  await signInAs(theo, path)
  await expect(compare(page)).toBeVisible()
  await mira.call(api.groups.removeMember, { id, steamId: theo.steam_id })
  await expect(page.getByText(GONE)).toBeVisible()
  await expect(page.getByText('Friday')).toHaveCount(0)
})
