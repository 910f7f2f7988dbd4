/** SHELF-1: what the user has played, in pictures. */
import type { Page } from '@playwright/test'
import { breakCalls, expect, expectAccessible, expectNoSidewaysScroll, test } from './support.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test.describe('SHELF-1: totals, hours per game and the last two weeks', () => {
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

    const totals = card(page, 'Played and never played')
    await expect(totals).toContainText('75%')
    await expect(totals.getByRole('definition')).toHaveText(['3', '1', '230', '76.6'])
    await expect(card(page, 'Hours per game').getByRole('listitem')).toHaveText([
      'Never1',
      'Under 1h0',
      '1–10h1',
      '10–50h1',
      '50–200h0',
      '200h and more1',
    ])
    const recent = card(page, 'Last two weeks')
    await expect(recent).toContainText('4h 25m in 2 games')
    await expect(recent.getByRole('listitem')).toHaveText([/Dota3h 20m/, /Portal1h 5m/])
    await expect(recent.getByRole('link').first()).toHaveAttribute(
      'href',
      `/games/${product.appidOf('Dota')}`,
    )
    await expectAccessible(page)
  })

  test('SHELF-1: an empty shelf, and a failure', async ({ page, product, signInAs, expectedErrors }) => {
    expectedErrors.push(/status of 500/)
    const me = await product.player()
    await signInAs(me, '/my_games/shelf')
    await expect(page.getByText('Your Steam library has no games yet.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Go to My Games' }).click()
    await expect(page).toHaveURL('/my_games')
    await breakCalls(page, `**/api/users/${me.steam_id}/games`, 'The shelf fell over.')
    await page.goto('/my_games/shelf')
    await expect(page.getByRole('alert')).toContainText('Failed to fetch games')
  })
})

test.describe('SHELF-1: month by month', () => {
  test('SHELF-1: playtime stands in the month of its sync', async ({ page, product, signInAs }) => {
    const me = await product.player({ games: { Portal: 90, Dota: 10 } })
    await signInAs(me, '/my_games/shelf')
    const months = card(page, 'Month by month')
    await expect(months).toContainText(/Counted since \d+ \w+ \d{4}; what you played before/)
    await expect(months).toContainText('Nothing was added since.')
    await expectAccessible(page)
    product.giveGames(me, { Portal: 215, Dota: 10 })
    await product.deps.sync.syncGames(me.steam_id, me.steam_id)
    await page.reload()
    await expect(months.getByRole('radio')).toHaveCount(1)
    await expect(months.getByRole('radio', { name: /: 2h 5m$/ })).toBeChecked()
    await expect(months.getByRole('list', { name: 'Played most in this month' })).toHaveText(/Portal2h 5m/)
    await expectAccessible(page)
  })

  test('SHELF-1: a month is chosen by press and by keys', async ({ page, product, signInAs }) => {
    const me = await product.player({ games: { Portal: 90 } })
    await signInAs(me)
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
    const box = card(page, 'Month by month')
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
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})
