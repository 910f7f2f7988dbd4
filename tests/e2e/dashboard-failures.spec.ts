/** DASH-33 and LOOK-14: the dashboard when calls fail, or one of its cards does. */
import type { Page } from '@playwright/test'
import { card, common, crew, namesIn, openDashboard, rows, wizard } from './dashboard-page.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './support.ts'

/** Says no to a call of this person. */
const refuse = (page: Page, path: string | RegExp) =>
  page.route(typeof path === 'string' ? `**/api/${path}` : path, (route) =>
    route.fulfill({ status: 500, json: { error: 'Broken.' } }),
  )

test('DASH-33: when every load fails it works', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 500/)
  const { me } = await crew(product)
  await signInAs(me)
  // The stream stays: one that comes back reads everything again by itself.
  await refuse(page, new RegExp(`/api/users/${me.steam_id}/(?!events)`))
  await openDashboard(page)
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(9)
  await expect(page.getByText('Couldn’t load this right now.')).toHaveCount(8)
  await expect(card(page, 'Friends').getByText('No friends found.')).toBeVisible()
  await expect(card(page, 'Recent Activity').getByText('No recent activity.')).toBeVisible()
  await expect(card(page, 'Total Playtime').getByText('0h', { exact: true })).toBeVisible()
  await expect(page.getByRole('main').getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)

  await page.unrouteAll()
  await card(page, 'My Top Games').getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => namesIn(card(page, 'My Top Games'))).toEqual(['Portal', 'Dota', 'Chess'])
  await wizard(page).open.click()
  await expect(wizard(page).name).toBeFocused()
})

test('LOOK-14: a crash leaves the other cards', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/TypeError/)
  const { me } = await crew(product)
  await signInAs(me)
  await page.route('**/activity', (route) => route.fulfill({ json: [null] }))
  await page.route('**/friends_top_games', (route) => route.fulfill({ json: [{ appid: 1, name: null }] }))
  await openDashboard(page)
  for (const title of ['Recent Activity', "Friends' Top Games"])
    await expect(card(page, title).getByRole('alert')).toContainText('This part of the page crashed.')
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(9)
  await expectAccessible(page)
  await expect.poll(() => namesIn(card(page, 'My Top Games'))).toEqual(['Portal', 'Dota', 'Chess'])
  await expect(common(page).games).toHaveCount(2)
  await wizard(page).open.click()
  await expect(wizard(page).name).toBeFocused()
})

test('DASH-39: charts whose code fails come later', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/net::ERR_FAILED/)
  const me = await product.player({ games: { Portal: 600 } })
  await signInAs(me)
  await page.route('**/bars-and-gauge-*.js', (route) => route.abort())
  await openDashboard(page)
  const [chart, gauge] = [card(page, 'Top 5 Games by Playtime'), card(page, 'Total Playtime')]
  for (const region of [chart, gauge])
    await expect(region.getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unrouteAll()
  await gauge.getByRole('button', { name: 'Try again' }).click()
  await expect(gauge.getByRole('meter')).toContainText('10h')
  await expect(rows(chart)).toHaveText(['Portal10h'])
})
