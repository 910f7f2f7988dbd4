/** PAGE-8, PAGE-9 to PAGE-30, LOGIN-10, LOOK-11: what the pages say quietly of syncs, outages and ended sessions. */
import type { Page } from '@playwright/test'
import {
  card,
  changeSyncStatus,
  crew,
  expectLoaded,
  openDashboard,
  openPictureStep,
  test,
} from './dashboard-page.ts'
import { land } from './newcomers.ts'
import { expect, OWN_CLOCK } from './support.ts'

const line = (page: Page) => page.getByRole('region', { name: 'Syncing', exact: true })
/** A mint button is one that stands out. */
const MINT = 'rgb(110, 231, 196)'

for (const [path, button, endpoint] of [
  ['/friends', 'Sync Friends', 'sync_friends'],
  ['/my_games', 'Sync Games', 'fetch_games'],
  ['/dashboard', 'Sync Games', 'fetch_games'],
] as const)
  test(`PAGE-8, LOOK-11: a failed sync on ${path} is silently ignored`, async ({ page, enterCrew }) => {
    await enterCrew(path)
    const sync = page.getByRole('main').getByRole('button', { name: button })
    await expect(page.getByRole('main')).toContainText('10 of 10 syncs left today')
    await expect(page.locator('.skeleton')).toHaveCount(0)
    const top = (await sync.boundingBox())!.y
    await page.route(`**/${endpoint}`, (route) =>
      route.fulfill({ status: 502, json: { error: 'Steam did not answer.', code: 'steam_unavailable' } }),
    )
    const before = await page.getByRole('main').innerText()
    const answered = page.waitForResponse(`**/${endpoint}`)
    await sync.click()
    await answered
    await expect(sync).toBeEnabled()
    expect(await page.getByRole('main').innerText()).toBe(before)
    await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0)
    await expect(sync).toBeEnabled()
    // Nothing moves, and the focus stays.
    expect((await sync.boundingBox())!.y).toBe(top)
    await expect(sync).toBeFocused()
    await expect(page).toBeAccessible()
    await page.unroute(`**/${endpoint}`)
    await sync.click()
    await expect(page.getByText('9 of 10 syncs left today')).toBeVisible()
  })

test('PAGE-9: without a sync left the buttons are disabled', async ({ page, enterCrew }) => {
  await enterCrew()
  const free = new Date(Date.now() + 60_000)
  await changeSyncStatus(page, () => ({ left: 0, next_free_at: free.toISOString() }))
  await openDashboard(page)
  const clock = free.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  await expect(line(page)).toContainText(/No syncs left today\. Next sync (tomorrow )?at /)
  await expect(line(page)).toContainText(`at ${clock}.`)
  await expect(line(page).getByRole('button', { name: 'Sync Games' })).toBeDisabled()
  await expect(line(page).getByRole('button', { name: 'Sync Friends' })).toBeDisabled()
  for (const [path, title] of [
    ['/my_games', 'My Games'],
    ['/friends', 'Friends'],
    ['/groups', 'Groups'],
  ] as const) {
    await page.getByRole('navigation').locator(`a[href="${path}"]`).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    if (path !== '/groups')
      await expect(page.getByRole('main').getByRole('button', { name: /^Sync/ })).toBeDisabled()
  }
  await expect(page).toBeAccessible()
})

test('PAGE-37: what was known is said to be old', async ({ page, context, enterCrew, expectedErrors }) => {
  expectedErrors.push(/net::ERR_/)
  await enterCrew()
  await openDashboard(page)
  const offline = page.getByText('You’re offline. This may be out of date.')
  await expect(offline).toHaveCount(0)
  await context.setOffline(true)
  await expect(offline).toBeVisible()
  await expect(card(page, 'Friends').getByRole('listitem')).toHaveCount(2)
  await expect(page).toBeAccessible()
  await context.setOffline(false)
  await expect(offline).toHaveCount(0)

  // The connection is there, but nobody answers.
  await page.route('**/api/**', (route) => route.abort('connectionrefused'))
  await line(page).getByRole('button', { name: 'Sync Games' }).click()
  await expect(offline).toBeVisible()
  await expect(card(page, 'Friends').getByRole('listitem')).toHaveCount(2)
  // On any screen.
  await page.getByRole('banner').getByRole('link', { name: 'Groups', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeVisible()
  await expect(offline).toBeVisible()
  await page.unrouteAll()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(offline).toHaveCount(0)
})

test('PAGE-30: a sync button stands out where something is stale', async ({ page, enterCrew }) => {
  await enterCrew()
  await openDashboard(page)
  const [games, friends] = ['Sync Games', 'Sync Friends'].map((name) =>
    line(page).getByRole('button', { name }),
  )
  await expect(games!).not.toHaveCSS('background-color', MINT)
  await expect(friends!).not.toHaveCSS('background-color', MINT)
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000).toISOString()
  await changeSyncStatus(page, ({ games }) => ({ games: { ...games, synced_at: old } }))
  await openDashboard(page)
  await expect(games!).toHaveCSS('background-color', MINT)
  await expect(friends!).not.toHaveCSS('background-color', MINT)
})

test('PAGE-18, WIZ-13: a success is shown for 8 seconds', { tag: OWN_CLOCK }, async ({ page, enterCrew }) => {
  await enterCrew()
  await page.clock.install()
  await openDashboard(page)
  const groups = card(page, 'Groups')
  await page.route('**/api/groups/*/picture', (route) =>
    route.fulfill({ json: { group_id: 1, picture_url: 'https://pictures.example/one.png' } }),
  )
  await openPictureStep(page, 'Soon gone')
  await groups.getByRole('textbox', { name: 'Picture URL' }).fill('https://pictures.example/one.png')
  await groups.getByRole('button', { name: 'Set Picture' }).click()
  const notice = groups.getByText('Picture updated!')
  await expect(notice).toBeVisible()
  // The way to the answer stands beside it, and its games are on the page.
  await expect(groups.getByRole('link', { name: 'Open Soon gone' })).toBeVisible()
  await expect(card(page, 'Top Common Games').getByRole('heading', { level: 3 })).toHaveText('Soon gone')
  await page.clock.runFor(8000)
  await expect(notice).toBeVisible()
  await page.clock.runFor(8000)
  await expect(notice).toHaveCount(0)
  await expect(groups.getByRole('link', { name: 'Open Soon gone' })).toBeVisible()
})

test('LOGIN-10: an ended session, and the way back', async ({ page, product, enterCrew }) => {
  const { me, group } = await enterCrew()
  await page.goto(`/groups/${group.group_id}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Friday night crew')
  // A page that is open would sign out by itself.
  await page.goto('about:blank')
  await page.route('**/api/**', (route) =>
    route.fulfill({ status: 401, json: { error: 'Sign in first.', code: 'not_signed_in' } }),
  )
  await page.goto('/my_games')
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('main')).toContainText('Your session ended. Sign in again.')
  await page.unrouteAll()

  const back = page.getByRole('link', { name: 'Back to the page you came for' })
  await land(page, product, me.steam_id)
  await expectLoaded(page)
  await expect(back).toBeVisible()
  await expect(page).toBeAccessible()
  await back.click()
  await expect(page).toHaveURL('/my_games')
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expectLoaded(page)
  await expect(back).toHaveCount(0)
})

test('LOGIN-10: the page that was asked for, not after Log Out', async ({ page, product }) => {
  const { me, bob } = await crew(product)
  const back = page.getByRole('link', { name: 'Back to the page you came for' })
  await page.goto('/friends?search=ada')
  await expect(page).toHaveURL('/login')
  await land(page, product, me.steam_id)
  await expectLoaded(page)
  await expect(back).toHaveAttribute('href', '/friends?search=ada')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(back).toHaveCount(0)

  await page.goto('/friends')
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL('/login')
  await land(page, product, bob.steam_id)
  await expectLoaded(page)
  await expect(back).toHaveCount(0)
})

test('PLAT-14: playtimes that are all 0, and how to show them', async ({ page, enter }) => {
  await enter({ games: { Portal: 0, Dota: 0 } }, '/my_games')
  await expect(page.getByText('0h 0m played')).toHaveCount(2)
  await expect(page.getByRole('heading', { name: 'Steam shows no playtime for your games' })).toBeVisible()
  await expect(page).toBeAccessible()
})
