/** DASH-17, DASH-24: the bar chart and the gauge of the dashboard. */
import { libraryContract } from '#shared/contract/library.ts'
import { card, openDashboard, rows } from './dashboard-page.ts'
import { expect, test } from './support.ts'

test('DASH-17: five bars, names cut at 12 characters', async ({ page, product, signInAs }) => {
  const me = await product.player({
    games: {
      'Counter-Strike': 6000,
      'Twelve chars': 3000,
      '👨‍👩‍👧‍👦 family game night': 1470,
      Portal: 90,
      Chess: 29,
      Sixth: 28,
    },
  })
  await signInAs(me)
  await openDashboard(page)
  const bars = rows(card(page, 'Top 5 Games by Playtime'))
  await expect(bars).toHaveText([
    'Counter-Stri…100h',
    'Twelve chars50h',
    '👨‍👩‍👧‍👦 family gam…25h',
    'Portal2h',
    'Chess0h',
  ])
  const widths = await bars
    .locator('.chart-bar')
    .evaluateAll((all) => all.map((bar) => (bar as HTMLElement).offsetWidth))
  expect(widths[0]! / widths[1]!).toBeCloseTo(2, 1)
  expect(widths[0]! / widths[2]!).toBeCloseTo(4, 1)
  expect(Math.min(...widths)).toBeGreaterThan(0)
})

test('DASH-24, LOOK-21: the gauge ends at 1000 hours, and is still', async ({ page, product, signInAs }) => {
  const me = await product.player({ games: { Portal: 0 } })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signInAs(me)
  const gauge = card(page, 'Total Playtime').getByRole('meter', { name: 'Total Playtime' })
  for (const [minutes, hours, share, text] of [
    [30_000, 500, 0.5, '500'],
    [60_000, 1000, 1, '1,000'],
    [360_360, 6006, 1, '6,006'],
  ] as const) {
    const library = { Portal: minutes - 60, Dota: 60 }
    product.giveGames(me, library)
    await me.call(libraryContract.fetchGames, { steamId: me.steam_id })
    await openDashboard(page)
    await expect(gauge.getByText(`${text}h`, { exact: true }).first()).toBeVisible()
    await expect(gauge).toHaveAttribute('aria-valuemax', '1000')
    await expect(gauge).toHaveAttribute('aria-valuenow', String(Math.min(hours, 1000)))
    await expect(gauge).toHaveAttribute('aria-valuetext', `${text} hours played`)
    // The arc of a full gauge is turned back by what is missing of it.
    const degrees = await gauge.locator('.gauge-arc').evaluate((arc) => {
      const { a, b } = new DOMMatrix(getComputedStyle(arc).transform)
      return (Math.atan2(b, a) * 180) / Math.PI
    })
    expect(Math.abs(degrees)).toBeCloseTo((1 - share) * 180, 1)
  }
  await expect(page.locator('.chart-bar').first()).toHaveCSS('animation-name', 'none')
  await expect(page.locator('.gauge-arc')).toHaveCSS('animation-name', 'none')
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0)
})
