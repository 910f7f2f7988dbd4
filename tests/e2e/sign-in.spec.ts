/** SIGN-2 to SIGN-22 in a browser: nobody loses a sign-in on the way, and nobody is given one that is not theirs. */
import type { Page } from '@playwright/test'
import type { Product } from '../support/product.ts'
import { newcomer } from './newcomers.ts'
import { api, expect, findPlayer, hold, stored, test } from './support.ts'

const FOUR = ['account_display_name', 'avatar_url', 'steam_id', 'token']

/** Goes to Steam's page and finds a player there; pressing the button has another site send the browser to us. */
async function toPlatform(page: Page, steamId: string) {
  // Where the button of the login page leads (LOGIN-1).
  await page.goto('/auth/steam')
  await findPlayer(page, steamId)
  return page.locator(`button[value="${steamId}"]`)
}

/** The four values are there with a token that works, nothing else is, and the person has one session. */
async function expectSignedIn(page: Page, product: Product, steamId: string): Promise<void> {
  await expect.poll(async () => Object.keys(await stored(page)).sort(), { timeout: 30_000 }).toEqual(FOUR)
  await page.goto('/my_games')
  await expect(page.getByRole('heading', { level: 1, name: 'My Games' })).toBeVisible()
  await expect(page.getByText('No games found.')).toBeVisible()
  const { token, steam_id } = await stored(page)
  expect(steam_id).toBe(steamId)
  const { sessions } = await product.callsOf(token).call(api.session.listSessions, { steamId })
  expect(sessions).toHaveLength(1)
}

type Moment = {
  name: string
  /** Holds the sign-in at this moment and says how to let go of it. */
  stop: (page: Page) => Promise<{ reached: Promise<unknown>; release: () => Promise<void> }>
  /** The page as it is at this moment cannot go on by itself, whatever the connection does. */
  stuck?: true
}

const moments: Moment[] = [
  {
    name: 'before the landing page has its script',
    stuck: true,
    stop: async (page) => {
      await page.route(/\/assets\/.*\.js$/, (route) => route.abort())
      return {
        reached: page.waitForURL(/\/steam-auth-success\?/, { waitUntil: 'load' }),
        release: () => page.unroute(/\/assets\/.*\.js$/),
      }
    },
  },
  {
    name: 'landed, the swap not sent yet',
    stop: async (page) => {
      const asked = page.waitForRequest('**/auth/session')
      const letGo = await hold(page, '**/auth/session')
      return { reached: asked, release: async () => letGo() }
    },
  },
  {
    name: 'the swap sent, its answer lost',
    stop: async (page) => {
      const { promise, resolve } = Promise.withResolvers<number>()
      await page.route(
        '**/auth/session',
        async (route) => {
          const response = await route.fetch()
          await route.abort()
          resolve(response.status())
        },
        { times: 1 },
      )
      return {
        reached: promise.then((status) => expect(status).toBe(200)),
        release: async () => undefined,
      }
    },
  },
  {
    name: 'the swap answered, the lasting token not stored yet',
    stuck: true,
    stop: async (page) => {
      await page.addInitScript(() => {
        const send = window.fetch.bind(window)
        window.fetch = async (input, init) => {
          const response = await send(input, init)
          if (input !== '/auth/session' || sessionStorage.getItem('answered')) return response
          sessionStorage.setItem('answered', String(response.status))
          return new Promise<never>(() => undefined)
        }
      })
      // Fails while the browser is on its way from Steam's page to ours.
      const answered = () => page.evaluate(() => sessionStorage.getItem('answered')).catch(() => undefined)
      return { reached: expect.poll(answered).toBe('200'), release: async () => undefined }
    },
  },
  {
    name: 'the lasting token stored, not used yet',
    stop: async (page) => {
      const letGo = await hold(page, '**/api/**')
      const swapped = page.waitForResponse('**/auth/session')
      return {
        reached: swapped.then(() =>
          expect.poll(async () => Object.keys(await stored(page)).sort()).toEqual(FOUR),
        ),
        release: async () => letGo(),
      }
    },
  },
]

const events: [string, (page: Page, moment: Moment) => Promise<unknown>][] = [
  ['the page is loaded anew', (page) => page.reload()],
  [
    'the connection is cut for a while',
    async (page, { stuck }) => {
      await page.context().setOffline(true)
      await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false)
      await page.context().setOffline(false)
      if (stuck) await page.reload()
    },
  ],
  [
    'the person goes to another page',
    async (page) => {
      await page.goto('/groups')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      // Only where nothing of ours has run yet is there nothing to remember; the way back is there still.
      if (!page.url().endsWith('/login')) return
      // A page that was kept for Back, as it is without its script, has no 'load'.
      await page.goBack({ waitUntil: 'commit' })
      await page.reload()
    },
  ],
]

for (const moment of moments)
  for (const [event, happen] of events)
    test(`SIGN-17: ${moment.name}, ${event}`, async ({ page, product, expectedErrors }) => {
      expectedErrors.push(/net::ERR_/, /status of 401/, /Failed to fetch dynamically imported module/)
      const steamId = newcomer(product, 'Lost Lou')
      const button = await toPlatform(page, steamId)
      const { reached, release } = await moment.stop(page)
      await Promise.all([reached, button.click({ noWaitAfter: true })])
      const left = happen(page, moment)
      await release()
      await left
      await expectSignedIn(page, product, steamId)
    })

test('SIGN-14: the dashboard comes at once, also during the swap', async ({ page, product }) => {
  const steamId = newcomer(product, 'Hasty Hana')
  const letGo = await hold(page, '**/auth/session')
  await (await toPlatform(page, steamId)).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  letGo()
  await expectSignedIn(page, product, steamId)
})

/** Tokens that a stranger may put into an address, of an account of theirs. */
const planted = {
  'the hand-over token of another browser': async (product: Product, id: string) =>
    (await product.handover(id)).token,
  'the lasting token of another account': (product: Product, id: string) => product.signIn(id),
}

test('SIGN-22: a planted token changes nothing', async ({ page, product, expectedErrors, enter }) => {
  expectedErrors.push(/status of 403/)
  const me = await enter({ games: { 'Only Mine': 90 } }, '/my_games', 'Mira')
  await expect(page.getByText('Only Mine')).toBeVisible()
  const before = await stored(page)
  for (const [kind, plant] of Object.entries(planted))
    await test.step(kind, async () => {
      const mallory = newcomer(product, 'Mallory')
      const token = await plant(product, mallory)
      const refused = page.waitForResponse('**/auth/session')
      await page.goto(`/steam-auth-success?steam_id=${mallory}&display_name=Mallory&token=${token}`)
      expect((await refused).status()).toBe(403)
      await expect(page).toHaveURL('/dashboard')
      await expect.poll(() => stored(page)).toEqual(before)
      await expect(page.getByRole('banner').getByText(me.steam_id)).toBeVisible()
      await page.goto('/my_games')
      await expect(page.getByText('Only Mine')).toBeVisible()
      expect(await stored(page)).toEqual(before)
    })
})

test('SIGN-12, SIGN-20: a planted token signs nobody in', async ({ page, product, expectedErrors }) => {
  expectedErrors.push(/status of 403/)
  for (const [kind, plant] of Object.entries(planted))
    await test.step(kind, async () => {
      const steamId = newcomer(product, 'Mallory')
      const token = await plant(product, steamId)
      await page.goto(`/steam-auth-success?steam_id=${steamId}&display_name=Mallory&token=${token}`)
      await expect(page).toHaveURL('/login?error=steam_auth_failed')
      await expect(page.getByRole('alert')).toContainText('Steam sign-in failed.')
      expect(await stored(page)).toEqual({})
      // The reason is said once.
      await page.goto('/my_games')
      await expect(page).toHaveURL('/login')
      const games = product.callsOf(token).call(api.library.games, { steamId })
      expect(await games).toMatchObject({ games: [] })
    })
})

test('SIGN-22: signing in as somebody else', async ({ page, product, enter }) => {
  await enter({ games: { 'Only Mine': 90 } }, '/my_games', 'Mira')
  await expect(page.getByText('Only Mine')).toBeVisible()
  const second = newcomer(product, 'Second Self')
  await (await toPlatform(page, second)).click()
  await expect(page.getByRole('banner').getByText('Second Self')).toBeVisible()
  await expectSignedIn(page, product, second)
  await expect(page.getByText('Only Mine')).toHaveCount(0)
})
