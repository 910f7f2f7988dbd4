/** DASH-24, LOOK-22 and LOOK-4: how the dashboard moves while it loads, and that it fits a telephone. */
import type { TestPlayer } from '../support/product.ts'
import { card, compare, crew, expectLoaded, openDashboard, rows, wizard } from './dashboard-page.ts'
import { observeShifts, sumOf } from './layout-shifts.ts'
import {
  expect,
  expectAccessible,
  expectLargeTargets,
  expectNoSidewaysScroll,
  hold,
  test,
} from './support.ts'

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

test('LOOK-22: names are any text at all, and nothing scrolls sideways on a telephone', async ({
  page,
  product,
  signInAs,
}) => {
  test.slow()
  const odd = ['W'.repeat(64), '<b>bold</b>', 'لعبة العروش', '\u202Ereversed', 'Z̷̢͎a̵l̶g̸o̴']
  const games = Object.fromEntries(odd.map((name, nth) => [`${name} ${'x'.repeat(90)}`, 60_000 - 600 * nth]))
  const friends: TestPlayer[] = []
  for (const name of odd) friends.push(await product.player({ name, games }))
  const me = await product.player({ games, friends })
  for (const name of [odd[0]!, odd[2]!])
    await product.group({ owner: me, members: friends, name: name + 'W'.repeat(30) })
  await signInAs(me, undefined, odd[0])
  await page.setViewportSize({ width: 390, height: 844 })
  await openDashboard(page)
  const { search, options, button, region } = compare(page)
  await search.click()
  await expect(options).toHaveCount(5)
  await expectNoSidewaysScroll(page)
  // The bar with the hamburger stays above the card with the open list.
  const atTheTop = await search.evaluate((input) => {
    scrollBy(0, input.getBoundingClientRect().top - 70)
    return document.elementFromPoint(innerWidth / 2, 30)?.closest('header')?.textContent
  })
  expect(atTheTop).toBe('Shelfmates')
  await options.first().click()
  await button.click()
  await expect(rows(region)).toHaveCount(5)
  // Words on buttons stand on one line.
  expect((await button.boundingBox())!.height).toBeLessThan(50)
  const { open, step, name, create, skip } = wizard(page)
  await open.click()
  await expectNoSidewaysScroll(page)
  await name.fill('W'.repeat(100))
  await create.click()
  await expect(step(2)).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await expectLargeTargets(page)
  await skip.click()
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScroll(page)
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
