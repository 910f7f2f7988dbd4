/** PAGE-2, PAGE-4 and LOOK-14: what people see when something outside goes wrong. */
import type { Route } from '@playwright/test'
import { expect, expectAccessible, test } from './support.ts'

test("PAGE-4, LOOK-14: without a connection the pages say 'Network error.' beside what failed", async ({
  page,
  context,
  product,
  signInAs,
  expectedErrors,
}) => {
  expectedErrors.push(/net::ERR_/)
  const me = await product.player({ games: { Portal: 90 } })
  await signInAs(me, '/my_games')
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

test('PAGE-2: a silent server is given up within 9 seconds', async ({ page, product, signInAs }) => {
  const me = await product.player({ games: { Portal: 90 } })
  await signInAs(me)
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

test('PAGE-2: no JSON is a failure; 502 is retried', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 502/)
  const me = await product.player({ games: { Portal: 90 } })
  await signInAs(me)
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

test('LOOK-14: a crashed screen has a way out', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/Invalid time value/)
  const me = await product.player({ games: { Portal: 90 } })
  await signInAs(me)
  await page.route(`**/api/users/${me.steam_id}/games`, (route) =>
    route.fulfill({ json: { games: [{ appid: 1, id: 1, name: 'Portal', playtime_minutes: 5, modes: [] }] } }),
  )
  await page.goto('/my_games')
  await expect(page.getByRole('alert')).toContainText('This part of the page crashed.')
  await expectAccessible(page)
  await page.unrouteAll()
  await page.getByRole('navigation').getByRole('link', { name: 'Groups', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'My Games', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('This part of the page crashed.')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('article')).toContainText('1h 30m played')
})

test('PAGE-33: code that is missing comes later', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/net::ERR_FAILED/, /Failed to fetch dynamically imported module/)
  const me = await product.player({ games: { Portal: 90 } })
  await signInAs(me)
  await page.route('**/assets/my-games-screen-*.js', (route) => route.abort())
  await page.goto('/my_games')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Network error.')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expectAccessible(page)
  await page.unrouteAll()
  // As the browser says it when the person comes back; otherwise within seconds.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page.getByRole('article')).toContainText('1h 30m played')
})

test('PAGE-33: a page older than the server works', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 404/, /Failed to fetch dynamically imported module/)
  const me = await product.player({ games: { Portal: 90 } })
  await signInAs(me)
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
  await expectAccessible(page)
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
  test(`PAGE-41, SIGN-20, SIGN-27: what ${what}`, async ({ page, product, signInAs, expectedErrors }) => {
    expectedErrors.push(/status of (401|403|503)/, /auth\.invalid/)
    const me = await product.player({ games: { Portal: 90 } })
    await signInAs(me, '/my_games')
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
