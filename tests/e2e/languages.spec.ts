/** LANG-1 to LANG-6: the pages in the visitor's language. */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { createTexts } from '../../src/server/texts/texts.ts'
import { temporaryFolder } from '../support/folders.ts'
import { type Product, startProduct } from '../support/product.ts'
import { pseudoLanguages } from '../support/pseudo-language.ts'
import { startEverything } from './night-page.ts'
import {
  api,
  breakCalls,
  expect,
  openElsewhere,
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
  await expect(page).toBeAccessible()
  await page.setViewportSize(PHONE)
  await expect(page).toFitItsWidth()
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
  await expect(page).toBeAccessible()
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
  const mine = me.user
  await page.goto('/login')
  await page.getByLabel('Language').selectOption('Deutsch')
  await expect(page.getByRole('button', { name: 'Mit Steam anmelden' })).toBeVisible()

  await signInAs(me, '/my_games')
  await expect(page.getByRole('heading', { level: 1, name: 'Meine Spiele' })).toBeVisible()
  await expect.poll(async () => (await me.call(api.privacy.settings, mine)).language).toBe('de')

  const elsewhere = await openElsewhere(browser, product, me)
  await elsewhere.goto('/my_games')
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Meine Spiele' })).toBeVisible()

  await elsewhere.goto('/account')
  await elsewhere.getByLabel('Sprache').selectOption('English')
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Account & privacy' })).toBeVisible()
  expect((await me.call(api.privacy.settings, mine)).language).toBe('en')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'My Games' })).toBeVisible()

  await elsewhere.getByLabel('Language').selectOption('As in the browser')
  await expect.poll(async () => (await me.call(api.privacy.settings, mine)).language).toBe(null)
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

test("LANG-5, LANG-6: what is noted of a game, and the reason of a failure, are in the page's language", async ({
  page,
  enter,
}) => {
  await page.goto('/login')
  await page.getByLabel('Language').selectOption('Deutsch')
  await enter({ games: { 570: 60 } }, '/games/570')
  await expect(page.getByText('(Stand: 2026). 5 pro Seite.')).toBeVisible()
  await breakCalls(page, /\/api\/users\/\d+\/games/, 'Something went wrong on our side.')
  await page.goto('/my_games')
  await expect(
    page.getByRole('alert').filter({ hasText: 'Spiele konnten nicht geladen werden' }),
  ).toContainText('Bei uns ist etwas schiefgegangen.')
})

// Longer than all others, and about texts, which no engine changes.
test('LANG-5, LOOK-41: no plain English, and legible by day', { tag: '@chromium' }, async ({ browser }) => {
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
  const { mira, others, links, screens } = await startEverything(product, {
    host: { steamId: OPERATOR, name: NAMES.me },
    people: [NAMES.friend],
    groupName: NAMES.group,
    gameNames: [NAMES.game, NAMES.other],
  })
  await product.owns(mira, { [NAMES.game]: 600, [NAMES.other]: 0 })
  await product.owns(others[0]!, { [NAMES.game]: 60 })

  const page = await openElsewhere(browser, product, mira)
  await page.emulateMedia({ colorScheme: 'light' })
  const missed: Record<string, string[]> = {}
  const faint: object[] = []
  const noLink = `/join/${'x'.repeat(22)}`
  for (const path of [
    ...screens,
    ...links,
    '/share/nothing',
    '/offline.html',
    '/operator',
    '/login',
    noLink,
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
})
