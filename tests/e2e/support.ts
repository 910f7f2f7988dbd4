/**
 * What every browser test starts from: the product with its pages, a simulator, and a page that fails the test on
 * any console error or violation of the content security policy.
 */
import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import {
  type Browser,
  type BrowserContextOptions,
  devices,
  expect as plainExpect,
  type Locator,
  type Page,
  type Request,
  type Route,
  test as base,
} from '@playwright/test'
import type { WebAccess } from '../../src/server/pictures/public-request.ts'
import { IN_FIREFOX } from '../sizes.ts'
import { temporaryFolder } from '../support/folders.ts'
import { type Product, startProduct, type TestPlayer } from '../support/product.ts'

export { contract as api } from '#shared/contract/index.ts'

/** The built pages; PAGES_FOLDER names another build of them. */
export const PAGES = process.env.PAGES_FOLDER || join(import.meta.dirname, '../../dist/web')

/** Steam id of the operator of every product. */
export const OPERATOR = '76561197960299999'

/** Steam's picture hosts, which tests never reach: one grey picture stands in for all of them. */
const PICTURE_HOSTS = /^https:\/\/[^/]*\.(steamstatic\.com|steampowered\.com|akamaihd\.net)\//
const STAND_IN =
  '<svg xmlns="http://www.w3.org/2000/svg" width="460" height="215"><rect width="460" height="215" fill="#456"/></svg>'

type Fixtures = {
  /** Puts a session into the browser, as the landing page would, and opens a path. */
  signInAs: (player: TestPlayer, path?: string, name?: string) => Promise<void>
  /** Does the same for a new player. */
  enter: (who?: Parameters<Product['player']>[0], path?: string, name?: string) => Promise<TestPlayer>
  /** Opens a further tab of the same browser; one at a time. */
  openTab: (options?: { apart?: boolean }) => Promise<Page>
  /** What has gone wrong in any tab; at its end a test fails on what it did not expect. */
  errors: string[]
  /** Errors a test expects, because it made them happen; those of its own routes are added by themselves. */
  expectedErrors: RegExp[]
  /** Addresses of pictures of Steam that a test wants to be missing. */
  missingPictures: RegExp[]
}

type WorkerFixtures = {
  /** The web that the server sees; no host is in it unless a file of tests says so. */
  web: WebAccess
  product: Product
  /**
   * A tab in the browser profile of a worker. It opens the tabs of the tests, which share its process and the cache of
   * the pages' code, and nothing else. Processes of their own took half of the tests' time.
   */
  opener: Page
}

/** Tag of a test that moves the clock of its pages; it has a browser profile of its own. */
export const OWN_CLOCK = '@own-clock'

export const PHONE = { width: 390, height: 844 }
export const DESK = { width: 1280, height: 800 }

/** Opens the filters of a list of games (LIST-5). */
export const openFilters = (page: Page) => page.getByRole('button', { name: /^Filters/ }).click()

/** What every browser profile of the tests begins with. */
export const profileOptions = (product: Product): BrowserContextOptions => ({
  ...(!IN_FIREFOX && devices['Desktop Chrome']),
  viewport: DESK,
  // Firefox has both from its preferences (playwright.config.ts).
  colorScheme: IN_FIREFOX ? null : 'dark',
  // What a worker fetches no test could hold or break; tests/e2e/installed.spec.ts has browsers of its own.
  ...(!IN_FIREFOX && { serviceWorkers: 'block' }),
  // Tests of movement ask for it; for the others it would only take time.
  reducedMotion: IN_FIREFOX ? null : 'reduce',
  baseURL: product.url,
})

export const test = base.extend<Fixtures, WorkerFixtures>({
  web: [async ({}, use) => use({ lookup: async () => [] }), { scope: 'worker' }],

  product: [
    async ({ web }, use) => {
      const dataDir = temporaryFolder('e2e')
      const product = await startProduct({
        place: { dataDir, drop: async () => rmSync(dataDir, { recursive: true, force: true }) },
        pagesFolder: PAGES,
        background: true,
        web,
        requestLimits: { perAddress: 1_000_000, perToken: 1_000_000 },
        env: { OPERATORS: OPERATOR },
      })
      await use(product)
      await product.close()
    },
    { scope: 'worker' },
  ],

  opener: [
    async ({ browser, product }, use) => {
      const profile = await browser.newContext(profileOptions(product))
      const opener = await profile.newPage()
      await opener.goto('/robots.txt')
      // Otherwise it takes the focus when Tab leaves the page of a test.
      if (!IN_FIREFOX) {
        const focus = await profile.newCDPSession(opener)
        await focus.send('Emulation.setFocusEmulationEnabled', { enabled: false })
      }
      await use(opener)
      await profile.close()
    },
    { scope: 'worker' },
  ],

  context: async ({ opener, browser, product }, use, { tags }) => {
    // Playwright's clock stays in a profile, moved as it is, for all tabs that follow.
    if (tags.includes(OWN_CLOCK)) {
      const own = await browser.newContext(profileOptions(product))
      await use(own)
      await own.close()
      return
    }
    const profile = opener.context()
    await use(profile)
    for (const page of profile.pages()) if (page !== opener) await page.close()
    await profile.unrouteAll()
    await profile.setOffline(false)
    await profile.clearCookies()
  },

  errors: async ({}, use) => use([]),

  expectedErrors: async ({}, use) => use([]),

  missingPictures: async ({}, use) => use([]),

  openTab: async ({ context, opener, errors, expectedErrors, missingPictures }, use) => {
    const tabs: Page[] = []
    await use(async ({ apart = false } = {}) => {
      const [tab] = await Promise.all([
        context.waitForEvent('page'),
        context === opener.context()
          ? opener.evaluate(
              (feature) => void window.open('about:blank', '', feature),
              apart ? 'noopener' : '',
            )
          : context.newPage(),
      ])
      if (context === opener.context())
        Object.defineProperty(tab, 'clock', {
          get: () => {
            throw new Error(`A test that moves the clock needs the tag ${OWN_CLOCK}`)
          },
        })
      await prepareTab(tab, missingPictures)
      expectOwnFailures(tab, expectedErrors)
      tab.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text())
      })
      tab.on('pageerror', (error) => errors.push(String(error)))
      if (IN_FIREFOX) reportFailedRequests(tab, errors)
      tabs.push(tab)
      return tab
    })
    for (const tab of tabs.filter((one) => !one.isClosed())) await expect(tab).toFitItsWidth()
    if (IN_FIREFOX) expectedErrors.push(...OWN_WORDS_OF_FIREFOX)
    expect(errors.filter((text) => !expectedErrors.some((expected) => expected.test(text)))).toEqual([])
  },

  page: async ({ openTab, context, product, opener }, use) => {
    const page = await openTab()
    if (IN_FIREFOX) await opener.evaluate(() => localStorage.clear())
    else {
      const storage = await context.newCDPSession(page)
      await storage.send('Storage.clearDataForOrigin', { origin: product.url, storageTypes: 'local_storage' })
    }
    await use(page)
  },

  signInAs: async ({ page, product }, use) => {
    await use(async (player, path, name) => {
      await page.addInitScript(
        ([origin, values]) => {
          // Only once: a test that signs out must stay signed out.
          if (location.origin !== origin || sessionStorage.getItem('signed-in-by-test')) return
          sessionStorage.setItem('signed-in-by-test', '1')
          for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value)
        },
        [
          product.url,
          {
            token: player.token,
            steam_id: player.steam_id,
            ...(name !== undefined && { account_display_name: name }),
          },
        ] as const,
      )
      if (path !== undefined) await page.goto(path)
    })
  },

  enter: async ({ product, signInAs }, use) =>
    use(async (who, path, name) => {
      const player = await product.player(who)
      await signInAs(player, path, name)
      return player
    }),
})

/** Of Playwright's screenshots, and of loading that a navigation has ended. */
const OWN_WORDS_OF_FIREFOX = [
  /style-src-elem/,
  /A ServiceWorker intercepted/,
  /error loading dynamically imported module/,
]

/** Firefox writes nothing about requests that fail; here it is in Chromium's words, which tests expect. */
function reportFailedRequests(tab: Page, errors: string[]): void {
  tab.on('response', (response) => {
    if (response.status() >= 400)
      errors.push(`Failed to load resource: the server responded with a status of ${response.status()}`)
  })
  tab.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    if (!/ABORT|CANCEL/i.test(reason)) errors.push(`Failed to load resource: ${reason} ${request.url()}`)
  })
}

/** Keeps a tab off the network, and makes `page.route` resolve only once the route is active. */
export async function prepareTab(page: Page, missingPictures: RegExp[] = []): Promise<void> {
  await stayOnThisMachine(page, missingPictures)
  // Playwright resolves before the renderer intercepts; a round trip to the page closes the gap.
  const route = page.route.bind(page)
  page.route = async (...routed) => {
    const registered = await route(...routed)
    // Fails while the page is navigating; the requests of the next one are intercepted anyway.
    await page.evaluate(() => undefined).catch(() => undefined)
    return registered
  }
}

/** Has a test expect what its own routes refuse or cut off. */
function expectOwnFailures(tab: Page, expected: RegExp[]): void {
  const route = tab.route.bind(tab)
  tab.route = (address, handle, ...options) => {
    const noting: typeof handle = (one, request) => {
      const [fulfill, abort] = [one.fulfill.bind(one), one.abort.bind(one)]
      one.fulfill = (answer) => {
        if ((answer?.status ?? 200) >= 400) expected.push(new RegExp(`status of ${answer!.status}`))
        return fulfill(answer)
      }
      one.abort = (reason) => {
        expected.push(/net::ERR_/)
        return abort(reason)
      }
      return handle(one, request) as unknown
    }
    return route(address, noting, ...options)
  }
}

/** Lets nothing that a page asks of other hosts leave this machine: pictures have a stand-in, all else fails. */
async function stayOnThisMachine(page: Page, missingPictures: RegExp[]): Promise<void> {
  if (IN_FIREFOX) {
    // Not of the page, whose routes a test may take away.
    await page.context().route(/^https:/, (route) => {
      const url = route.request().url()
      const isMissing = missingPictures.some((missing) => missing.test(url))
      return PICTURE_HOSTS.test(url)
        ? route.fulfill({
            status: isMissing ? 404 : 200,
            contentType: 'image/svg+xml',
            body: isMissing ? '' : STAND_IN,
          })
        : route.abort()
    })
    return
  }
  // Playwright's own routes would turn the browser's cache off for every request.
  const network = await page.context().newCDPSession(page)
  network.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isMissing = missingPictures.some((missing) => missing.test(request.url))
    const answered = PICTURE_HOSTS.test(request.url)
      ? network.send('Fetch.fulfillRequest', {
          requestId,
          responseCode: isMissing ? 404 : 200,
          responseHeaders: [{ name: 'content-type', value: 'image/svg+xml' }],
          body: isMissing ? '' : Buffer.from(STAND_IN).toString('base64'),
        })
      : network.send('Fetch.failRequest', { requestId, errorReason: 'AddressUnreachable' })
    // The page may be gone by now.
    answered.catch(() => undefined)
  })
  await network.send('Fetch.enable', { patterns: [{ urlPattern: 'https://*' }] })
}

/** Runs in a page: an error, a violation of the content security policy, and a request of ours that fails. */
export function provokeErrors() {
  console.error('provoked')
  const inline = document.createElement('script')
  inline.textContent = 'provoked()'
  document.body.append(inline)
  void fetch('/media/provoked')
}

/** What browsers say of them. */
export const PROVOKED = [/provoked$/m, /inline script|execute a script/, /status of 404/]

/** Signs somebody in at Steam for this browser: the cookie is its, and the hand-over token is to be landed with. */
export async function handOver(page: Page, product: Product, steamId: string): Promise<string> {
  const { token, cookie } = await product.handover(steamId)
  const [name = '', value = ''] = cookie.split('=')
  const { hostname } = new URL(product.url)
  await page
    .context()
    .addCookies([{ name, value, domain: hostname, path: '/auth', httpOnly: true, sameSite: 'Strict' }])
  return token
}

/**
 * Puts the session of another player into the browser; what it opens next is theirs. The page before is left first: its
 * requests for the player before would be refused.
 */
export async function switchTo(page: Page, { token, steam_id }: TestPlayer): Promise<void> {
  await page.goto('/robots.txt')
  await page.evaluate((values) => Object.assign(localStorage, values), { token, steam_id })
}

/** A browser of somebody's own, in which they are signed in. */
export async function openElsewhere(
  browser: Browser,
  product: Product,
  { token, steam_id }: Pick<TestPlayer, 'steam_id' | 'token'>,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const localStorage = Object.entries({ token, steam_id }).map(([name, value]) => ({ name, value }))
  const storageState = { cookies: [], origins: [{ origin: product.url, localStorage }] }
  const context = await browser.newContext({ ...profileOptions(product), ...options, storageState })
  const page = await context.newPage()
  await prepareTab(page)
  return page
}

/** Everything that the pages store in this browser. */
export const stored = (page: Page) => page.evaluate((): Record<string, string> => ({ ...localStorage }))

export const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
export const dialog = (page: Page) => page.getByRole('dialog')

/** A button of the dialog that asks this question. */
export const confirm = (page: Page, question: string, button: string) =>
  page.getByRole('dialog', { name: question }).getByRole('button', { name: button, exact: true })

/** Presses a button that copies, and returns what it has copied. */
export async function copiedBy(button: Locator): Promise<string> {
  const page = button.page()
  // Firefox has it from its preferences (playwright.config.ts).
  if (!IN_FIREFOX) await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await button.click()
  await expect(page.getByText('Copied!')).toBeVisible()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  await page.context().clearPermissions()
  return text
}

/** Minified, because it is sent to every page that is checked. */
const AXE = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve(
    'axe-core/axe.min.js',
  ),
  'utf8',
)

/** The rules whose result differs between themes. */
export const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** What axe finds in the page. @param rules all of them, if none are given */
export async function violationsIn(page: Page, rules?: string[]) {
  // The builder would send it twice, and in full.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  // The usual mode opens a page of its own to join what it found in frames; there are none.
  const axe = new AxeBuilder({ page, axeSource: ';' }).setLegacyMode().options({
    resultTypes: ['violations'],
    ...(rules && { runOnly: rules }),
  })
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => ({ id, at: nodes.map((node) => node.target.join(' ')) }))
}

const verdict = (faults: unknown[]) => ({
  pass: faults.length === 0,
  message: () => JSON.stringify(faults, null, 1),
})

async function isAccessible(page: Page) {
  // Before its screen has come, a page has no heading yet.
  await plainExpect(page.locator('h1')).not.toHaveCount(0)
  await fitsItsWidth(page)
  // Firefox crashes in it.
  return verdict(IN_FIREFOX ? [] : await violationsIn(page))
}

async function fitsItsWidth(page: Page) {
  await plainExpect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0)
  return verdict([])
}

/** What is said of a page as it stands. */
export const expect = plainExpect.extend({
  /** No accessibility violation (WCAG 2 A and AA, and axe's best practices), and nothing scrolls sideways. */
  toBeAccessible: isAccessible,

  /** Nothing scrolls sideways, once what follows a change of the window's size has followed it. */
  toFitItsWidth: fitsItsWidth,

  /** On a phone and on a desk nothing scrolls sideways and axe finds nothing; the page stays as wide as a desk. */
  async toFitPhoneAndDesk(page: Page) {
    const found: object[] = []
    for (const size of [PHONE, DESK]) {
      await page.setViewportSize(size)
      const { pass, message } = await isAccessible(page)
      if (!pass) found.push({ width: size.width, violations: message() })
    }
    return verdict(found)
  },

  /** Everything one presses is at least 44 px tall (LOOK-23), but for links within a sentence and what is folded away. */
  async toHaveLargeTargets(page: Page) {
    const small = await page
      .getByRole('main')
      .locator('a, button, select, summary, [role=option], label:has([type=radio]), input:not([type=radio])')
      .evaluateAll((all) =>
        all
          .filter((one) => one.closest('p') === null && one.checkVisibility())
          .map((one) => ({ of: one.textContent, height: Math.round(one.getBoundingClientRect().height) }))
          .filter(({ height }) => height < 44),
      )
    return verdict(small)
  },
})

/** How many controls of the screen are in view, and not only at hover; the radios of one question are one. */
export const controlsInView = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const seen = new Set<unknown>()
    for (const one of document.querySelectorAll(
      'main :is(a, button, input, select, summary, [role=option])',
    )) {
      const { top, bottom, width } = one.getBoundingClientRect()
      const isInView = width > 1 && bottom > 0 && top < innerHeight
      const isSeen = one instanceof HTMLInputElement || getComputedStyle(one).opacity !== '0'
      if (isInView && isSeen && one.checkVisibility({ visibilityProperty: true }))
        seen.add(one instanceof HTMLInputElement && one.type === 'radio' ? one.name : one)
    }
    return seen.size
  })

/** Whether a box, of those from a text up to the one of this selector, cuts some of what is in it. */
export const isCut = (text: Locator, selector: string): Promise<boolean> =>
  text.evaluate((one, outermost) => {
    const end = one.closest(outermost)
    for (let box: Element | null = one; box; box = box === end ? null : box.parentElement)
      if (
        getComputedStyle(box).overflow !== 'visible' &&
        (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight)
      )
        return true
    return false
  }, selector)

/** Names that are any text at all; `longest` is the length of the longest that what is named may have. */
export const oddNames = (longest: number) => [
  '<img src=x onerror=alert(1)>',
  'W'.repeat(longest),
  'لعبة العروش',
  '\u202Eright to left',
  '🎮'.repeat(longest / 4),
  'Z̷̢͎a̵l̶g̸o̴',
]

/** The calls made from now on whose path ends like this, as method and path; of these methods only. */
export function callsTo(page: Page, ending: string, methods = /./): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith(ending) && methods.test(request.method()))
      calls.push(`${request.method()} ${pathname}`)
  })
  return calls
}

/**
 * Observes the requests from now on; the returned function waits until for half a second none was under way but the
 * stream of changes, which Playwright's 'networkidle' would wait for.
 */
export function idleOf(page: Page): () => Promise<void> {
  const underWay = new Set<Request>()
  let endedAt = performance.now()
  const end = (request: Request) => {
    if (underWay.delete(request)) endedAt = performance.now()
  }
  page.on('request', (request) => {
    if (!request.url().endsWith('/events')) underWay.add(request)
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return () =>
    expect
      .poll(() => underWay.size === 0 && performance.now() - endedAt > 500, { intervals: [50] })
      .toBe(true)
}

/** Holds back every answer at an address until the returned function is called. */
export async function hold(page: Page, address: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue().catch(() => undefined)
  })
  return resolve
}

/** Has every call to an address fail with a text of the server's. */
export async function breakCalls(page: Page, address: string | RegExp, text: string): Promise<void> {
  await page.route(address, (route) =>
    route.fulfill({ status: 500, json: { error: text, code: 'internal' } }),
  )
}

/** Finds a player on Steam's own page, in any language; it shows only 300 of them before one searches. */
export async function findPlayer(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox').fill(text)
  await page.getByRole('searchbox').press('Enter')
  await page.waitForURL(/[?&]q=/)
}

/**
 * Calls are answered by `fail` until a click. What loads by itself could otherwise bring the data before it (PAGE-19).
 * @returns a function after which the next click is the one that ends the failures
 */
export async function failUntilClick(
  page: Page,
  calls: string | RegExp,
  fail: (route: Route) => Promise<void>,
): Promise<() => Promise<void>> {
  let isOver = false
  await page.route(calls, (route) => (isOver ? route.continue() : fail(route)))
  await page.exposeFunction('endFailures', () => {
    isOver = true
  })
  return () =>
    page.evaluate(() => {
      const { endFailures } = window as unknown as { endFailures: () => void }
      document.addEventListener('click', endFailures, { capture: true })
    })
}
