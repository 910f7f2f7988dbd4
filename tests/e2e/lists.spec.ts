/** LIST-1 to LIST-8: what all lists of games share. */
import type { Locator, Page } from '@playwright/test'
import type { Product, TestPlayer } from '../support/product.ts'
import { storeSays } from '../support/store.ts'
import { expect, openFilters, test } from './support.ts'

/**
 * Types of the store: 0 game, 1 demo, 6 software. Player categories: 2 single-player, 36 online PvP, 38 online co-op.
 * The store says nothing about Enigma.
 */
const GAMES = {
  Pals: { kind: 0, categories: [2, 38] },
  Rivals: { kind: 0, categories: [36] },
  'Pals Demo': { kind: 1, categories: [38] },
  Painter: { kind: 6, categories: [2] },
  // Given too: otherwise the server asks the store about it during the test.
  Enigma: { kind: null, categories: [], free: null },
}
const MINUTES = { Pals: 600, Rivals: 300, 'Pals Demo': 200, Painter: 100, Enigma: 60 }

/** Mira, who owns all of the games, and her friend Ada, who owns some of them and one more. */
async function pair(product: Product): Promise<{ mira: TestPlayer; ada: TestPlayer }> {
  await storeSays(product, GAMES)
  const ada = await product.player({ name: 'Ada', games: { Pals: 60, Enigma: 30, 'Hers Alone': 900 } })
  const mira = await product.player({ name: 'Mira', games: MINUTES, friends: [ada] })
  return { mira, ada }
}

const games = (page: Page, list = 'My Games') => page.getByRole('list', { name: list, exact: true })
const unknown = (page: Page) => page.getByRole('list', { name: 'Modes not known' })
const namesIn = (list: ReturnType<typeof games>) => list.getByRole('heading').allTextContents()
const game = (page: Page, name: string, list?: string) =>
  games(page, list)
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
const mode = (page: Page) => page.getByRole('combobox', { name: 'Game mode' })
const gamesOnly = (page: Page) => page.getByRole('checkbox', { name: 'Games only' })
const status = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /\d games?/ })

/** By how many px a selector is narrower than its longest option needs. */
const missingWidth = (select: Locator) =>
  select.evaluate((one) => {
    const whole = one.cloneNode(true) as HTMLElement
    whole.style.width = 'max-content'
    one.after(whole)
    const needed = whole.getBoundingClientRect().width
    whole.remove()
    return needed - one.getBoundingClientRect().width
  })

test('LIST-3: games of unknown modes are below the others', async ({ page, product, signInAs }) => {
  const { mira } = await pair(product)
  await signInAs(mira, '/my_games')
  await openFilters(page)
  await expect(game(page, 'Pals')).toBeVisible()
  expect((await mode(page).locator('option').allTextContents()).slice(0, 6)).toEqual([
    'Any mode',
    'Online co-op',
    'Online versus',
    'Same screen',
    'Remote Play Together',
    'Cross-platform',
  ])
  await mode(page).selectOption('Online co-op')
  await expect.poll(() => namesIn(games(page))).toEqual(['Pals', 'Pals Demo'])
  await expect.poll(() => namesIn(unknown(page))).toEqual(['Enigma'])
  await expect(status(page)).toHaveText('2 games · 1 game whose modes are not known is shown below')
  await expect(page).toBeAccessible()
  // Nothing is known to match, but something may.
  await mode(page).selectOption('Cross-platform')
  await expect(page.getByText('No games match.')).toBeVisible()
  await expect.poll(() => namesIn(unknown(page))).toEqual(['Enigma'])
  await expect(page).toBeAccessible()
  await page.getByRole('button', { name: 'Show all games' }).click()
  await expect.poll(() => namesIn(games(page))).toEqual(Object.keys(GAMES))
  await expect(unknown(page)).toHaveCount(0)
})

test('LIST-4: demos, tools and software are left out', async ({ page, product, signInAs }) => {
  const { mira } = await pair(product)
  await signInAs(mira, '/my_games')
  await openFilters(page)
  await expect(game(page, 'Pals Demo')).toContainText('Demo')
  await expect(game(page, 'Painter')).toContainText('Software')
  await expect(game(page, 'Enigma')).not.toContainText('Kind not known')
  await gamesOnly(page).press('Space')
  await expect.poll(() => namesIn(games(page))).toEqual(['Pals', 'Rivals', 'Enigma'])
  await expect(status(page)).toHaveText(
    '3 games · 1 demo, 1 software app left out · 1 whose kind is not known stays',
  )
  await expect(game(page, 'Enigma')).toContainText('Kind not known')
  await expect(page).toBeAccessible()
})

test('LIST-1: a link opens the same view, whatever else is in it', async ({ page, product, signInAs }) => {
  const { mira } = await pair(product)
  await signInAs(mira, '/my_games')
  await openFilters(page)
  await page.getByRole('searchbox', { name: 'Search my games' }).fill('pals')
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('Least played')
  await mode(page).selectOption('Online co-op')
  await gamesOnly(page).check()
  await page.getByText('List', { exact: true }).click()
  await expect(page).toHaveURL('/my_games?search=pals&mode=online_coop&kind=games&sort=least&view=list')
  await expect.poll(() => namesIn(games(page))).toEqual(['Pals'])
  const link = page.url()

  await page.goto('/dashboard')
  await page.goto(link)
  await openFilters(page)
  await expect.poll(() => namesIn(games(page))).toEqual(['Pals'])
  await expect(mode(page)).toHaveValue('online_coop')
  await expect(gamesOnly(page)).toBeChecked()
  await expect(page.getByRole('radio', { name: 'List' })).toBeChecked()

  // The link to the screen that is open shows all games again.
  await page.getByRole('navigation').getByRole('link', { name: 'My Games', exact: true }).click()
  await expect.poll(() => namesIn(games(page))).toEqual(Object.keys(GAMES))
})

test('LIST-5: rows, which the browser remembers', async ({ page, product, signInAs }) => {
  const { mira, ada } = await pair(product)
  await signInAs(mira, '/my_games')
  await openFilters(page)
  const height = async () => (await game(page, 'Pals').boundingBox())?.height ?? NaN
  await expect(game(page, 'Pals')).toBeVisible()
  const tile = await height()
  await page.getByRole('radio', { name: 'Tiles' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(height).toBeLessThan(tile / 3)
  await expect(game(page, 'Pals')).toContainText('10h 0m played')
  await expect(game(page, 'Pals').getByRole('link', { name: 'Compare with Friends' })).toHaveAttribute(
    'href',
    `/games/${product.appidOf('Pals')}/friends`,
  )
  await expect(page).toBeAccessible()
  await expect(page).toHaveLargeTargets()
  await page.goto(`/friends/${ada.steam_id}/games`)
  await openFilters(page)
  await expect(page.getByRole('radio', { name: 'List' })).toBeChecked()
  await expect(page).toHaveURL(/\?view=list$/)
  await expect(page).toBeAccessible()
  // What a link says holds, but is not remembered.
  await page.goto('/my_games?view=tiles')
  await expect.poll(height).toBe(tile)
  await page.goto('/my_games')
  await expect.poll(height).toBeLessThan(tile / 3)
})

test('LIST-6: what I own too is marked, and can be filtered by', async ({ page, product, signInAs }) => {
  const { mira, ada } = await pair(product)
  await signInAs(mira, `/friends/${ada.steam_id}/games`)
  await openFilters(page)
  const list = "Friend's Games"
  await expect(game(page, 'Pals', list)).toContainText('You own it too')
  await expect(game(page, 'Hers Alone', list)).toBeVisible()
  await expect(game(page, 'Hers Alone', list)).not.toContainText('You own it too')
  await page.getByRole('checkbox', { name: 'You own it too' }).check()
  await expect.poll(() => namesIn(games(page, list))).toEqual(['Pals', 'Enigma'])
  await expect(page).toHaveURL(/\?own=mine$/)
  await expect(page).toBeAccessible()
  await page.getByText('List', { exact: true }).click()
  await expect(game(page, 'Pals', list).getByTitle('You own it too')).toBeVisible()
  await expect(page).toBeAccessible()
})

test('LIST-5: the filters fold into one button, which counts them', async ({ page, product, signInAs }) => {
  const { mira } = await pair(product)
  await signInAs(mira)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/my_games')
  // A page that opens before its typeface has arrived does without; the next one has it.
  await page.evaluate(() => document.fonts.load('1em "Inter Variable"'))
  await page.reload()
  const filters = page.getByRole('button', { name: /^Filters/ })
  await expect(filters).toHaveAttribute('aria-expanded', 'false')
  await expect(mode(page)).toBeHidden()
  await expect(page.getByRole('combobox', { name: 'Sort' })).toBeVisible()
  await filters.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(mode(page)).toBeFocused()
  await mode(page).selectOption('Online versus')
  await gamesOnly(page).check()
  await expect(filters).toHaveText('Filters (2)')
  await expect.poll(() => namesIn(games(page))).toEqual(['Rivals'])
  for (const layout of ['Tiles', 'List']) {
    await page.getByText(layout, { exact: true }).click()
    for (const width of [390, 360]) {
      await page.setViewportSize({ width, height: 844 })
      await expect(page).toFitItsWidth()
      await expect(page).toHaveLargeTargets()
      expect(await missingWidth(page.getByRole('combobox', { name: 'Sort' }))).toBeLessThanOrEqual(0)
      // Beside each other.
      const top = async (of: Locator) => (await of.boundingBox())!.y
      await expect
        .poll(async () => (await top(filters)) - (await top(page.getByRole('combobox', { name: 'Sort' }))))
        .toBe(0)
    }
    await expect(page).toBeAccessible()
  }
  await filters.click()
  await expect(mode(page)).toBeHidden()
})
