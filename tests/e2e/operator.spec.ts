/** The operator's page (OPER-1, OPER-17), reporting a group (OPER-13), and why a sign-in is refused (OPER-8). */
import type { Page } from '@playwright/test'
import type { Product, TestPlayer } from '../support/product.ts'
import { setSignInRule } from '../support/sign-in-rule.ts'
import { api, dialog, expect, openElsewhere, OPERATOR, region, test } from './support.ts'

const operators = new WeakMap<Product, Promise<TestPlayer>>()
/** The operator of a product; signed in once, because there is one product for several tests. */
function operatorOf(product: Product): Promise<TestPlayer> {
  const known = operators.get(product) ?? product.player({ steamId: OPERATOR, name: 'Olga' })
  operators.set(product, known)
  return known
}

async function giveReason(page: Page, button: string, reason: string): Promise<void> {
  await dialog(page).getByLabel('Reason').fill(reason)
  await dialog(page).getByRole('button', { name: button, exact: true }).click()
  await expect(dialog(page)).toBeHidden()
}

test('OPER-17: figures and the log, for operators', async ({ page, product, signInAs }) => {
  const operator = await operatorOf(product)
  const bob = await product.player({ name: 'Bob' })
  const ada = await product.player({ name: 'Ada', friends: [bob] })
  const { group_id: id } = await product.group({ owner: ada, members: [bob], name: 'Friday night' })
  await bob.call(api.groups.report, { id }, { about: 'name', reason: 'It is rude.' })
  await operator.call(api.operator.changeAccount, bob.user, { action: 'block', reason: 'Sends insults.' })

  await signInAs(operator, '/account', 'Olga')
  await page.getByRole('link', { name: 'Open the operator’s page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Operator' })).toBeVisible()
  await page.goto('/friends')
  await expect(page.getByRole('heading', { level: 1, name: 'Friends' })).toBeVisible()
  const menu = page.getByRole('button', { name: 'Open navigation' })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('link', { name: 'Operator', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Operator' })).toBeVisible()
  await expect(region(page, 'Steam and waiting work').getByText('Calls left today')).toBeVisible()
  await expect(region(page, 'Reported groups').getByRole('article', { name: 'Friday night' })).toContainText(
    'It is rude.',
  )
  await expect(region(page, 'Log').getByRole('listitem').first()).toContainText('Blocked Bob')
  await expect(region(page, 'Accounts').getByRole('list', { name: 'Blocked accounts' })).toContainText('Bob')
  await expect(page).toBeAccessible()
  await expect(page).toHaveLargeTargets()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page).toFitItsWidth()
  await expect(page).toHaveLargeTargets()
  await expect(page).toBeAccessible()
  await operator.call(api.operator.changeGroup, { id }, { action: 'delete_group', reason: 'over' })
})

test('OPER-2: for everyone else it does not exist', async ({ page, expectedErrors, enter }) => {
  expectedErrors.push(/404/)
  await enter({}, '/operator')
  await expect(page.getByRole('heading', { level: 1, name: 'Page Not Found' })).toBeVisible()
  await expect(page).toBeAccessible()
  await page.goto('/account')
  await expect(page.getByRole('radio').first()).toBeEnabled()
  await expect(page.getByRole('link', { name: 'Open the operator’s page' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Operator', exact: true })).toHaveCount(0)
})

test('OPER-8, OPER-9: an account is blocked, by keys', async ({ page, browser, product, signInAs }) => {
  const ada = await product.player({ name: 'Ada' })
  const theirs = await openElsewhere(browser, product, ada)
  await theirs.goto('/groups')
  await signInAs(await operatorOf(product), '/operator', 'Olga')
  const accounts = region(page, 'Accounts')
  const field = accounts.getByLabel('Steam id or profile address')
  await field.fill('https://steamcommunity.com/id/ada')
  await field.press('Enter')
  await expect(accounts.getByRole('alert')).toContainText('That has no steam id.')
  await expect(field).toBeFocused()
  await field.fill(`https://steamcommunity.com/profiles/${ada.steam_id}/`)
  await field.press('Enter')
  const account = accounts.getByRole('group', { name: ada.steam_id })
  await expect(account).toContainText('1 session')
  await account.getByRole('button', { name: 'Block' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Reason')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('alert')).toHaveText('Say why in a few words.')
  await expect(page).toBeAccessible()
  await page.keyboard.press('Escape')
  await expect(account.getByRole('button', { name: 'Block' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Sends insults.')
  await page.keyboard.press('Enter')
  await expect(account.getByText('The account is blocked.')).toBeVisible()
  await expect(account).toContainText('Sends insults.')
  await expect(account.getByRole('button', { name: 'Unblock' })).toBeVisible()
  // The button that was pressed has gone.
  await expect(page.locator(':focus')).toContainText('The account is blocked.')

  // Their page finds out with its next request, and signing in again says why not.
  await theirs.reload()
  await expect(theirs).toHaveURL(/\/login/)
  const { landing } = await product.returnFromPlatform(ada.steam_id)
  await theirs.goto(landing)
  await expect(theirs.getByRole('alert')).toHaveText('This account is blocked here. Write to the operator.')
  await theirs.context().close()

  await account.getByRole('button', { name: 'Unblock' }).click()
  await giveReason(page, 'Unblock', 'Apologised.')
  await expect(account.getByText('The account is no longer blocked.')).toBeVisible()
  await expect(region(page, 'Log').getByRole('listitem').first()).toContainText('Unblocked Ada')
  await expect(region(page, 'Log').getByRole('listitem').first()).toContainText('Apologised.')
})

test('OPER-13: a group is reported and renamed', async ({ page, browser, product, signInAs }) => {
  const bob = await product.player({ name: 'Bob' })
  const ada = await product.player({ name: 'Ada', friends: [bob] })
  const { group_id: id } = await product.group({ owner: ada, members: [bob], name: 'Rude name' })
  const theirs = await openElsewhere(browser, product, bob)
  await theirs.goto(`/groups/${id}`)
  await theirs.getByRole('button', { name: 'Report this group' }).click()
  await theirs.getByLabel('Why?').press('Enter')
  await expect(theirs.getByRole('dialog').getByRole('alert')).toHaveText('Say why in a few words.')
  await expect(theirs).toBeAccessible()
  await theirs.getByLabel('Why?').fill('An insult')
  await theirs.getByLabel('Why?').press('Enter')
  await expect(theirs.getByText('Thank you. The operator will look at it.')).toBeVisible()
  await theirs.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await theirs.getByRole('button', { name: 'Report this group' }).click()
  await theirs.getByLabel('Why?').fill('Again')
  await theirs.getByLabel('Why?').press('Enter')
  await expect(theirs.getByRole('dialog').getByRole('alert')).toContainText(
    'You have already reported this group.',
  )

  await signInAs(await operatorOf(product), '/operator', 'Olga')
  const reports = region(page, 'Reported groups')
  await expect(reports.getByRole('article', { name: 'Rude name' })).toContainText('An insult')
  await reports.getByLabel('New name').fill('A group')
  await reports.getByRole('button', { name: 'Rename' }).click()
  await giveReason(page, 'Rename', 'Insults nobody any more.')
  await expect(reports.getByText('Done.')).toBeVisible()
  await expect(reports.getByRole('article', { name: 'A group' })).toContainText(
    'when it was called “Rude name”',
  )
  await reports.getByRole('button', { name: 'Dismiss reports' }).click()
  await giveReason(page, 'Dismiss reports', 'Renamed.')
  await expect(reports.getByText('No group is reported.')).toBeVisible()
  await expect(region(page, 'Log').getByRole('listitem').nth(1)).toContainText('Rude name → A group')
  await theirs.reload()
  await expect(theirs.getByRole('heading', { level: 1, name: 'A group' })).toBeVisible()
  await theirs.context().close()

  // Its owner is not offered to report it.
  const owners = await openElsewhere(browser, product, ada)
  await owners.goto(`/groups/${id}`)
  await expect(owners.getByRole('heading', { name: 'Manage Group' })).toBeVisible()
  await expect(owners.getByRole('button', { name: 'Report this group' })).toHaveCount(0)
  await owners.context().close()
})

test('OPER-7, OPER-8: who can sign in', async ({ page, product, signInAs }) => {
  const operator = await operatorOf(product)
  await signInAs(operator, '/operator', 'Olga')
  const signIn = region(page, 'Who can sign in')
  await signIn.getByRole('radio', { name: /Only people on a list/ }).check()
  await signIn.getByLabel('Steam ids or profile addresses, one per line').fill('nonsense')
  await signIn.getByRole('button', { name: 'Save' }).click()
  await expect(signIn.getByRole('alert')).toHaveText('“nonsense” has no steam id.')
  // What was typed for another choice does not matter.
  await signIn.getByRole('radio', { name: /Invited people/ }).check()
  await signIn.getByRole('button', { name: 'Save' }).click()
  await giveReason(page, 'Save', 'We are full.')
  await expect(signIn.getByText('Saved.')).toBeVisible()
  await page.reload()
  await expect(signIn.getByRole('radio', { name: /Invited people/ })).toBeChecked()
  await setSignInRule(operator, { who: 'anyone' })
})
