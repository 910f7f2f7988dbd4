/** People in browsers of their own, on two servers of one PostgreSQL, who decide in a game night together. */
import { rmSync } from 'node:fs'
import { type Browser, expect, type Locator, type Page, test as base } from '@playwright/test'
import { temporaryFolder } from '../support/folders.ts'
import { readStore } from '../support/nights.ts'
import { startPostgres } from '../support/postgres.ts'
import { type Product, type ProductOptions, startProduct, type TestPlayer } from '../support/product.ts'
import { newcomer } from './newcomers.ts'
import { PAGES, profileOptions, prepareTab } from './support.ts'

/** Someone at a browser of their own. */
export type Person = {
  name: string
  page: Page
  press: (target: Locator) => Promise<void>
}

type Seen = { text: string; at: number }

/** Console errors of all browsers; a test expects none. */
type Fixtures = { consoleErrors: string[] }
type WorkerFixtures = { servers: [Product, Product] }

export const test = base.extend<Fixtures, WorkerFixtures>({
  servers: [
    async ({}, use) => {
      const dataDir = temporaryFolder('e2e')
      const { url: databaseUrl, stop } = await startPostgres()
      const options = {
        place: {
          dataDir,
          databaseUrl,
          drop: async () => {
            await stop()
            rmSync(dataDir, { recursive: true, force: true })
          },
        },
        pagesFolder: PAGES,
        background: true,
        requestLimits: { perAddress: 1_000_000, perToken: 1_000_000 },
      } satisfies ProductOptions
      const first = await startProduct(options)
      const second = await startProduct({ ...options, simulator: first.simulator })
      await use([first, second])
      await second.close()
      await first.close()
    },
    { scope: 'worker' },
  ],

  consoleErrors: async ({}, use) => {
    const errors: string[] = []
    await use(errors)
    expect(errors).toEqual([])
  },
})

const GAMES = { Portal: 600, Factorio: 540, Overcooked: 480 }

/**
 * Mira with her group Friday of Theo, Ada and Ben, all signed in, and Eve, who was never here. They own three games
 * together. Mira and Eve are on the first server, the others on the second; Ada and Eve hold a phone.
 */
export async function gather(
  browser: Browser,
  [first, second]: readonly [Product, Product],
  consoleErrors: string[],
) {
  const [theo, ada, ben] = [
    await first.player({ name: 'Theo', games: { ...GAMES, Terraria: 90 } }),
    await first.player({ name: 'Ada', games: { ...GAMES, Terraria: 0 } }),
    await first.player({ name: 'Ben', games: GAMES }),
  ]
  const mira = await first.player({
    name: 'Mira',
    games: { ...GAMES, Terraria: 30 },
    friends: [theo, ada, ben],
  })
  const eveSteamId = newcomer(first, 'Eve', { ...GAMES, Terraria: 10 })
  await readStore(first)
  const { group_id: groupId } = await first.group({ owner: mira, members: [theo, ada, ben] })

  const sit = (name: string, server: Product, options: { player?: TestPlayer; phone?: boolean } = {}) =>
    sitDown(browser, consoleErrors, { name, server, ...options })
  const people = {
    mira: await sit('Mira', first, { player: mira }),
    theo: await sit('Theo', second, { player: theo }),
    ada: await sit('Ada', second, { player: ada, phone: true }),
    ben: await sit('Ben', second, { player: ben }),
    eve: await sit('Eve', first, { phone: true }),
  }
  return { ...people, all: Object.values(people), eveSteamId, groupId }
}

async function sitDown(
  browser: Browser,
  consoleErrors: string[],
  {
    name,
    server,
    player,
    phone = false,
  }: { name: string; server: Product; player?: TestPlayer; phone?: boolean },
): Promise<Person> {
  const session = player && {
    token: player.token,
    steam_id: player.steam_id,
    account_display_name: name,
  }
  const profile = await browser.newContext({
    ...profileOptions(server),
    ...(phone && { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }),
    ...(session && {
      storageState: {
        cookies: [],
        origins: [
          {
            origin: server.url,
            localStorage: Object.entries(session).map(([key, value]) => ({ name: key, value })),
          },
        ],
      },
    }),
  })
  await profile.addInitScript(recordWhatIsSaid)
  const page = await profile.newPage()
  await prepareTab(page)
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(`${name}: ${message.text()}`)
  })
  page.on('pageerror', (error) => consoleErrors.push(`${name}: ${String(error)}`))
  return {
    name,
    page,
    press: (target) => (phone ? target.tap() : target.click()),
  }
}

/** In the page: notes each text of the night's live region, and the pick, with the time of the frame that shows it. */
function recordWhatIsSaid(): void {
  const seen: Seen[] = []
  Object.assign(window, { seen })
  const last = new Map<string, string>()
  new MutationObserver(() => {
    for (const place of ['main header [role=status]', '#the-pick']) {
      const text = document.querySelector(place)?.textContent ?? ''
      if (text === (last.get(place) ?? '')) continue
      last.set(place, text)
      requestAnimationFrame(() => seen.push({ text, at: performance.timeOrigin + performance.now() }))
    }
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

/**
 * Acts in one page, and waits until all others have seen it.
 * @param call how the path of the call ends by which the page acts
 * @param said what the others' pages then say
 * @returns the milliseconds from the server's response in the acting page to the last of the other pages
 */
export async function measure(
  actor: Person,
  others: readonly Person[],
  { act, call, said }: { act: () => Promise<void>; call: string; said: string },
): Promise<{ what: string; ms: number }> {
  await act()
  const acknowledged = await firstTime(actor.page, () =>
    actor.page.evaluate((call) => {
      const entry = performance.getEntriesByType('resource').find(({ name }) => name.endsWith(call))
      return entry && performance.timeOrigin + (entry as PerformanceResourceTiming).responseEnd
    }, call),
  )
  const times = await Promise.all(
    others.map(({ page }) =>
      firstTime(page, () =>
        page.evaluate(
          (said) => (window as unknown as { seen: Seen[] }).seen.find(({ text }) => text.includes(said))?.at,
          said,
        ),
      ),
    ),
  )
  return { what: said, ms: Math.round(Math.max(...times) - acknowledged) }
}

/** Asks until there is a time. */
async function firstTime(page: Page, ask: () => Promise<number | undefined>): Promise<number> {
  let at: number | undefined
  await expect.poll(async () => (at = await ask()), page.url()).toBeDefined()
  return at!
}
