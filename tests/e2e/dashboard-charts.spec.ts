/** DASH-17, DASH-24, LOOK-4: the bar chart and the gauge of the dashboard, and how they come. */
import { card, compare, expectLoaded, openDashboard, rows } from './dashboard-page.ts'
import { api, expect, hold, test } from './support.ts'

test('DASH-17: five bars, names cut at 12 characters', async ({ page, enter }) => {
  await enter({
    games: {
      'Counter-Strike': 6000,
      'Twelve chars': 3000,
      '👨‍👩‍👧‍👦 family game night': 1470,
      Portal: 90,
      Chess: 29,
      Sixth: 28,
    },
  })
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

test('DASH-24, LOOK-21: the gauge ends at 1000 hours, and is still', async ({ page, product, enter }) => {
  const me = await enter({ games: { Portal: 0 } })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const gauge = card(page, 'Total Playtime').getByRole('meter', { name: 'Total Playtime' })
  for (const [minutes, hours, share, text] of [
    [30_000, 500, 0.5, '500'],
    [60_000, 1000, 1, '1,000'],
    [360_360, 6006, 1, '6,006'],
  ] as const) {
    const library = { Portal: minutes - 60, Dota: 60 }
    product.giveGames(me, library)
    await me.call(api.library.fetchGames, me.user)
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

test('DASH-24, DASH-39, LOOK-4, LOOK-21: 1000 ms and 1100 ms', async ({ page, enter }) => {
  await enter({ games: { Portal: 600, Dota: 60 } })
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.addInitScript(() => {
    const ended: Record<string, number> = {}
    Object.assign(window, { ended })
    addEventListener('animationend', ({ animationName, elapsedTime }) => {
      ended[animationName] = Math.round(elapsedTime * 1000)
    })
  })
  const release = await hold(page, '**/bars-and-gauge-*.js')
  await page.goto('/dashboard')
  // Everything else is there, in the last row too.
  await expect(compare(page).search).toBeVisible()
  await expect(card(page, 'Top 5 Games by Playtime').locator('.skeleton')).toHaveCount(2)
  await expect(card(page, 'Total Playtime').locator('.skeleton')).toHaveCount(1)
  await expect(page.locator('.skeleton')).toHaveCount(3)
  // The screen itself slides in when it opens. Skeletons shimmer for as long as they are there.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((one) => one.effect?.getComputedTiming().iterations !== Infinity)
        .map((one) => one.finished),
    ),
  )
  const boxes = () =>
    page.getByRole('region').evaluateAll((regions) =>
      regions.map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect()
        return { x, y, width, height }
      }),
    )
  const before = await boxes()
  release()
  await expectLoaded(page)
  expect(await boxes()).toEqual(before)
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { ended: Record<string, number> }).ended))
    .toMatchObject({ 'chart-bar-grows': 1000, 'gauge-arc-turns': 1100 })
})
