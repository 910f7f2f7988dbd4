/** SHELF-1: what the user has played, in pictures. */
import { breakCalls, expect, region, test } from './support.ts'

test('SHELF-1: what was played and what never was', async ({ page, product, signInAs }) => {
  const me = await product.player({
    games: { Portal: 90, Dota: 13_000, Quake: 700, Unplayed: 0 },
    synced: false,
  })
  const games = ['Portal', 'Dota', 'Quake', 'Unplayed'].map((name, nth) => ({
    appid: product.appidOf(name),
    minutes: [90, 13_000, 700, 0][nth]!,
    recentMinutes: [65, 200, 0, 0][nth]!,
    lastPlayed: nth === 3 ? 0 : 1_700_000_000,
  }))
  product.simulator.setGames(me.steam_id, games)
  await product.deps.sync.syncGames(me.steam_id, me.steam_id)
  await signInAs(me, '/my_games')
  await page.getByRole('link', { name: 'My Shelf' }).click()
  await expect(page).toHaveURL('/my_games/shelf')
  await expect(page.getByRole('heading', { level: 1, name: 'My Shelf' })).toBeFocused()
  await expect(page.getByRole('navigation').locator('[aria-current=page]')).toHaveText('My Games')

  const totals = region(page, 'Played and never played')
  await expect(totals).toContainText('75%')
  await expect(totals.getByRole('definition')).toHaveText(['3', '1', '230', '76.6'])
  await expect(region(page, 'Hours per game').getByRole('listitem')).toHaveText([
    'Never1',
    'Under 1h0',
    '1–10h1',
    '10–50h1',
    '50–200h0',
    '200h and more1',
  ])
  const recent = region(page, 'Last two weeks')
  await expect(recent).toContainText('4h 25m in 2 games')
  await expect(recent.getByRole('listitem')).toHaveText([/Dota3h 20m/, /Portal1h 5m/])
  await expect(recent.getByRole('link').first()).toHaveAttribute('href', `/games/${product.appidOf('Dota')}`)
  await expect(page).toBeAccessible()
})

test('SHELF-1: an empty shelf, and a failure', async ({ page, enter }) => {
  const me = await enter({}, '/my_games/shelf')
  await expect(page.getByText('Your Steam library has no games yet.')).toBeVisible()
  await expect(page).toBeAccessible()
  await page.getByRole('link', { name: 'Go to My Games' }).click()
  await expect(page).toHaveURL('/my_games')
  await breakCalls(page, `**/api/users/${me.steam_id}/games`, 'The shelf fell over.')
  await page.goto('/my_games/shelf')
  await expect(page.getByRole('alert')).toContainText('Failed to fetch games')
})

test('SHELF-1: a month is chosen by press and by keys', async ({ page, enter }) => {
  await enter({ games: { Portal: 90 } })
  const months = Array.from({ length: 24 }, (_, nth) => ({
    month: new Date(Date.UTC(2025, nth)).toISOString().slice(0, 7),
    minutes: nth === 22 ? 0 : 60 + nth,
    games: nth === 22 ? [] : [{ appid: 620, name: `Game ${nth}`, image_url: null, minutes: 60 + nth }],
  }))
  await page.route('**/playtime_history', (route) =>
    route.fulfill({ json: { months, since: '2025-01-05T10:00:00.000Z' } }),
  )
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/my_games/shelf')
  const box = region(page, 'Month by month')
  await expect(box).toContainText('Counted since 5 January 2025; what you played before')
  const chosen = box.getByRole('radio', { checked: true })
  await expect(chosen).toHaveAccessibleName('December 2026: 1h 23m')
  // Only the page is scrolled: the latest month is in view within its box.
  await box.evaluate((card) => card.scrollIntoView())
  await expect(chosen).toBeInViewport()
  await chosen.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(chosen).toHaveAccessibleName('November 2026: 0h 0m')
  await expect(box).toContainText('No playtime in this month.')
  await page.keyboard.press('ArrowLeft')
  await expect(box.getByRole('link')).toContainText('Game 21')
  await expect(page).toBeAccessible()
})
