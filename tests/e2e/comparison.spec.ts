/** COMP-1: my games beside one friend's. */
import type { Page } from '@playwright/test'
import { friendsContract } from '#shared/contract/friends.ts'
import { nextSteamId } from '../support/product.ts'
import {
  expect,
  expectAccessible,
  expectLargeTargets,
  expectNoSidewaysScroll,
  openFilters,
  test,
} from './support.ts'

const box = (page: Page) => page.getByPlaceholder('Search for a friend...')
const choices = (page: Page) => page.getByRole('listbox').getByRole('option')
const games = (page: Page) => page.getByRole('list', { name: 'Games You Both Own' })
const game = (page: Page, name: string) => games(page).getByRole('article').filter({ hasText: name })
const names = (page: Page) => games(page).getByRole('heading', { level: 3 }).allTextContents()
const comparedWith = (friend: { steam_id: string }, gameId = 1) =>
  `/games/${gameId}/comparison?friend=${friend.steam_id}`

test.describe('COMP-1: Game Comparison', () => {
  test("COMP-1, COMP-4, PAGE-12, ROUTE-2: 'Select a friend to compare your games!', then 'Games You Both Own' with 'You: Nh | Friend: Nh' in rounded hours", async ({
    page,
    product,
    signInAs,
  }) => {
    const ada = await product.player({
      name: 'Ada',
      games: { Portal: 89, Dota: 72_305, 'Never Started': 0, 'Hers Alone': 600 },
    })
    const bob = await product.player({ name: 'Bob' })
    const me = await product.player({
      games: { Portal: 90, Dota: 29, 'Never Started': 0, 'Mine Alone': 600 },
      friends: [ada, bob],
    })
    await signInAs(me)
    await page.goto('/dashboard')
    await page.getByRole('navigation').getByRole('link', { name: 'Game Comparison' }).click()
    await expect(page).toHaveURL('/games/1/comparison')
    await expect(page.getByRole('heading', { level: 1, name: 'Game Comparison', exact: true })).toBeFocused()
    await expect(page.getByText('Select a friend to compare your games!', { exact: true })).toBeVisible()
    await expectAccessible(page)

    await box(page).fill('AD')
    await expect(choices(page)).toHaveText(['Ada'])
    await expectAccessible(page)
    await choices(page).click()
    await expect(
      page.getByRole('heading', { level: 2, name: 'Games You Both Own', exact: true }),
    ).toBeVisible()
    await expect.poll(() => names(page)).toEqual(['Portal', 'Dota', 'Never Started'])
    await expect(game(page, 'Dota')).toContainText('You: 0h | Friend: 1205h')
    await expect(game(page, 'Portal')).toContainText('You: 2h | Friend: 1h')
    await expect(game(page, 'Never Started')).toContainText('You: 0h | Friend: 0h')
    await expect(game(page, 'Dota').locator('img')).toBeVisible()
    await expect(box(page)).toHaveValue('Ada')
    await expect(page.getByRole('status').filter({ hasText: '3 games' })).toBeVisible()
    await expect(page.getByText('Select a friend to compare your games!')).toHaveCount(0)
    await expectAccessible(page)
    // Whom one compares with is there on return.
    await page.reload()
    await expect.poll(() => names(page)).toEqual(['Portal', 'Dota', 'Never Started'])
    await expect(box(page)).toHaveValue('Ada')
  })

  test('COMP-7: the game of the address stands first when both own it', async ({
    page,
    product,
    signInAs,
  }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 60, Dota: 600, Zuma: 90 } })
    const me = await product.player({ games: { Portal: 60, Dota: 600, Zuma: 90 }, friends: [ada] })
    await signInAs(me)
    await page.goto(comparedWith(ada, product.appidOf('Portal')))
    await expect.poll(() => names(page)).toEqual(['Portal', 'Dota', 'Zuma'])
    await page.goto(comparedWith(ada))
    await expect.poll(() => names(page)).toEqual(['Dota', 'Zuma', 'Portal'])
  })

  test('COMP-7: what both play most comes first, also on the dashboard', async ({
    page,
    product,
    signInAs,
  }) => {
    const ada = await product.player({ name: 'Ada', games: { Hers: 72_000, Ours: 600, Less: 300, Mine: 0 } })
    const me = await product.player({
      games: { Hers: 120, Ours: 900, Less: 6000, Mine: 60_000 },
      friends: [ada],
    })
    const bothPlay = ['Ours', 'Less', 'Hers', 'Mine']
    await signInAs(me)
    await page.goto(comparedWith(ada))
    await expect.poll(() => names(page)).toEqual(bothPlay)
    const sort = page.getByRole('combobox', { name: 'Sort' })
    await expect(sort.locator('option').first()).toHaveText('Both play it most')
    await sort.selectOption('Most combined hours')
    await expect.poll(() => names(page)).toEqual(['Hers', 'Mine', 'Less', 'Ours'])
    await page.goto('/dashboard')
    const card = page.getByRole('region', { name: 'Compare Games' })
    await card.getByPlaceholder('Search for a friend...').fill('ada')
    await page.getByRole('option', { name: 'Ada' }).click()
    await card.getByRole('button', { name: 'Compare', exact: true }).click()
    await expect(card.getByRole('status').getByRole('listitem')).toHaveText(
      bothPlay.map((name) => new RegExp(`^${name}`)),
    )
  })

  test('LOOK-24: what both own is searched, filtered and sorted, and looks the same on return', async ({
    page,
    product,
    signInAs,
  }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 600, Dota: 60, Zuma: 90 } })
    const me = await product.player({ games: { Portal: 6, Dota: 120, Zuma: 600 }, friends: [ada] })
    await signInAs(me)
    await page.goto(comparedWith(ada))
    const sort = page.getByRole('combobox', { name: 'Sort' })
    await expect.poll(() => names(page)).toEqual(['Zuma', 'Dota', 'Portal'])
    await sort.selectOption('Most combined hours')
    await expect.poll(() => names(page)).toEqual(['Zuma', 'Portal', 'Dota'])
    await sort.selectOption('Your most played')
    await expect.poll(() => names(page)).toEqual(['Zuma', 'Dota', 'Portal'])
    await sort.selectOption('Their most played')
    await expect.poll(() => names(page)).toEqual(['Portal', 'Zuma', 'Dota'])
    await sort.selectOption('Alphabetical')
    await expect.poll(() => names(page)).toEqual(['Dota', 'Portal', 'Zuma'])
    await page.getByRole('searchbox', { name: 'Search common games' }).fill('O')
    await expect.poll(() => names(page)).toEqual(['Dota', 'Portal'])
    await expect(page.getByRole('status').filter({ hasText: '2 games' })).toBeAttached()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'My Games', exact: true }).click()
    await page.goBack()
    await expect.poll(() => names(page)).toEqual(['Dota', 'Portal'])
    await expect(box(page)).toHaveValue('Ada')
    await openFilters(page)
    await page.getByRole('combobox', { name: 'Game mode' }).selectOption('MMO')
    await expect(page.getByText('No games match.')).toBeVisible()
    await page.getByRole('button', { name: 'Show all games' }).click()
    await expect.poll(() => names(page)).toEqual(['Dota', 'Portal', 'Zuma'])
  })

  test("COMP-4, COMP-11: 'No games in common.', but not where that is not known", async ({
    page,
    product,
    signInAs,
  }) => {
    const other = await product.player({ name: 'Other', games: { Dota: 60 } })
    const secret = await product.player({ name: 'Secret', games: { Portal: 60 }, gamesPrivate: true })
    const me = await product.player({ games: { Portal: 60 }, friends: [other, secret] })
    await signInAs(me)
    await page.goto(comparedWith(other))
    await expect(page.getByText('No games in common.', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await page.goto(comparedWith(secret))
    await expect(page.getByText('Which games you both own is not known.')).toBeVisible()
    await expect(page.getByText('This friend’s game details are private on Steam.')).toBeVisible()
    await expect(page.getByText('They can set "Game details" to Public')).toBeVisible()
    await expect(page.getByText('No games in common.')).toHaveCount(0)
    await page.getByRole('link', { name: 'See all their games' }).click()
    await expect(page.getByText('They can set "Game details" to Public')).toBeVisible()
  })

  test('LOOK-11: who has not read their own games is sent to do that', async ({
    page,
    product,
    signInAs,
  }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 60 } })
    const me = await product.player({ games: { Portal: 60 }, synced: false })
    product.simulator.befriend(me.steam_id, ada.steam_id)
    await me.call(friendsContract.syncFriends, { steamId: me.steam_id })
    await signInAs(me)
    await page.goto(comparedWith(ada))
    await expect(page.getByText('Your games haven’t been synced yet.')).toBeVisible()
    await expect(page.getByText('No games in common.')).toHaveCount(0)
    await page.getByRole('link', { name: 'Go to My Games' }).click()
    await expect(page).toHaveURL('/my_games')
    await page.getByRole('button', { name: 'Sync Games' }).click()
    await expect(page.getByRole('article')).toContainText('Portal')
    // What was compared before is compared anew.
    await page.goBack()
    await expect(game(page, 'Portal')).toContainText('You: 1h | Friend: 1h')
  })
})

test.describe('COMP-4: a comparison that cannot be loaded', () => {
  test("PAGE-4: without a connection common games say 'Network error.'", async ({
    page,
    product,
    signInAs,
    expectedErrors,
  }) => {
    expectedErrors.push(/net::ERR_/)
    const ada = await product.player({ name: 'Ada', games: { Portal: 60 } })
    const me = await product.player({ games: { Portal: 60 }, friends: [ada] })
    await signInAs(me)
    await page.route('**/api/compare/**', (route) => route.abort())
    await page.goto(comparedWith(ada))
    await expect(page.getByRole('alert')).toContainText('Network error.', { timeout: 9000 })
  })

  test('PERM-4: nobody is compared with a stranger', async ({ page, product, signInAs, expectedErrors }) => {
    expectedErrors.push(/status of 403/)
    const stranger = await product.player({ name: 'Stranger', games: { Portal: 60 } })
    const me = await product.player({ games: { Portal: 60 } })
    await signInAs(me)
    for (const id of [stranger.steam_id, nextSteamId()]) {
      await page.goto(comparedWith({ steam_id: id }))
      await expect(page.getByRole('alert')).toContainText('Failed to fetch common games.', { timeout: 9000 })
      await expect(games(page)).toHaveCount(0)
      await expect(box(page)).toBeVisible()
    }
    await expectAccessible(page)
  })

  test('COMP-1: friends switched quickly never show rows that were for another', async ({
    page,
    product,
    signInAs,
  }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 60 } })
    const bob = await product.player({ name: 'Bob', games: { Dota: 60 } })
    const me = await product.player({ games: { Portal: 60, Dota: 60 }, friends: [ada, bob] })
    await signInAs(me)
    const held = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    await page.route(`**/api/compare/${me.steam_id}/${ada.steam_id}`, async (route) => {
      const response = await route.fetch()
      await held.promise
      await route.fulfill({ response }).catch(() => undefined)
      answered.resolve()
    })
    await page.goto(comparedWith(ada))
    await expect(box(page)).toHaveValue('Ada')
    await expect(page.getByText('Comparing your games...')).toBeVisible()
    await box(page).fill('Bob')
    await choices(page).click()
    await expect.poll(() => names(page)).toEqual(['Dota'])
    held.resolve()
    await answered.promise
    await expect(box(page)).toHaveValue('Bob')
    await expect.poll(() => names(page)).toEqual(['Dota'])
    await expect(page.getByText('Portal')).toHaveCount(0)
    await page.goBack()
    await expect(box(page)).toHaveValue('Ada')
    await expect.poll(() => names(page)).toEqual(['Portal'])
  })
})

test.describe('LOOK-16, LOOK-22: the comparison by keyboard and on small screens', () => {
  test('LOOK-16, COMP-1: a comparison needs nothing but the keyboard, and the focus is never lost', async ({
    page,
    product,
    signInAs,
  }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 60 } })
    const bob = await product.player({ name: 'Bob', games: { Dota: 60 } })
    const me = await product.player({ games: { Portal: 60, Dota: 60 }, friends: [ada, bob] })
    await signInAs(me)
    await page.goto('/games/1/comparison')
    const picks = page.getByRole('list', { name: 'Friends with synced libraries' })
    await picks.getByRole('link', { name: 'Ada' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => names(page)).toEqual(['Portal'])
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(box(page)).toBeFocused()
    // As fast as keys come: the name that stood there is replaced, and no letter is lost.
    await page.keyboard.type('bob')
    await expect(box(page)).toHaveValue('bob')
    await expect(choices(page)).toHaveText(['Bob'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => names(page)).toEqual(['Dota'])
    await expect(box(page)).toBeFocused()
    await expect(box(page)).toHaveAttribute('aria-expanded', 'false')
  })

  test('LOOK-22: a comparison fits a telephone whatever the names, without sideways scroll', async ({
    page,
    product,
    signInAs,
  }) => {
    const odd = ['W'.repeat(120), 'لعبة العروش', '\u202Eright to left', '🎮'.repeat(40), 'Z̷̢͎a̵l̶g̸o̴']
    const library = Object.fromEntries(odd.map((name, nth) => [name, 100_000 - nth]))
    const friend = await product.player({ name: 'W'.repeat(64), games: library })
    const me = await product.player({ games: library, friends: [friend] })
    await signInAs(me)
    for (const width of [390, 360]) {
      await page.setViewportSize({ width, height: 844 })
      for (const path of ['/games/1/comparison', comparedWith(friend)]) {
        await page.goto(path)
        await expect(
          page
            .getByRole('main')
            .getByText(/W{64}|Games You Both Own/)
            .first(),
        ).toBeVisible()
        await expectNoSidewaysScroll(page)
        if (width === 390) await expectAccessible(page)
        await expectLargeTargets(page)
      }
      await expect(games(page).getByRole('article').first()).toContainText('You: 1667h | Friend: 1667h')
    }
  })
})
