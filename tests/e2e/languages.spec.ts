/** LANG-1 to LANG-6: the pages in the visitor's language. */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { invitesContract } from '#shared/contract/invites.ts'
import { nightsContract } from '#shared/contract/nights.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { shareContract } from '#shared/contract/share.ts'
import { createTexts } from '../../src/server/texts/texts.ts'
import { temporaryFolder } from '../support/folders.ts'
import { inNight } from '../support/nights.ts'
import { type Product, startProduct } from '../support/product.ts'
import { pseudoLanguages } from '../support/pseudo-language.ts'
import { openElsewhere } from './account-page.ts'
import {
  breakCalls,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  OPERATOR,
  PHONE,
  prepareTab,
  profileOptions,
  RULES_OF_COLOURS,
  test,
  violationsIn,
} from './support.ts'

async function germanBrowser(browser: Browser, product: Product): Promise<Page> {
  const context = await browser.newContext({ ...profileOptions(product), locale: 'de-AT' })
  const page = await context.newPage()
  await prepareTab(page)
  return page
}

test('LANG-1: a German browser shows German pages from the first', async ({ browser, product }) => {
  const page = await germanBrowser(browser, product)
  const html = await (
    await page.request.get('/login', { headers: { 'accept-language': 'de-AT,en;q=0.5' } })
  ).text()
  expect(html).toContain('<html lang="de"')
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Mit Steam anmelden' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
  await expectAccessible(page)
  await page.setViewportSize(PHONE)
  await expectNoSidewaysScroll(page)
  await page.context().close()
})

test("LANG-1, DEMO-2: the simulator's page, by day, in German", async ({ browser, product }) => {
  await product.player({ name: 'Lernt Deutsch', games: { Portal: 60 } })
  const page = await germanBrowser(browser, product)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(PHONE)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Mit Steam anmelden' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Simulator: Als wen möchtest du dich anmelden?',
  )
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.getByLabel('Spieler suchen').fill('Lernt')
  // Enter searches also the players beyond those that the page lists.
  await page.getByLabel('Spieler suchen').press('Enter')
  await page.waitForURL(/[?&]q=/)
  await expect(page.getByRole('status')).toHaveText('1 Spieler')
  await page.getByRole('button', { name: 'Lernt Deutsch 1 Spiel · 0 Freunde' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.context().close()
})

test('LANG-1: a chosen language goes with the account', async ({ browser, page, product, signInAs }) => {
  const me = await product.player({ games: { Portal: 60 } })
  const mine = { steamId: me.steam_id }
  await page.goto('/login')
  await page.getByLabel('Language').selectOption('Deutsch')
  await expect(page.getByRole('button', { name: 'Mit Steam anmelden' })).toBeVisible()

  await signInAs(me, '/my_games')
  await expect(page.getByRole('heading', { level: 1, name: 'Meine Spiele' })).toBeVisible()
  await expect.poll(async () => (await me.call(privacyContract.settings, mine)).language).toBe('de')

  const elsewhere = await openElsewhere(browser, product, me)
  await elsewhere.goto('/my_games')
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Meine Spiele' })).toBeVisible()

  await elsewhere.goto('/account')
  await elsewhere.getByLabel('Sprache').selectOption('English')
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Account & privacy' })).toBeVisible()
  expect((await me.call(privacyContract.settings, mine)).language).toBe('en')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'My Games' })).toBeVisible()

  await elsewhere.getByLabel('Language').selectOption('As in the browser')
  await expect.poll(async () => (await me.call(privacyContract.settings, mine)).language).toBe(null)
  await elsewhere.context().close()
})

/** Names that have no plain letters, so that only texts of the pages have them. */
const NAMES = { me: 'Ἄδα', friend: 'Бен', group: '金曜日', game: 'Тетрис', other: '数独' }

/** Words that are in no catalogue because they are the same everywhere, or come from the formats of days and lists that the browser and the server have. */
const KNOWN =
  /https?:\S+|(?<=Ἄδα) and (?=Бен)|\b(?:[A-Z][a-z]+day \d{1,2} [A-Z][a-z]+|\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]+|\d+ minutes? ago|[A-Z][a-z]+day|Coordinated Universal Time|Central European (?:Standard |Summer )?Time|GMT|[a-z]+(?:_[a-z]+)+|test|Shelfmates|PNG|JPEG|WebP|GIF|MB|GB|kB|UTC|English|Deutsch|United States|Chrome|Chromium|Linux|Windows|macOS|App|https?|localhost|www)\b|\b[\w.]+@[\w.]+|\b[a-z0-9-]+:\d+\b|\b[A-Za-z0-9_-]{30,}\b/g

/** Texts of a page that a catalogue has not: words of plain letters, seen or read out, except words of times. */
async function plainWords(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [document.title]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node instanceof Element)
        for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
          if (!node.closest('time, [data-format]')) found.push(node.getAttribute(name) ?? '')
          else continue
      // Names of countries are the browser's.
      else if (/^[A-Z]{2}$/.test(node.parentElement?.closest('option')?.value ?? '')) continue
      else if (!node.parentElement?.closest('script, style, time, noscript, code'))
        found.push(node.textContent ?? '')
    return found
  })
  return [
    ...new Set(
      texts
        .map((text) => text.replace(KNOWN, ' '))
        .filter((text) => /[A-Za-z]{3}/.test(text) && !/^\d/.test(text.trim())),
    ),
  ]
}

/** Texts in what a page keeps folded, and in every dialog that it opens. */
async function plainWordsBehind(page: Page): Promise<string[]> {
  const found: string[] = []
  const unfold = async () => {
    const folded = page.locator('details:not([open]) > summary:visible')
    while ((await folded.count()) > 0) await folded.last().click()
    await expect(page.locator('.skeleton:visible')).toHaveCount(0)
    found.push(...(await plainWords(page)))
  }
  await unfold()
  const openers = page.locator('button[aria-haspopup]:enabled:visible')
  for (let nth = 0; nth < (await openers.count()); nth++) {
    await openers.nth(nth).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await unfold()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  return found
}

test.describe('when calls fail', () => {
  test.use({ expectedErrors: [/status of 500/] })

  test("LANG-6: the reason of a failure is in the page's language", async ({ page, product, signInAs }) => {
    await page.goto('/login')
    await page.getByLabel('Language').selectOption('Deutsch')
    await signInAs(await product.player({ games: { Portal: 60 } }))
    await breakCalls(page, /\/api\/users\/\d+\/games/, 'Something went wrong on our side.')
    await page.goto('/my_games')
    await expect(
      page.getByRole('alert').filter({ hasText: 'Spiele konnten nicht geladen werden' }),
    ).toContainText('Bei uns ist etwas schiefgegangen.')
  })
})

// Longer than all others, and about texts, which no engine changes.
test(
  'LANG-5, LOOK-41: in a language that nobody wrote no screen and no dialog shows plain English, and by day each is legible',
  { tag: '@chromium' },
  async ({ browser }) => {
    test.setTimeout(300_000)
    const [pagesFolder, dataDir] = [temporaryFolder('pseudo-pages'), temporaryFolder('pseudo')]
    const languages = pseudoLanguages()
    execFileSync('npm', ['exec', '--', 'vite', 'build', '--outDir', pagesFolder, '--logLevel', 'error'], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, LOCALES: languages },
    })
    const product = await startProduct({
      place: { dataDir, drop: async () => rmSync(dataDir, { recursive: true, force: true }) },
      pagesFolder,
      textsOf: createTexts(languages),
      background: true,
      env: { OPERATORS: OPERATOR },
    })
    const games = { [NAMES.game]: 600, [NAMES.other]: 0 }
    const friend = await product.player({ name: NAMES.friend, games: { [NAMES.game]: 60 } })
    const me = await product.player({ steamId: OPERATOR, name: NAMES.me, games, friends: [friend] })
    const group = await product.group({ owner: me, members: [friend], name: NAMES.group })
    const night = await me.call(nightsContract.start, {}, { group_id: group.group_id })
    const times = [1, 2].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
    const dating = await me.call(nightsContract.start, {}, { group_id: group.group_id, times })
    const appid = product.appidOf(NAMES.game)
    const decided = await me.call(nightsContract.start, {}, { group_id: group.group_id })
    await inNight(decided, me).vote([{ appid, mark: 'want' }])
    await inNight(decided, me).close()
    const shared = await me.call(shareContract.create, { id: decided.night_id })
    const cancelled = await me.call(nightsContract.start, {}, { group_id: group.group_id })
    await me.call(nightsContract.cancel, { id: cancelled.night_id })
    const repeat = { every: 'week', zone: 'Europe/Berlin' } as const
    const weekly = await me.call(
      nightsContract.start,
      {},
      { group_id: group.group_id, starts_at: times[0], repeat },
    )
    const ofGroup = await me.call(invitesContract.renewOfGroup, { id: group.group_id })
    const ofNight = await me.call(invitesContract.renewOfNight, { id: night.night_id })
    const pathOf = (url: string) => new URL(url).pathname

    const page = await openElsewhere(browser, product, me)
    await page.emulateMedia({ colorScheme: 'light' })
    const missed: Record<string, string[]> = {}
    const faint: object[] = []
    for (const path of [
      '/dashboard',
      '/my_games',
      '/my_games/shelf',
      '/friends',
      '/friends/games',
      `/friends/${friend.steam_id}/games`,
      `/games/${appid}`,
      `/games/${appid}/friends`,
      '/games/1/comparison',
      `/games/1/comparison?friend=${friend.steam_id}`,
      '/groups',
      `/groups/${group.group_id}`,
      '/nights',
      `/nights/${night.night_id}`,
      `/nights/${dating.night_id}`,
      `/nights/${night.night_id}/draw`,
      `/nights/${decided.night_id}`,
      `/nights/${cancelled.night_id}`,
      `/nights/${weekly.night_id}`,
      pathOf(ofGroup.url),
      pathOf(ofNight.url),
      pathOf(shared.url),
      '/share/nothing',
      '/offline.html',
      '/account',
      '/operator',
      '/privacy',
      '/login',
      '/nowhere',
      `/join/${'x'.repeat(22)}`,
    ]) {
      await page.goto(path)
      await expect(page.locator('.skeleton')).toHaveCount(0)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const words = await plainWordsBehind(page)
      if (words.length > 0) missed[path] = [...new Set(words)]
      faint.push(...(await violationsIn(page, RULES_OF_COLOURS)).map((violation) => ({ path, ...violation })))
    }
    expect({ missed, faint }).toEqual({ missed: {}, faint: [] })
    await page.context().close()
    await product.close()
  },
)
