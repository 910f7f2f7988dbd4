/** LOOK-4: while a screen loads nothing moves, in whatever order the responses come. */
import type { Page } from '@playwright/test'
import { writeRows } from '../support/rows.ts'
import { newPlayer, nextSteamId, type Product, type TestPlayer } from '../support/product.ts'
import { observeShifts, sumOf } from './layout-shifts.ts'
import { api, DESK, expect, hold, idleOf, PHONE, test } from './support.ts'

/** The cumulative layout shift that a screen may have. */
const AT_MOST = 0.01

/** Lets the responses through one by one, each drawn before the next comes: in the order of the requests, or the newest first. */
async function respondOneByOne(page: Page, order: 'first' | 'last'): Promise<void> {
  // Playwright's own routes would turn the browser's cache off, and the code would be compiled again on every page.
  const network = await page.context().newCDPSession(page)
  const waiting: { requestId: string; networkId?: string }[] = []
  const ended = new Map<string | undefined, () => void>()
  let running: Promise<void> | undefined
  const drawn = () =>
    page
      .evaluate(
        () =>
          new Promise((resolve) => {
            requestAnimationFrame(() => setTimeout(resolve, 20))
            // A page that is not shown draws nothing.
            setTimeout(resolve, 500)
          }),
      )
      .catch(() => undefined)
  const respond = async ({ requestId, networkId }: (typeof waiting)[number]) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    ended.set(networkId, resolve)
    await network.send('Fetch.continueRequest', { requestId }).catch(resolve)
    await promise
    ended.delete(networkId)
  }
  const run = async () => {
    await drawn()
    for (let next; (next = order === 'first' ? waiting.shift() : waiting.pop()); await drawn())
      await respond(next)
    running = undefined
  }
  network.on('Fetch.requestPaused', (paused) => {
    // The response of the stream of changes never ends.
    if (paused.request.url.endsWith('/events')) {
      void network.send('Fetch.continueRequest', { requestId: paused.requestId }).catch(() => undefined)
      return
    }
    waiting.push(paused)
    running ??= run()
  })
  network.on('Network.loadingFinished', ({ requestId }) => ended.get(requestId)?.())
  network.on('Network.loadingFailed', ({ requestId }) => ended.get(requestId)?.())
  await network.send('Network.enable')
  await network.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }] })
}

/** Returns what expects that nothing moved on the page opened last. */
async function stillness(page: Page): Promise<(where: string) => Promise<void>> {
  const shifts = await observeShifts(page)
  const idle = idleOf(page)
  return async (where) => {
    await idle()
    await expect(page.locator('.skeleton')).toHaveCount(0)
    await expect(page.locator('h1')).not.toHaveCount(0)
    const seen = await shifts()
    expect.soft(sumOf(seen), `${where}: ${JSON.stringify(seen, null, 1)}`).toBeLessThanOrEqual(AT_MOST)
  }
}

/** Somebody with that many friends, three of whom are known here and in two groups with them; or with nothing at all. */
async function newPerson(product: Product, friends: number): Promise<{ me: TestPlayer; ofTheirs: string[] }> {
  if (friends === 0)
    return { me: await product.player({ name: 'Nobody yet' }), ofTheirs: ['/friends/games', '/groups/1'] }
  // Texts that come late are as long here as they often are.
  const games = Object.fromEntries(Array.from({ length: 1234 }, (_, n) => [`Shift ${n}`, 60 * n]))
  const ada = await product.player({ name: 'Ada, Queen of Shelves', games })
  const bob = await product.player({ name: 'Bob', gamesPrivate: true })
  const cleo = await product.player({ name: 'Cleo', games })
  const steamId = nextSteamId()
  const others = Array.from({ length: friends - 3 }, nextSteamId)
  for (const [nth, other] of others.entries())
    product.simulator.addPlayer({ ...newPlayer(other), personaname: `Friend ${nth}`, personastate: nth % 3 })
  const me = await product.player({
    steamId,
    name: 'Mira',
    games,
    friends: [ada, bob, cleo],
    synced: false,
  })
  for (const other of others) product.simulator.befriend(steamId, other)
  await product.deps.sync.syncGames(steamId, steamId)
  await product.deps.sync.syncFriends(steamId)
  const { group_id } = await product.group({ owner: me, members: [ada, bob, cleo] })
  await product.group({ owner: me, members: [ada], joined: false, name: 'Sunday' })
  await expect
    .poll(async () => (await me.call(api.sync.status, { steamId })).libraries.waiting, {
      timeout: 60_000,
    })
    .toBe(0)
  const appid = product.appidOf('Shift 59')
  // 'just now' would be short.
  const at = Date.now() - 42 * 60_000
  await writeRows(product.database, async (tx) => {
    await tx
      .updateTable('libraries')
      .set({ synced_at: at, checked_at: at })
      .where('steam_id', 'in', [steamId, ada.steam_id, cleo.steam_id])
      .execute()
    await tx.updateTable('people').set({ friends_at: at }).where('steam_id', '=', steamId).execute()
  })
  return {
    me,
    ofTheirs: [
      `/friends/${ada.steam_id}/games`,
      `/games/1/comparison?friend=${ada.steam_id}`,
      `/games/${appid}`,
      `/games/${appid}/friends`,
      `/groups/${group_id}`,
    ],
  }
}

/** Nothing that a test here does changes them, so the tests of a worker share them. */
const people = new Map<number, ReturnType<typeof newPerson>>()
function person(product: Product, friends: number): ReturnType<typeof newPerson> {
  const known = people.get(friends) ?? newPerson(product, friends)
  people.set(friends, known)
  return known
}

const SCREENS = [
  '/dashboard',
  '/my_games',
  '/my_games/shelf',
  '/friends',
  '/games/1/comparison',
  '/groups',
  '/account',
  '/privacy',
]
const WINDOWS = [PHONE, DESK]
/** Where headers wrap: on the smallest phones, and on both sides of the breakpoints. */
const BETWEEN = [
  { width: 320, height: 640 },
  { width: 360, height: 780 },
  { width: 640, height: 844 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
]
const ORDERS = ['first', 'last'] as const
const WITH = [0, 165]
/** All of them on a phone and on a desk; in between only some, in turn, because each takes a while. */
const RUNS = [
  ...WINDOWS.flatMap((window) =>
    WITH.flatMap((friends) => ORDERS.map((order) => ({ window, friends, order }))),
  ),
  ...BETWEEN.flatMap((window, nth) =>
    WITH.map((friends, kind) => ({ window, friends, order: ORDERS[(nth + kind) % 2]! })),
  ),
]

for (const { window, friends, order } of RUNS)
  test(`LOOK-4: nothing moves, with ${friends} friends at ${window.width} px, the ${order} response first`, async ({
    page,
    product,
    signInAs,
    expectedErrors,
  }) => {
    test.slow()
    // The group that is not there.
    expectedErrors.push(/404/)
    const { me, ofTheirs } = await person(product, friends)
    await signInAs(me)
    await page.setViewportSize(window)
    const expectStill = await stillness(page)
    await respondOneByOne(page, order)
    for (const path of [...SCREENS, ...ofTheirs]) {
      await page.goto(path)
      await expectStill(`${path} ${friends} ${window.width} ${order}`)
    }
  })

for (const window of WINDOWS)
  test(`LOOK-4: nothing moves on the pages of visitors at ${window.width} px`, async ({ page }) => {
    await page.setViewportSize(window)
    const expectStill = await stillness(page)
    for (const path of ['/login', '/login?error=steam_auth_failed', '/privacy', '/nothing-here']) {
      await page.goto(path)
      await expectStill(`${path} ${window.width}`)
    }
  })

test('LOOK-4: a typeface that comes late moves nothing', async ({ page }) => {
  const expectStill = await stillness(page)
  const release = await hold(page, '**/*.woff2')
  await page.goto('/privacy', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  release()
  await page.evaluate(() => document.fonts.ready)
  await expectStill('/privacy')
})
