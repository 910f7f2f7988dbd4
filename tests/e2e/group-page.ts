/** The parts of a group's page, for the tests of it. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { Product, TestPlayer } from '../support/product.ts'
import { storeSays } from '../support/store.ts'
import { api, idleOf, region } from './support.ts'

export const NO_DATA = "No data yet. Sync your friends' games!"
export const NOTHING_IN_COMMON = 'No common games found for this group.'
export const GONE = "This group doesn't exist, or you're no longer a member."

export const members = (page: Page) => page.getByRole('list', { name: 'Members', exact: true })
export const member = (page: Page, name: string) =>
  members(page).getByRole('listitem').filter({ hasText: name })
export const removeButton = (page: Page, name: string) =>
  member(page, name).getByRole('button', { name: 'Remove' })
/** In one's own row. */
export const leaveButton = (page: Page) => members(page).getByRole('button', { name: 'Leave' })
export const invitation = (page: Page) => page.getByRole('region', { name: 'Invitations' })
export const search = (page: Page) => page.getByRole('combobox', { name: 'Search friends to add' })
export const suggested = (page: Page) => page.getByRole('listbox', { name: 'Friends who can be added' })
/** Add Member suggests friends once its search has the focus. */
export const openSuggestions = (page: Page) => search(page).focus()
/** Opens the line that says how many members are counted; returns what it says of the others. */
export async function openMissing(page: Page): Promise<Locator> {
  await page.getByText(/^\d+ of \d+ counted/).click()
  return page.getByRole('group', { name: 'Not counted' })
}
/** Opens 'One person short' or 'Two people short'; returns its games. */
export async function openShort(page: Page, name: string): Promise<Locator> {
  await page.getByRole('heading', { name }).click()
  return page
    .getByRole('list', { name })
    .getByRole('listitem')
    .filter({ has: page.getByRole('article') })
}
export const suggestion = (page: Page, name: string) => suggested(page).getByRole('option', { name })
export const pictureForm = (page: Page) => region(page, 'Set Picture')
export const address = (page: Page) => pictureForm(page).getByRole('textbox', { name: 'Picture URL' })
export const setPicture = (page: Page) => pictureForm(page).getByRole('button', { name: 'Set Picture' })
/** Chooses German for the pages of this browser. */
export async function inGerman(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Language').selectOption('Deutsch')
  await expect(page.getByRole('button', { name: 'Mit Steam anmelden' })).toBeVisible()
}
/** Opens a group and waits for all requests: those under way when somebody leaves would be refused. */
export async function openSettled(page: Page, path: string): Promise<void> {
  const idle = idleOf(page)
  await page.goto(path)
  await idle()
}

/** What only the owner sees. */
export const manage = (page: Page) => region(page, 'Manage group')
export const newOwner = (page: Page) => manage(page).getByRole('combobox', { name: 'New owner' })
export const heading = (page: Page) => page.getByRole('heading', { level: 1 })
export const compare = (page: Page) => page.getByRole('button', { name: 'Compare Group Games' })
export const syncButton = (page: Page) => page.getByRole('button', { name: 'Sync Group Games' })
export const games = (page: Page) => page.getByRole('list', { name: 'Common Games' })
export const game = (page: Page, name: string) => games(page).getByRole('article').filter({ hasText: name })
export const gameNames = (page: Page) => games(page).getByRole('heading', { level: 3 }).allTextContents()
export const naturalWidth = (picture: Locator) =>
  picture.evaluate((img: HTMLImageElement) => img.naturalWidth)

export const membersOf = async (player: TestPlayer, id: number) =>
  (await player.call(api.groups.members, { id })).map(({ steam_id }) => steam_id)

export const groupsOf = async (player: TestPlayer) => (await player.call(api.groups.list, player.user)).groups

/** Mira, who owns a group with her friend Theo in it; he has joined by default. */
export async function friday(
  product: Product,
  {
    mine = { Portal: 90, Dota: 30 },
    theirs = { Portal: 29, Dota: 600 },
    joined = true,
  }: { mine?: Record<string, number>; theirs?: Record<string, number>; joined?: boolean } = {},
) {
  const theo = await product.player({ name: 'Theo', games: theirs })
  const mira = await product.player({ name: 'Mira', games: mine, friends: [theo] })
  const { group_id: id } = await product.group({ owner: mira, members: [theo], joined, name: 'Friday' })
  return { mira, theo, id, path: `/groups/${id}` }
}

/** Friends of somebody who are known here and own nothing. */
export async function friendsOf(
  product: Product,
  player: TestPlayer,
  names: string[],
): Promise<TestPlayer[]> {
  const friends: TestPlayer[] = []
  for (const name of names) friends.push(await product.player({ name, friends: [player] }))
  await product.deps.sync.syncFriends(player.steam_id)
  return friends
}

/** Player categories of the store: 2 single-player, 36 online PvP, 38 online co-op, 24 shared or split screen. */
const GAMES = {
  Raiders: { categories: [2, 38, 24] },
  Solitaire: { categories: [2] },
  Mystery: { categories: [] },
  Arena: { categories: [36] },
  Freebie: { categories: [38], free: true },
}

/** Mira's group of four. Ada lacks Arena; Ada and Bea lack Freebie. The store says nothing about Mystery. */
export async function answerCrew(product: Product) {
  const { apps } = product.simulator.world
  for (const [name, about] of Object.entries(GAMES))
    if (!apps.some((app) => app.name === name))
      product.simulator.addApp({ appid: 3_000_000 + apps.length, name, iconHash: '', kind: 0, ...about })
  // Before anybody owns them: the games of other tests would come first when the store is asked.
  await storeSays(product, GAMES)
  const common = { Raiders: 60, Solitaire: 600, Mystery: 6000 }
  const ada = await product.player({ name: 'Ada', games: { ...common, Raiders: 0 }, personastate: 1 })
  const bea = await product.player({ name: 'Bea', games: { ...common, Arena: 5 }, personastate: 0 })
  const theo = await product.player({ name: 'Theo', games: { ...common, Arena: 60, Freebie: 90 } })
  const mira = await product.player({
    name: 'Mira',
    games: { ...common, Arena: 60, Freebie: 30 },
    friends: [ada, bea, theo],
  })
  const { group_id: id } = await product.group({ owner: mira, members: [theo, ada, bea], name: 'Friday' })
  expect(await mira.call(api.groups.nearMisses, { id })).toHaveLength(2)
  return { mira, theo, ada, bea, id, path: `/groups/${id}` }
}
