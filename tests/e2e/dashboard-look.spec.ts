/** DASH-24, LOOK-22 and LOOK-4: how the dashboard moves while it loads, and that it fits a telephone. */
import { card, compare, expectLoaded } from './dashboard-page.ts'
import { expect, hold, test } from './support.ts'

test('DASH-24, DASH-39, LOOK-4, LOOK-21: 1000 ms and 1100 ms', async ({ page, product, signInAs }) => {
  const me = await product.player({ games: { Portal: 600, Dota: 60 } })
  await signInAs(me)
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
