/** LOOK-24: thousands of games and hundreds of friends scroll smoothly and keep their place; what that costs is printed. */
import type { Page } from '@playwright/test'
import { libraryContract } from '#shared/contract/library.ts'
import { nextSteamId, type Product, type TestPlayer } from '../support/product.ts'
import { friends } from './friends-page.ts'
import { expect, test } from './support.ts'

// Recording a trace takes more time than the page itself.
test.use({ trace: 'off' })

const games = (page: Page) => page.getByRole('list', { name: 'My Games' })
const card = (page: Page, name: string) => games(page).getByRole('article').filter({ hasText: name })
const names = (page: Page) => games(page).getByRole('heading', { level: 2 }).allTextContents()
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search my games' })

/** Somebody with so many games, none of which the test needs to name; game 0 is played most. */
async function collector(product: Product, count: number): Promise<TestPlayer> {
  const games = Array.from({ length: count }, (_, nth) => ({
    appid: 2_000_000 + nth,
    minutes: (count - nth) * 7,
    recentMinutes: 0,
    lastPlayed: 1_600_000_000 + nth,
  }))
  for (const { appid } of games)
    if (!product.simulator.app(appid))
      product.simulator.addApp({
        appid,
        name: `Game ${appid - 2_000_000}`,
        iconHash: '',
        kind: 0,
        categories: [2],
      })
  const steamId = nextSteamId()
  const player = await product.player({ steamId, synced: false })
  product.simulator.setGames(steamId, games)
  await player.call(libraryContract.fetchGames, { steamId })
  return player
}

test('LOOK-24: thousands of games, of which few are drawn', async ({ page, product, signInAs }) => {
  test.slow()
  const me = await collector(product, 3000)
  await signInAs(me, '/my_games')
  await expect(card(page, 'Game 0')).toBeVisible()
  await expect(page.getByText('3,000 games', { exact: true })).toBeAttached()
  const items = games(page).getByRole('listitem')
  expect(await items.count()).toBeLessThan(60)
  await expect(items.first()).toHaveAttribute('aria-setsize', '3000')

  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2))
  const middle = items.filter({ hasText: /Game 1[45]\d\d/ }).nth(12)
  await expect(middle).toBeVisible()
  const before = await page.evaluate(() => window.scrollY)
  await page.evaluate(() =>
    (document.querySelector('main li:nth-of-type(13) a[href$=friends]') as HTMLElement).click(),
  )
  await expect(page).toHaveURL(/\/friends$/)
  await page.goBack()
  await expect(items.first()).toBeVisible()
  await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(Math.round(before))

  await page.keyboard.press('End')
  await expect(card(page, 'Game 2999')).toBeVisible()
  expect(await items.count()).toBeLessThan(60)
})

test(
  'typing and scrolling in a library of 10,000 games stay quick (figures are printed)',
  { tag: '@timed' },
  async ({ page, product, signInAs }) => {
    test.slow()
    const me = await collector(product, 10_000)
    await signInAs(me, '/my_games')
    await expect(page.getByText('10,000 games', { exact: true })).toBeAttached()
    await page.evaluate(() => {
      const seen = { paints: [] as number[], tasks: [] as number[] }
      Object.assign(window, { seen })
      // An event's duration ends with the paint that follows it.
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          if (/^(keydown|input)$/.test(entry.name)) seen.paints.push(entry.duration)
      }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.tasks.push(entry.duration)
      }).observe({ type: 'longtask' })
    })
    await search(page).click()
    await page.keyboard.type('game 99', { delay: 60 })
    await expect.poll(async () => (await names(page))[0]).toBe('Game 99')
    const typing = await measured(page)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Delete')
    await expect(card(page, 'Game 0')).toBeVisible()
    await measured(page)
    await page.mouse.move(640, 500)
    for (let turn = 0; turn < 40; turn++) await page.mouse.wheel(0, 900)
    await expect(card(page, 'Game 0')).toHaveCount(0)
    const scrolling = await measured(page)
    console.log(
      `10,000 games: typing paints within ${Math.max(0, ...typing.paints)} ms; ` +
        `longest task while typing ${Math.round(Math.max(0, ...typing.tasks))} ms, ` +
        `while scrolling ${Math.round(Math.max(0, ...scrolling.tasks))} ms (0: none over 50 ms)`,
    )
  },
)

/** What was observed since this was last asked. */
function measured(page: Page): Promise<{ paints: number[]; tasks: number[] }> {
  return page.evaluate(() => {
    const { seen } = window as unknown as { seen: { paints: number[]; tasks: number[] } }
    const { paints, tasks } = seen
    Object.assign(seen, { paints: [], tasks: [] })
    return { paints, tasks }
  })
}

test('LOOK-24: hundreds of friends, of whom few are drawn', async ({ page, product, signInAs }) => {
  const me = await product.player()
  await product.strangersConnectedWith(me, 300)
  await signInAs(me, '/friends')
  await expect(page.getByText('300 friends · 300 online')).toBeVisible()
  const items = friends(page).getByRole('listitem')
  await expect(items.first()).toHaveAttribute('aria-setsize', '300')
  expect(await items.count()).toBeLessThan(60)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2))
  await expect(items.first()).not.toHaveAttribute('aria-posinset', '1')
  // At once, because rows that are measured meanwhile move the page.
  const before = await page.evaluate(() => {
    const at = Math.round(window.scrollY)
    ;(document.querySelector('main li:nth-of-type(13) a') as HTMLElement).click()
    return at
  })
  await expect(page).toHaveURL(/\/games$/)
  await page.goBack()
  await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(before)
})
