/** The parts of the screens about friends, for the tests of them. */
import type { Locator, Page } from '@playwright/test'
import { type Product, type TestPlayer } from '../support/product.ts'
import { api, expect } from './support.ts'
import { writeRows } from '../support/rows.ts'

export const OOPS = 'Oops! It looks like we don’t have this friend’s games in our system yet.'

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })
export const friends = (page: Page) => page.getByRole('list', { name: 'Friends' })
export const friend = (page: Page, name: string) =>
  friends(page).getByRole('listitem').filter({ hasText: name })
export const syncFriends = (page: Page) => page.getByRole('button', { name: 'Sync Friends', exact: true })
export const games = (page: Page) => page.getByRole('list', { name: "Friend's Games" })
export const game = (page: Page, name: string) => games(page).getByRole('article').filter({ hasText: name })
export const gameNames = (page: Page) => games(page).getByRole('heading', { level: 2 }).allTextContents()
export const syncGames = (page: Page) => page.getByRole('button', { name: 'Sync Games', exact: true })
export const box = (page: Page) => page.getByPlaceholder('Search for a friend...')
/** What the open list of the friend search offers. */
export const choices = (page: Page) => page.getByRole('listbox').getByRole('option')
export const options = (page: Page) => choices(page).allTextContents()
export const gamesOf = (player: { steam_id: string }) => `/friends/${player.steam_id}/games`

/** The names in the list of friends, in the order shown. */
export const friendNames = (page: Page) => friends(page).locator('bdi.font-semibold').allTextContents()

/** Whether a text is red: clearly more red than green. */
export async function expectRed(page: Page | Locator, text: string): Promise<void> {
  const redness = () =>
    page.getByText(text, { exact: true }).evaluate((found) => {
      // Nothing for an element that has just been replaced.
      const [red = 0, green = 0] = getComputedStyle(found).color.match(/\d+/g)?.map(Number) ?? []
      return red - green
    })
  await expect.poll(redness).toBeGreaterThan(80)
}

/** Somebody whose library is on nobody's list to be read, so that it stays unknown. */
export async function unreadFriend(product: Product, of: TestPlayer): Promise<string> {
  const steamId = product.newcomer()
  product.simulator.befriend(of.steam_id, steamId)
  product.simulator.fail({ endpoint: 'GetOwnedGames', steamId, kind: 'status', status: 500 })
  await of.call(api.friends.syncFriends, of.user)
  await writeRows(product.database, (tx) =>
    tx.deleteFrom('refreshes').where('steam_id', '=', steamId).execute(),
  )
  return steamId
}
