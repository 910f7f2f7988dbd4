/** MEM-1 to MEM-10, PERM-14, GLIST-10, NAV-8: being asked, joining, declining, leaving, and coming back. */
import type { Page } from '@playwright/test'
import type { Product, TestPlayer } from '../support/product.ts'
import { startInGroup } from '../support/nights.ts'
import { openDashboard } from './dashboard-page.ts'
import {
  friday,
  friendsOf,
  invitation,
  leaveButton,
  manage,
  member,
  membersOf,
  openMissing,
  openSettled,
} from './group-page.ts'
import { api, breakCalls, DESK, dialog, expect, hold, PHONE, region, test } from './support.ts'

const join = (page: Page) => invitation(page).getByRole('button', { name: 'Join', exact: true })
const decline = (page: Page) => invitation(page).getByRole('button', { name: 'Decline' })
const groupCard = (page: Page, name: string) =>
  page.getByRole('region', { name: 'My groups' }).getByRole('listitem').filter({ hasText: name })

const joinedOf = async (viewer: TestPlayer, id: number, of: TestPlayer) =>
  (await viewer.call(api.groups.members, { id })).find((one) => one.steam_id === of.steam_id)?.joined

/** Theo, added by his friend Mira to 'Friday', which he has not joined. */
const asked = (product: Product) => friday(product, { joined: false })

test('MEM-10, API-31: an invitation says by whom, and Join', async ({ page, product, signInAs }) => {
  const { mira, theo, id } = await asked(product)
  await signInAs(theo, '/groups')
  await expect(invitation(page).getByText('Mira added you to Friday')).toBeVisible()
  await expect(join(page)).toHaveAccessibleDescription('Mira added you to Friday')
  await expect(groupCard(page, 'Friday')).toContainText('not joined yet')
  await expect(groupCard(page, 'Friday').getByRole('link', { name: 'View Group' })).toBeVisible()
  await expect(page).toBeAccessible()

  const release = await hold(page, '**/join')
  await join(page).dblclick()
  await expect(invitation(page).getByRole('button', { name: 'Joining...' })).toBeDisabled()
  await expect(decline(page)).toBeDisabled()
  release()
  await expect(
    invitation(page).getByRole('status').filter({ hasText: 'You have joined Friday' }),
  ).toBeVisible()
  await expect(invitation(page)).toBeFocused()
  await expect(join(page)).toHaveCount(0)
  await expect(groupCard(page, 'Friday')).not.toContainText('not joined yet')
  expect(await joinedOf(mira, id, theo)).toBe(true)
  await expect(page).toBeAccessible()
})

test('MEM-7, MEM-10: Decline, and back after all', async ({ page, product, signInAs, expectedErrors }) => {
  // Reads of the group that were on their way when it was declined.
  expectedErrors.push(/status of 404/)
  const { mira, theo, id } = await asked(product)
  await signInAs(theo, '/groups')
  await decline(page).focus()
  await page.keyboard.press('Enter')
  await expect(invitation(page).getByText('You declined Friday')).toBeVisible()
  await expect(invitation(page)).toBeFocused()
  await expect(groupCard(page, 'Friday')).toHaveCount(0)
  expect(await membersOf(mira, id)).toEqual([mira.steam_id])
  await expect(page).toBeAccessible()

  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Join after all' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(invitation(page).getByText('You have joined Friday')).toBeVisible()
  await expect(groupCard(page, 'Friday')).toBeVisible()
  expect(await joinedOf(mira, id, theo)).toBe(true)
})

test('MEM-3, MEM-6, MEM-10: asked at the top of the group', async ({ page, product, signInAs }) => {
  const { mira, theo, id, path } = await asked(product)
  const [nora] = await friendsOf(product, mira, ['Nora'])
  await mira.call(api.groups.addMembers, { id }, { steam_ids: [nora!.steam_id] })
  await nora!.call(api.groups.join, { id })
  await signInAs(theo, path)
  await expect(invitation(page)).toContainText('Mira added you to this group.')
  await expect(invitation(page)).toContainText('When you join, members can see your library')
  const missing = await openMissing(page)
  await expect(missing.getByRole('listitem')).toHaveText(["Nora's library is hidden until you join"])
  await expect(member(page, 'Nora')).toContainText('library hidden until you join')
  await expect(member(page, 'Theo')).toContainText('you haven’t joined yet')
  await expect(page).toBeAccessible()

  await join(page).focus()
  await page.keyboard.press('Enter')
  await expect(
    invitation(page).getByRole('status').filter({ hasText: 'You have joined Friday' }),
  ).toBeVisible()
  await expect(invitation(page)).toBeFocused()
  await expect(member(page, 'Theo')).not.toContainText('not joined')
  await expect(missing).toHaveCount(0)
  expect(await joinedOf(mira, id, theo)).toBe(true)
  await expect(page).toBeAccessible()
})

test('PERM-14: an owner who leaves reads who becomes the owner', async ({ page, product, signInAs }) => {
  const { mira, theo, id, path } = await friday(product)
  await signInAs(mira)
  await openSettled(page, path)
  await leaveButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText('Friday will be removed from your groups')
  await expect(dialog(page)).toContainText('Theo will become the owner.')
  await expect(page).toBeAccessible()
  await dialog(page).getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByText('You have left this group.')).toBeVisible()
  expect((await theo.call(api.groups.read, { id })).owner_steam_id).toBe(theo.steam_id)
  await page.getByRole('button', { name: 'Come back' }).click()
  await expect(member(page, 'Theo')).toContainText('(Owner)')
  await expect(manage(page)).toHaveCount(0)
})

const left = (page: Page) => region(page, 'Groups you left')
const leftRow = (page: Page, name: string) => left(page).getByRole('listitem').filter({ hasText: name })
const comeBack = (page: Page, name: string) => leftRow(page, name).getByRole('button', { name: 'Come back' })
const former = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Former members' }).getByRole('listitem').filter({ hasText: name })

test('PERM-10, GLIST-10: coming back from the Groups screen', async ({ page, product, signInAs }) => {
  const { mira, theo, id, path } = await friday(product)
  await signInAs(theo)
  await openSettled(page, path)
  await leaveButton(page).click()
  await expect(dialog(page)).toHaveAccessibleName('Leave this group?')
  await expect(dialog(page)).toContainText('Friday will be removed from your groups')
  await expect(page).toBeAccessible()
  await page.keyboard.press('Escape')
  await expect(leaveButton(page)).toBeFocused()
  await leaveButton(page).click()
  await dialog(page).getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByText('You have left this group.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.goto('/groups')
  await expect(page.getByText('You’re not in any groups yet.')).toBeVisible()
  await expect(comeBack(page, 'Friday')).toHaveAccessibleDescription('Friday')
  await expect(page).toBeAccessible()

  await comeBack(page, 'Friday').focus()
  await page.keyboard.press('Enter')
  await expect(left(page).getByRole('status').filter({ hasText: 'You’re back in Friday' })).toBeVisible()
  await expect(left(page).locator(':focus')).toContainText('You’re back in Friday')
  await expect(page.getByRole('region', { name: 'My groups' }).getByText('Friday')).toBeVisible()
  await expect(leftRow(page, 'Friday')).toHaveCount(0)
  expect(await membersOf(mira, id)).toContain(theo.steam_id)
  await expect(page).toBeAccessible()
})

test('GLIST-10: why one may not come back', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 404/)
  const { mira, theo, id } = await friday(product)
  await theo.call(api.groups.leave, { id })
  await signInAs(theo, '/groups')
  await breakCalls(page, '**/join', 'The door is stuck.')
  await comeBack(page, 'Friday').click()
  await expect(leftRow(page, 'Friday').getByRole('alert').filter({ hasText: /./ })).toContainText(
    'The door is stuck.',
  )
  await expect(page).toBeAccessible()
  await page.unrouteAll()
  await mira.call(api.groups.setMayReturn, { id, steamId: theo.steam_id }, { may_return: false })
  await comeBack(page, 'Friday').click()
  await expect(leftRow(page, 'Friday')).toHaveCount(0)
  const refusal = left(page).getByRole('alert').filter({ hasText: 'Failed to rejoin the group.' })
  await expect(refusal).toContainText('The group was deleted, or its owner doesn’t let you come back.')
  await expect(left(page).locator(':focus')).toContainText('Failed to rejoin the group.')
  await expect(page).toBeAccessible()
})

test('GPAGE-23: the owner blocks a return', async ({ page, product, signInAs }) => {
  const { mira, theo, id, path } = await friday(product)
  await theo.call(api.groups.leave, { id })
  await signInAs(mira, path)
  const row = former(page, 'Theo')
  await expect(row).toContainText('left just now · can come back')
  await expect(row.getByRole('button', { name: 'Block return' })).toHaveAccessibleDescription('Theo')
  await expect(page).toBeAccessible()
  await breakCalls(page, '**/former_members/*', 'The lock is stuck.')
  await row.getByRole('button', { name: 'Block return' }).click()
  await expect(row.getByRole('alert').filter({ hasText: /./ })).toContainText('The lock is stuck.')
  await page.unrouteAll()
  await row.getByRole('button', { name: 'Block return' }).press('Enter')
  await expect(row.getByRole('status').filter({ hasText: 'can’t come back' })).toBeVisible()
  await expect(row.getByRole('button', { name: 'Allow return' })).toBeFocused()
  expect((await theo.attempt(api.groups.join, { id })).status).toBe(404)
  await page.keyboard.press('Enter')
  await expect(row).toContainText('· can come back')
  await expect(page).toBeAccessible()
  expect((await theo.attempt(api.groups.join, { id })).status).toBe(200)
})

const rows = (page: Page) => invitation(page).getByRole('listitem')
const groupsLink = (page: Page) =>
  page.getByRole('navigation').getByRole('link', { name: 'Groups', exact: true })

/** Theo, whom his friend Mira added to groups of these names, which he has not joined. */
async function added(product: Product, names: string[]) {
  const theo = await product.player({ name: 'Theo', games: { Portal: 5 } })
  const mira = await product.player({ name: 'Mira', games: { Portal: 5 }, friends: [theo] })
  for (const name of names) await product.group({ owner: mira, members: [theo], joined: false, name })
  const openOf = async () =>
    (await theo.call(api.groups.list, theo.user)).groups.filter((group) => !group.joined)
  return { mira, theo, openOf }
}

const FIVE = ['One', 'Two', 'Three', 'Four', 'Five']

for (const viewport of [DESK, PHONE])
  test(`DASH-1: at ${viewport.width} px it asks below the greeting`, async ({ page, product, signInAs }) => {
    const { theo } = await added(product, FIVE)
    await signInAs(theo)
    await page.setViewportSize(viewport)
    await openDashboard(page)
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page)).toContainText('Mira added you to')
    // Nothing was answered yet, so no notice is drawn.
    await expect(invitation(page).getByRole('status').locator('svg')).toHaveCount(0)
    await expect(rows(page).getByRole('button', { name: 'Join', exact: true })).toBeInViewport({ ratio: 1 })
    await expect(invitation(page).getByText('and 4 more')).toBeVisible()
    await expect(region(page, 'Groups').getByRole('link').filter({ hasText: 'not joined yet' })).toHaveCount(
      3,
    )
    await expect(page).toBeAccessible()

    const [first] = await rows(page).first().locator('bdi').nth(1).allTextContents()
    await rows(page).first().getByRole('button', { name: 'Decline' }).click()
    await expect(invitation(page).getByText(`You declined ${first}`)).toBeVisible()
    await expect(rows(page).filter({ hasText: first })).toHaveCount(0)
    await expect(invitation(page).getByText('and 3 more')).toBeVisible()
    await rows(page).first().getByRole('button', { name: 'Join', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(invitation(page).getByText(/^You have joined/)).toBeVisible()
    await expect(invitation(page)).toBeFocused()
    await expect(page).toBeAccessible()
  })

test('NAV-8: Game nights counts those that need my answer', async ({ page, product, signInAs }) => {
  const theo = await product.player({ name: 'Theo', games: { Portal: 5 } })
  const mira = await product.player({ name: 'Mira', games: { Portal: 5 }, friends: [theo] })
  const { group_id } = await product.group({ owner: mira, members: [theo] })
  const night = await startInGroup(mira, group_id)
  await signInAs(theo, '/my_games')
  const link = page.getByRole('navigation').getByRole('link', { name: 'Game nights', exact: true })
  await expect(link).toHaveAccessibleDescription('1 night needs your answer')
  await expect(link).toHaveText('Game nights1')
  await expect(page).toBeAccessible()
  await theo.call(api.nights.answer, { id: night.night_id }, { answer: 'in' })
  await expect(link).toHaveAccessibleDescription('')
  await link.click()
  await expect(page).toHaveURL('/nights')
  await expect(link).toHaveAttribute('aria-current', 'page')
})

test('NAV-8: Groups counts open invitations', async ({ page, product, signInAs }) => {
  const { theo } = await added(product, ['One', 'Two'])
  await signInAs(theo, '/my_games')
  await expect(groupsLink(page)).toHaveText('Groups2')
  await expect(groupsLink(page)).toHaveAccessibleDescription('2 open invitations')
  await expect(page).toBeAccessible()

  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await expect(groupsLink(page)).toHaveAccessibleDescription('2 open invitations')
  await expect(page).toBeAccessible()
  await groupsLink(page).click()
  await page.setViewportSize(DESK)
  await rows(page).first().getByRole('button', { name: 'Decline' }).click()
  await expect(groupsLink(page)).toHaveAccessibleDescription('1 open invitation')
  await rows(page).first().getByRole('button', { name: 'Join', exact: true }).click()
  await expect(groupsLink(page)).toHaveText('Groups')
})
