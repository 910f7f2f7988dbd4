/** DASH-24, LOOK-22 and LOOK-4: how the dashboard moves while it loads, and that it fits a telephone. */
import { card, compare, crew, expectLoaded, rows } from './dashboard-page.ts'
import { observeShifts, sumOf } from './layout-shifts.ts'
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

for (const [who, games] of [
  ['somebody new', undefined],
  ['somebody with games, friends and a group', { Portal: 600, Dota: 60, Rust: 30 }],
] as const)
  test(`LOOK-4, LOOK-22: nothing jumps on the phone of ${who}`, async ({ page, product, signInAs }) => {
    const me = games ? (await crew(product)).me : await product.player({ synced: false })
    await signInAs(me)
    await page.setViewportSize({ width: 412, height: 823 })
    const shifts = await observeShifts(page)
    // What stands there first is seen before anything of it comes.
    const release = await hold(page, '**/api/**')
    await page.goto('/dashboard')
    await expect(page.getByText('Loading your dashboard...')).toBeVisible()
    await expect(page.locator('.skeleton').first()).toBeVisible()
    release()
    await expectLoaded(page)
    expect(sumOf(await shifts())).toBeLessThan(0.01)
    if (!games) return
    // Three games take less than half of the window, and two of friends stand side by side.
    expect((await card(page, 'My Top Games').boundingBox())!.height).toBeLessThan(823 / 2)
    const [one, other] = await rows(card(page, "Friends' Top Games")).all()
    expect((await one!.boundingBox())!.y).toBe((await other!.boundingBox())!.y)
  })
