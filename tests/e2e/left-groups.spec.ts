/** GLIST-10, GPAGE-23: the way back to a group one left, and the owner's say in it. */
import type { Page } from '@playwright/test'
import { groupsContract } from '#shared/contract/groups.ts'
import { dialog, friday, leaveButton, membersOf, openSettled, region } from './group-page.ts'
import { breakCalls, expect, expectAccessible, test } from './support.ts'

const left = (page: Page) => region(page, 'Groups you left')
const leftRow = (page: Page, name: string) => left(page).getByRole('listitem').filter({ hasText: name })
const comeBack = (page: Page, name: string) => leftRow(page, name).getByRole('button', { name: 'Come back' })
const former = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Former members' }).getByRole('listitem').filter({ hasText: name })

test('PERM-10, GLIST-10: coming back from the Groups screen, by keys', async ({
  page,
  product,
  signInAs,
}) => {
  const { mira, theo, id, path } = await friday(product)
  await signInAs(theo)
  await openSettled(page, path)
  await leaveButton(page).click()
  await expect(dialog(page)).toHaveAccessibleName('Leave this group?')
  await expect(dialog(page)).toContainText('Friday will be removed from your groups')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(leaveButton(page)).toBeFocused()
  await leaveButton(page).click()
  await dialog(page).getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByText('You have left this group.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.goto('/groups')
  await expect(page.getByText('You’re not in any groups yet.')).toBeVisible()
  await expect(comeBack(page, 'Friday')).toHaveAccessibleDescription('Friday')
  await expectAccessible(page)

  await comeBack(page, 'Friday').focus()
  await page.keyboard.press('Enter')
  await expect(left(page).getByRole('status').filter({ hasText: 'You’re back in Friday' })).toBeVisible()
  await expect(left(page).locator(':focus')).toContainText('You’re back in Friday')
  await expect(page.getByRole('region', { name: 'My groups' }).getByText('Friday')).toBeVisible()
  await expect(leftRow(page, 'Friday')).toHaveCount(0)
  expect(await membersOf(mira, id)).toContain(theo.steam_id)
  await expectAccessible(page)
})

test('GLIST-10: who may not come back reads why', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of (404|500)/)
  const { mira, theo, id } = await friday(product)
  await theo.call(groupsContract.leave, { id })
  await signInAs(theo, '/groups')
  await breakCalls(page, '**/join', 'The door is stuck.')
  await comeBack(page, 'Friday').click()
  await expect(leftRow(page, 'Friday').getByRole('alert').filter({ hasText: /./ })).toContainText(
    'The door is stuck.',
  )
  await expectAccessible(page)
  await page.unrouteAll()
  await mira.call(groupsContract.setMayReturn, { id, steamId: theo.steam_id }, { may_return: false })
  await comeBack(page, 'Friday').click()
  await expect(leftRow(page, 'Friday')).toHaveCount(0)
  const refusal = left(page).getByRole('alert').filter({ hasText: 'Failed to rejoin the group.' })
  await expect(refusal).toContainText('The group was deleted, or its owner doesn’t let you come back.')
  await expect(left(page).locator(':focus')).toContainText('Failed to rejoin the group.')
  await expectAccessible(page)
})

test('GPAGE-23: the owner blocks a return', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 500/)
  const { mira, theo, id, path } = await friday(product)
  await theo.call(groupsContract.leave, { id })
  await signInAs(mira, path)
  const row = former(page, 'Theo')
  await expect(row).toContainText('left just now · can come back')
  await expect(row.getByRole('button', { name: 'Block return' })).toHaveAccessibleDescription('Theo')
  await expectAccessible(page)
  await breakCalls(page, '**/former_members/*', 'The lock is stuck.')
  await row.getByRole('button', { name: 'Block return' }).click()
  await expect(row.getByRole('alert').filter({ hasText: /./ })).toContainText('The lock is stuck.')
  await page.unrouteAll()
  await row.getByRole('button', { name: 'Block return' }).press('Enter')
  await expect(row.getByRole('status').filter({ hasText: 'can’t come back' })).toBeVisible()
  await expect(row.getByRole('button', { name: 'Allow return' })).toBeFocused()
  expect((await theo.attempt(groupsContract.join, { id })).status).toBe(404)
  await page.keyboard.press('Enter')
  await expect(row).toContainText('· can come back')
  await expectAccessible(page)
  expect((await theo.attempt(groupsContract.join, { id })).status).toBe(200)
})
