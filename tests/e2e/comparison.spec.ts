/** COMP-1: my games beside one friend's. */
import type { Page } from '@playwright/test'
import { api, expect, test } from './support.ts'

const box = (page: Page) => page.getByPlaceholder('Search for a friend...')
const choices = (page: Page) => page.getByRole('listbox').getByRole('option')
const games = (page: Page) => page.getByRole('list', { name: 'Games You Both Own' })
const game = (page: Page, name: string) => games(page).getByRole('article').filter({ hasText: name })
const names = (page: Page) => games(page).getByRole('heading', { level: 3 }).allTextContents()
const comparedWith = (friend: { steam_id: string }, gameId = 1) =>
  `/games/${gameId}/comparison?friend=${friend.steam_id}`

test('COMP-1, COMP-4, PAGE-12, ROUTE-2: a friend, then both hours', async ({ page, product, enter }) => {
  const ada = await product.player({
    name: 'Ada',
    games: { Portal: 89, Dota: 72_305, 'Never Started': 0, 'Hers Alone': 600 },
  })
  const bob = await product.player({ name: 'Bob' })
  await enter(
    {
      name: 'Mira',
      games: { Portal: 90, Dota: 29, 'Never Started': 0, 'Mine Alone': 600 },
      friends: [ada, bob],
    },
    '/dashboard',
    'Mira',
  )
  await page.getByRole('navigation').getByRole('link', { name: 'Game Comparison' }).click()
  await expect(page).toHaveURL('/games/1/comparison')
  await expect(page.getByRole('heading', { level: 1, name: 'Game Comparison', exact: true })).toBeFocused()
  await expect(page.getByText('Select a friend to compare your games!', { exact: true })).toBeVisible()
  await expect(page.getByText('and', { exact: true })).toHaveCount(0)
  await expect(page).toBeAccessible()

  await box(page).fill('AD')
  await expect(choices(page)).toHaveText(['Ada'])
  await expect(page).toBeAccessible()
  await choices(page).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Games You Both Own', exact: true })).toBeVisible()
  await expect.poll(() => names(page)).toEqual(['Portal', 'Dota', 'Never Started'])
  await expect(game(page, 'Dota')).toContainText('You: 0h | Friend: 1205h')
  await expect(game(page, 'Portal')).toContainText('You: 2h | Friend: 1h')
  await expect(game(page, 'Never Started')).toContainText('You: 0h | Friend: 0h')
  await expect(game(page, 'Dota').locator('img')).toBeVisible()
  await expect(box(page)).toHaveValue('Ada')
  await expect(page.getByRole('region', { name: 'Who is compared' })).toContainText('Mira and Ada')
  await expect(page.getByRole('status').filter({ hasText: '3 games' })).toBeVisible()
  await expect(page.getByText('Select a friend to compare your games!')).toHaveCount(0)
  await expect(page).toBeAccessible()
  // Whom one compares with is there on return.
  await page.reload()
  await expect.poll(() => names(page)).toEqual(['Portal', 'Dota', 'Never Started'])
  await expect(box(page)).toHaveValue('Ada')
})

test('COMP-7: what both play most comes first, in both sorts', async ({ page, product, signInAs }) => {
  const ada = await product.player({ name: 'Ada', games: { Hers: 72_000, Ours: 600, Less: 300, Mine: 0 } })
  const me = await product.player({
    games: { Hers: 120, Ours: 900, Less: 6000, Mine: 60_000 },
    friends: [ada],
  })
  const bothPlay = ['Ours', 'Less', 'Hers', 'Mine']
  await signInAs(me, comparedWith(ada))
  await expect.poll(() => names(page)).toEqual(bothPlay)
  const sort = page.getByRole('combobox', { name: 'Sort' })
  await expect(sort.locator('option').first()).toHaveText('Both play it most')
  await sort.selectOption('Most combined hours')
  await expect.poll(() => names(page)).toEqual(['Hers', 'Mine', 'Less', 'Ours'])
})

test('COMP-4, COMP-11: nothing in common, and nothing known', async ({ page, product, enter }) => {
  const other = await product.player({ name: 'Other', games: { Dota: 60 } })
  const secret = await product.player({ name: 'Secret', games: { Portal: 60 }, gamesPrivate: true })
  await enter({ games: { Portal: 60 }, friends: [other, secret] }, comparedWith(other))
  await expect(page.getByText('No games in common.', { exact: true })).toBeVisible()
  await expect(page).toBeAccessible()
  await page.goto(comparedWith(secret))
  await expect(page.getByText('This friend’s game details are private on Steam.')).toBeVisible()
  await expect(page.getByText('They can set "Game details" to Public')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy a message for Secret' })).toBeVisible()
  await expect(page.getByText('No games in common.')).toHaveCount(0)
  await page.getByRole('link', { name: 'See all their games' }).click()
  await expect(page.getByText('They can set "Game details" to Public')).toBeVisible()
})

test('LOOK-11: without games of my own it leads to My Games', async ({ page, product, signInAs }) => {
  const ada = await product.player({ name: 'Ada', games: { Portal: 60 } })
  const me = await product.player({ games: { Portal: 60 }, synced: false })
  product.simulator.befriend(me.steam_id, ada.steam_id)
  await me.call(api.friends.syncFriends, me.user)
  await signInAs(me, comparedWith(ada))
  await expect(page.getByText('Your games haven’t been synced yet.')).toBeVisible()
  await expect(page.getByText('No games in common.')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Go to My Games' })).toHaveAttribute('href', '/my_games')
})
