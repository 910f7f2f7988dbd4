/** LOOK-41 and LOOK-22: what players see who set a contrast theme or large text. */
import type { Page } from '@playwright/test'
import type { Product, TestPlayer } from '../support/product.ts'
import { answer, mark, startNight } from './night-page.ts'
import {
  expect,
  expectAccessible,
  expectLargeTargets,
  expectNoSidewaysScroll,
  oddNames,
  PHONE,
  test,
} from './support.ts'

/** The grounds of the choices on a page: those that are chosen, and the others. */
const grounds = (page: Page) =>
  page.evaluate(() => {
    const found = { chosen: [] as string[], others: [] as string[] }
    const add = (isChosen: boolean, element: Element) =>
      found[isChosen ? 'chosen' : 'others'].push(getComputedStyle(element).backgroundColor)
    for (const input of document.querySelectorAll<HTMLInputElement>('label > input'))
      add(input.checked, input.parentElement!)
    for (const button of document.querySelectorAll('[aria-pressed]'))
      add(button.ariaPressed === 'true', button)
    return found
  })

test('LOOK-41: choices in a contrast theme can be told apart', async ({ page, product, signInAs }) => {
  const { mira, path } = await startNight(product, { isIn: ['Mira', 'Theo'] })
  await signInAs(mira)
  await page.emulateMedia({ forcedColors: 'active' })
  for (const screen of ['/friends', '/account', '/dashboard', path]) {
    await page.goto(screen)
    if (screen === path) {
      await expect(answer(page, 'In')).toBeChecked()
      await mark(page, 'Portal', 'Want').check()
    }
    await expect.poll(async () => (await grounds(page)).chosen.length, screen).toBeGreaterThan(0)
    const { chosen, others } = await grounds(page)
    for (const ground of others) expect(chosen, screen).not.toContain(ground)
  }
})

/** Every screen, of a night of somebody with a friend, a group and a game. */
const screensOf = (
  product: Product,
  friend: TestPlayer,
  { path, groupId, game }: { path: string; groupId: number; game: string },
) => [
  '/dashboard',
  '/my_games',
  '/my_games/shelf',
  '/friends',
  '/friends/games',
  `/friends/${friend.steam_id}/games`,
  '/games/1/comparison',
  `/games/${product.appidOf(game)}`,
  `/games/${product.appidOf(game)}/friends`,
  '/groups',
  `/groups/${groupId}`,
  '/nights',
  path,
  '/account',
  '/privacy',
  '/nowhere',
]

test('LOOK-22, LOOK-23, PLAT-37: any names fit a phone, on every screen', async ({
  page,
  product,
  signInAs,
}) => {
  test.slow()
  const people = oddNames(32)
  const { mira, others, path, groupId, as } = await startNight(product, {
    people,
    gameNames: [...oddNames(100), 'Portal'],
    title: 'W'.repeat(80),
    groupName: 'W'.repeat(100),
    isIn: people.slice(0, 4),
  })
  await as(people[4]!).answer('maybe', 'W'.repeat(140))
  await signInAs(mira, undefined, people[1])
  for (const screen of screensOf(product, others[0]!, { path, groupId, game: 'Portal' }))
    await test.step(screen, async () => {
      await page.setViewportSize(PHONE)
      await page.goto(screen)
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/^Loading/)
      await expect(page.locator('.skeleton')).toHaveCount(0)
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
      await page.setViewportSize({ width: 360, height: 740 })
      await expectNoSidewaysScroll(page)
      await expectLargeTargets(page)
    })
})

for (const { share, px, viewport } of [
  { share: '130 %', px: 21, viewport: { width: 360, height: 740 } },
  { share: '200 %', px: 32, viewport: { width: 412, height: 915 } },
]) {
  const large = test.extend({
    launchOptions: [
      async ({ launchOptions }, use) =>
        use({
          ...launchOptions,
          args: [...(launchOptions.args ?? []), `--blink-settings=defaultFontSize=${px}`],
        }),
      { scope: 'worker' },
    ],
  })

  large(`LOOK-22: text of ${share} fits a phone`, async ({ page, product, signInAs }) => {
    const games = Object.fromEntries(
      ['Garry’s Mod', 'Counter-Strike 2', 'Tom Clancy’s Rainbow Six® Siege'].map((name, nth) => [
        name,
        72_240 - nth,
      ]),
    )
    const { mira, others, path, groupId } = await startNight(product, {
      gameNames: Object.keys(games),
      isIn: ['Mira', 'Theo'],
      title: 'Friday as always',
      groupName: 'Friday crew',
    })
    await signInAs(mira)
    await page.setViewportSize(viewport)
    for (const screen of screensOf(product, others[0]!, { path, groupId, game: 'Counter-Strike 2' })) {
      await test.step(screen, async () => {
        await page.goto(screen)
        await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/^Loading/)
        await expectNoSidewaysScroll(page)
      })
    }
    // The name of the product is not under its badge or a button, and a night's name is not cut to a letter.
    await page.goto('/dashboard')
    const night = page.getByRole('list', { name: 'Game night' }).getByRole('link')
    expect(await night.evaluate((row) => row.getBoundingClientRect().width / innerWidth)).toBeGreaterThan(0.6)
    const name = (await page.getByRole('link', { name: 'Shelfmates' }).boundingBox())!
    const find = (await page.getByRole('button', { name: 'Find' }).boundingBox())!
    const isBelow = find.y >= name.y + name.height
    expect(isBelow || find.x >= name.x + name.width).toBe(true)
  })
}
