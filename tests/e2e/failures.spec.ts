/** PAGE-2, PAGE-4, PAGE-19, DASH-33 and LOOK-14: what people see when something fails, and once it works again. */
import type { Page, Route } from '@playwright/test'
import { card, common, expectLoaded, namesIn, openDashboard, rows, test, wizard } from './dashboard-page.ts'
import { expect, failUntilClick, hold } from './support.ts'

test('PAGE-4, LOOK-14: a failure without a connection', async ({ page, context, expectedErrors, enter }) => {
  expectedErrors.push(/net::ERR_/)
  await enter({ games: { Portal: 90 } }, '/my_games')
  await expect(page.getByRole('article')).toHaveCount(1)
  // The code of the other screens comes a moment after the first one, from the network or from the service worker.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/friends-screen-')),
  )
  await context.setOffline(true)
  // Screens that were opened before are shown from memory, and what is new says why it is missing.
  await page.getByRole('navigation').getByRole('link', { name: 'Friends', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Network error.' })).toBeVisible({ timeout: 9000 })
  await page.getByRole('navigation').getByRole('link', { name: 'My Games', exact: true }).click()
  await expect(page.getByRole('article')).toContainText('1h 30m played')
  await context.setOffline(false)
})

test('PAGE-2: a silent server is given up within 9 seconds', async ({ page, enter }) => {
  const me = await enter({ games: { Portal: 90 } })
  const over = Promise.withResolvers<void>()
  await page.route(`**/api/users/${me.steam_id}/games`, async (route) => {
    await over.promise
    await route.abort().catch(() => undefined)
  })
  const asked = page.waitForRequest(`**/api/users/${me.steam_id}/games`)
  await page.goto('/my_games')
  await asked
  await expect(page.getByRole('alert')).toContainText('Failed to fetch games', { timeout: 9000 })
  await expect(page.getByRole('alert')).toContainText('Network error.')
  over.resolve()
})

test('PAGE-2: no JSON is a failure; 502 is retried', async ({ page, enter }) => {
  const me = await enter({ games: { Portal: 90 } })
  const games = `**/api/users/${me.steam_id}/games`
  await page.route(games, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<html>Please sign in to the hotel network</html>' }),
  )
  await page.goto('/my_games')
  await expect(page.getByRole('alert')).toContainText('Failed to fetch games')
  await page.unrouteAll()
  let refused = 0
  await page.route(
    games,
    (route) => {
      refused++
      return route.fulfill({ status: 502, body: '<html>Bad gateway</html>' })
    },
    { times: 2 },
  )
  await page.reload()
  await expect(page.getByRole('article')).toContainText('1h 30m played')
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(refused).toBe(2)
})

test('LOOK-14: a crashed screen has a way out', async ({ page, expectedErrors, enter }) => {
  expectedErrors.push(/Invalid time value/)
  const me = await enter({ games: { Portal: 90 } })
  await page.route(`**/api/users/${me.steam_id}/games`, (route) =>
    route.fulfill({ json: { games: [{ appid: 1, id: 1, name: 'Portal', playtime_minutes: 5, modes: [] }] } }),
  )
  await page.goto('/my_games')
  await expect(page.getByRole('alert')).toContainText('This part of the page crashed.')
  await expect(page).toBeAccessible()
  await page.unrouteAll()
  await page.getByRole('navigation').getByRole('link', { name: 'Groups', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'My Games', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('This part of the page crashed.')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('article')).toContainText('1h 30m played')
})

test('PAGE-33: code that is missing comes later', async ({ page, expectedErrors, enter }) => {
  expectedErrors.push(/Failed to fetch dynamically imported module/)
  await enter({ games: { Portal: 90 } })
  await page.route('**/assets/my-games-screen-*.js', (route) => route.abort())
  await page.goto('/my_games')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Network error.')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect(page).toBeAccessible()
  await page.unrouteAll()
  // As the browser says it when the person comes back; otherwise within seconds.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page.getByRole('article')).toContainText('1h 30m played')
})

test('PAGE-33: a page older than the server works', async ({ page, expectedErrors, enter }) => {
  expectedErrors.push(/Failed to fetch dynamically imported module/)
  await enter({ games: { Portal: 90 } })
  // As after a deploy.
  await page.route('**/assets/find-dialog-*', (route) => route.fulfill({ status: 404 }))
  await page.route('**/assets/start-*', (route) =>
    route.request().method() === 'HEAD' ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await page.goto('/groups')
  const name = page.getByRole('textbox', { name: 'Group name' })
  await name.fill('Friday')
  await page.getByRole('button', { name: /^Find/ }).click()
  await expect(page.getByText('Shelfmates has been updated.')).toBeVisible()
  await expect(page).toBeAccessible()
  await expect(name).toHaveValue('Friday')
  await page.getByRole('button', { name: 'Create Group' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Friday' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('button', { name: /^Find/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.getByText('Shelfmates has been updated.')).toHaveCount(0)
})

const FOREIGN = 'Something in front of Shelfmates answered in its place.'

for (const [what, answer] of Object.entries<Parameters<Route['fulfill']>[0]>({
  'asks for a password': { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: '<h1>401</h1>' },
  forbids: { status: 403, contentType: 'text/html', body: '<h1>403 Forbidden</h1>' },
  'leads to another host': { status: 302, headers: { location: 'http://auth.invalid/sign-in' } },
  'is down': { status: 503, contentType: 'text/html', body: '<h1>503</h1>' },
}))
  test(`PAGE-41, SIGN-20, SIGN-27: what ${what}`, async ({ page, expectedErrors, enter }) => {
    expectedErrors.push(/auth\.invalid/)
    const me = await enter({ games: { Portal: 90 } }, '/my_games')
    await expect(page.getByRole('article')).toContainText('Portal')
    await page.route(/\/(api|auth)\//, (route) => route.fulfill(answer))
    await page.getByRole('button', { name: 'Sync Games' }).click()
    await expect(page.getByText(FOREIGN).first()).toBeVisible()
    await expect(page).toHaveURL('/my_games')
    await expect(page.getByRole('article')).toContainText('Portal')
    // A new sign-in waits too.
    await page.evaluate((steamId) => {
      const pending = { token: 'x'.repeat(43), steamId }
      localStorage.setItem('pending_sign_ins', JSON.stringify([pending]))
    }, me.steam_id)
    await page.getByText(FOREIGN).getByRole('link', { name: 'Reload' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to fetch games' })).toContainText(FOREIGN)
    await expect(page).toHaveURL('/my_games')
    expect(await page.evaluate(() => localStorage.getItem('pending_sign_ins'))).not.toBeNull()
    await page.evaluate(() => localStorage.removeItem('pending_sign_ins'))
    await page.unrouteAll()
    await page.reload()
    await expect(page.getByRole('article')).toContainText('Portal')
    await expect(page.getByText(FOREIGN)).toHaveCount(0)
  })

/** The dashboard, opened while no call reaches the server. */
async function openWithoutServer(page: Page) {
  const endWithClick = await failUntilClick(page, '**/api/**', (route) => route.abort('connectionrefused'))
  await page.goto('/dashboard')
  await expect(card(page, 'Groups').getByRole('button', { name: 'Try again' })).toBeVisible()
  await expectLoaded(page)
  await expect(page.getByRole('main')).toContainText('Network error.')
  return endWithClick
}

async function expectEverything(page: Page): Promise<void> {
  await expect(rows(card(page, 'My Top Games'))).toHaveCount(3)
  await expect(rows(card(page, 'Friends'))).toHaveCount(2)
  await expect(rows(card(page, 'Groups'))).toContainText(['Friday night crew'])
  await expect(common(page).games).toHaveCount(2)
  await expect(rows(card(page, "Friends' Top Games"))).toHaveCount(2)
  await expect(card(page, 'Total Playtime').getByRole('meter')).toContainText('22h')
  await expect(page.getByRole('region', { name: 'Syncing', exact: true })).toContainText('10 of 10')
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  await expect(page.getByRole('main')).not.toContainText('Network error.')
}

test("PAGE-19: one 'Try again' brings everything back", async ({ page, enterCrew }) => {
  await enterCrew()
  const endWithClick = await openWithoutServer(page)
  const again = card(page, 'Groups').getByRole('button', { name: 'Try again' })
  // Still away: it tries, and says so again.
  await again.click()
  await expect(again).toBeDisabled()
  await expect(again).toBeEnabled()
  await endWithClick()
  await again.click()
  await expectEverything(page)
})

test('PAGE-19: coming back to the window brings everything back', async ({ page, enterCrew }) => {
  await enterCrew()
  await openWithoutServer(page)
  await page.unrouteAll()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expectEverything(page)
})

test('PAGE-19: a connection brings everything', async ({ page, context, enterCrew, expectedErrors }) => {
  expectedErrors.push(/net::ERR_/)
  await enterCrew()
  await openWithoutServer(page)
  await context.setOffline(true)
  await page.unrouteAll()
  await context.setOffline(false)
  await expectEverything(page)
})

test('PAGE-19: what was refused is asked once', async ({ page, enterCrew }) => {
  await enterCrew()
  // A change that the page is told of has all of it read again, what was refused too.
  await hold(page, '**/events')
  let asked = 0
  await page.route('**/api/users/*/activity', (route) => {
    asked++
    return route.fulfill({
      status: 403,
      json: { error: 'You don’t have permission to do that.', code: 'forbidden' },
    })
  })
  await page.route('**/api/users/*/total_playtime', (route) => route.abort('connectionrefused'))
  await page.goto('/dashboard')
  await expectLoaded(page)
  await expect(card(page, 'Total Playtime').getByRole('meter')).toContainText('0h')
  await page.unroute('**/api/users/*/total_playtime')
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(card(page, 'Total Playtime').getByRole('meter')).toContainText('22h')
  expect(asked).toBe(1)
})

test('PAGE-33: without its code a page offers to try again', async ({ page, enterCrew }) => {
  await enterCrew()
  await page.route('**/assets/start-*.js', (route) => route.abort())
  await page.goto('/dashboard')
  const again = page.getByRole('link', { name: 'Try again' })
  await expect(page.getByText('Shelfmates is taking long to load.')).toBeHidden()
  await expect(again).toBeHidden()
  await expect(again).toBeVisible({ timeout: 20_000 })
  await page.unrouteAll()
  await again.click()
  await expect(rows(card(page, 'My Top Games'))).toHaveCount(3)
  await expect(again).toHaveCount(0)
})

test('PAGE-36: a browser that is too old says so', async ({ page, enterCrew }) => {
  await enterCrew()
  await page.addInitScript(() => Reflect.deleteProperty(Intl, 'Segmenter'))
  const tooOld = page.getByRole('alert').filter({
    hasText:
      'This browser is too old for Shelfmates, which needs Chrome or Edge 123, Firefox 125, Safari 17.5, or newer.',
  })
  await page.goto('/friends')
  await expect(page.getByRole('heading', { level: 1, name: 'Friends' })).toBeVisible()
  await expect(tooOld).toBeVisible()
  await page.route('**/assets/start-*.js', (route) => route.abort())
  await page.goto('/friends')
  await expect(tooOld).toBeVisible()
  await expect(page.getByText('Shelfmates is taking long to load.')).toHaveCount(0)
})

test('DASH-33: when every load fails it works', async ({ page, enterCrew }) => {
  const { me } = await enterCrew()
  // The stream stays: one that comes back reads everything again by itself.
  const lists = new RegExp(`/api/users/${me.steam_id}/(?!events)`)
  await page.route(lists, (route) => route.fulfill({ status: 500, json: { error: 'Broken.' } }))
  await openDashboard(page)
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(9)
  await expect(page.getByText('Couldn’t load this right now.')).toHaveCount(8)
  await expect(card(page, 'Friends').getByText('No friends found.')).toBeVisible()
  await expect(card(page, 'Recent Activity').getByText('No recent activity.')).toBeVisible()
  await expect(card(page, 'Total Playtime').getByText('0h', { exact: true })).toBeVisible()
  await expect(page.getByRole('main').getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
  await expect(page).toBeAccessible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page).toFitItsWidth()

  await page.unrouteAll()
  await card(page, 'My Top Games').getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => namesIn(card(page, 'My Top Games'))).toEqual(['Portal', 'Dota', 'Chess'])
  await wizard(page).open.click()
  await expect(wizard(page).name).toBeFocused()
})

test('LOOK-14: a crash leaves the other cards', async ({ page, enterCrew, expectedErrors }) => {
  expectedErrors.push(/TypeError/)
  await enterCrew()
  await page.route('**/activity', (route) => route.fulfill({ json: [null] }))
  await page.route('**/friends_top_games', (route) => route.fulfill({ json: [{ appid: 1, name: null }] }))
  await openDashboard(page)
  for (const title of ['Recent Activity', "Friends' Top Games"])
    await expect(card(page, title).getByRole('alert')).toContainText('This part of the page crashed.')
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(9)
  await expect(page).toBeAccessible()
  await expect.poll(() => namesIn(card(page, 'My Top Games'))).toEqual(['Portal', 'Dota', 'Chess'])
  await expect(common(page).games).toHaveCount(2)
  await wizard(page).open.click()
  await expect(wizard(page).name).toBeFocused()
})

test('DASH-39: charts whose code fails come later', async ({ page, enter }) => {
  await enter({ games: { Portal: 600 } })
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
