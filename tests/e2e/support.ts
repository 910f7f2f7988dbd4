/**
 * What every browser test starts from: the product with its pages, a simulator, and a page that fails the test on
 * any console error or violation of the content security policy.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test as base, type Page } from '@playwright/test'
import { temporaryFolder } from '../support/folders.ts'
import { type Product, startProduct, type TestPlayer } from '../support/product.ts'

/** The built pages; PAGES_FOLDER names another build of them. */
export const PAGES = process.env.PAGES_FOLDER || join(import.meta.dirname, '../../dist/web')

/** The platform's picture hosts, which tests never reach: one grey picture stands in for all of them. */
const PICTURE_HOSTS = /^https:\/\/[^/]*\.(steamstatic\.com|steampowered\.com|akamaihd\.net)\//
const STAND_IN =
  '<svg xmlns="http://www.w3.org/2000/svg" width="460" height="215"><rect width="460" height="215" fill="#456"/></svg>'

type Fixtures = {
  /** Puts a session into the browser, as the landing page would. */
  signedIn: (player: TestPlayer, name?: string) => Promise<void>
  /** Console errors a test expects, because it made them happen. */
  expectedErrors: RegExp[]
}

export const test = base.extend<Fixtures, { product: Product }>({
  product: [
    async ({}, use) => {
      const dataDir = temporaryFolder('e2e')
      const product = await startProduct({
        place: { dataDir, drop: async () => rmSync(dataDir, { recursive: true, force: true }) },
        pagesFolder: PAGES,
        background: true,
        requestLimits: { perAddress: 1_000_000, perToken: 1_000_000 },
      })
      await use(product)
      await product.close()
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ product }, use) => use(product.url),

  expectedErrors: async ({}, use) => use([]),

  context: async ({ context }, use) => {
    await context.route(PICTURE_HOSTS, (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: STAND_IN }),
    )
    await use(context)
  },

  page: async ({ page, expectedErrors }, use) => {
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(String(error)))
    await use(page)
    expect(errors.filter((text) => !expectedErrors.some((expected) => expected.test(text)))).toEqual([])
  },

  signedIn: async ({ page, product }, use) => {
    await use(async (player, name) => {
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
    })
  },
})

export { expect }

/** Signs somebody in at the platform for this browser: the cookie is its, and the hand-over token is to be landed with. */
export async function handOver(page: Page, product: Product, steamId: string): Promise<string> {
  const { token, cookie } = await product.handover(steamId)
  const [name = '', value = ''] = cookie.split('=')
  const { hostname } = new URL(product.url)
  await page
    .context()
    .addCookies([{ name, value, domain: hostname, path: '/auth', httpOnly: true, sameSite: 'Strict' }])
  return token
}

/** No accessibility violation in the page as it stands (WCAG 2 A and AA, and axe's best practices). */
export async function expectAccessible(page: Page): Promise<void> {
  // Before its screen has come, a page has no heading yet.
  await expect(page.locator('h1')).not.toHaveCount(0)
  // The usual mode loads axe three times and opens a page of its own to join what it found in frames; there are none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => ({ id, at: nodes.map((node) => node.target.join(' ')) }))).toEqual(
    [],
  )
}

/** Nothing scrolls sideways, once what follows a change of the window's size has followed it. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0)
}

/** Everything one presses in the page is at least 44 px tall (LOOK-23), but for links within a sentence and what is folded away. */
export async function expectLargeTargets(page: Page): Promise<void> {
  const small = await page
    .getByRole('main')
    .locator('a, button, select, summary, [role=option], label:has([type=radio]), input:not([type=radio])')
    .evaluateAll((all) =>
      all
        .filter((one) => one.closest('p') === null && one.checkVisibility())
        .map((one) => ({ of: one.textContent, height: Math.round(one.getBoundingClientRect().height) }))
        .filter(({ height }) => height < 44),
    )
  expect(small).toEqual([])
}

/** Names that are any text at all; `longest` is the length of the longest that what is named may have. */
export const oddNames = (longest: number) => [
  '<img src=x onerror=alert(1)>',
  'W'.repeat(longest),
  'لعبة العروش',
  '\u202Eright to left',
  '🎮'.repeat(longest / 4),
  'Z̷̢͎a̵l̶g̸o̴',
]

/** Holds every answer at an address back until told. */
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

/** Finds a player on the platform's own page, which shows only 2,000 of them before one searches. */
export async function findPlayer(page: Page, text: string): Promise<void> {
  await page.getByLabel('Search players').fill(text)
  await page.getByLabel('Search players').press('Enter')
  await page.waitForURL(/[?&]q=/)
}
