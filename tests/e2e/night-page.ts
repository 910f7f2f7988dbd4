/** The parts of a game night's page, and nights with people for the tests of it. */
import type { Locator, Page } from '@playwright/test'
import { inNight, readStore } from '../support/nights.ts'
import type { Product, TestPlayer } from '../support/product.ts'
import { writeRows } from '../support/rows.ts'
import { api, dialog, expect } from './support.ts'

export const answers = (page: Page) => page.getByRole('group', { name: 'Your answer' })
export const answer = (page: Page, name: 'In' | 'Maybe' | 'Out') =>
  answers(page).getByRole('radio', { name, exact: true })
export const part = (page: Page, name: string) => page.getByRole('list', { name, exact: true })
export const shortlist = (page: Page) => page.getByRole('list', { name: 'Shortlist' })
export const games = (page: Page) => shortlist(page).getByRole('article')
export const game = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
export const names = (page: Page) => shortlist(page).getByRole('heading', { level: 3 }).allTextContents()
export const mark = (page: Page, name: string, how: 'Want' | 'Fine' | 'Not tonight'): Locator =>
  page.getByRole('group', { name: `Your mark for ${name}`, exact: true }).getByRole('radio', { name: how })
export const bar = (page: Page) => page.getByRole('group', { name: 'Your vote' })
export const status = (page: Page) =>
  page.getByRole('main').locator('header').first().getByRole('status').first()
export const pick = (page: Page) => page.getByRole('region', { name: /are playing|will play/ })
export const pickName = (page: Page) => page.locator('#the-pick')
/** On a group's page and on Friends. */
export const startButton = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Start a game night', exact: true })
export const startNow = (page: Page) => dialog(page).getByRole('button', { name: 'Start now', exact: true })
/** What is needed of a night now and then. */
export const openMenu = (page: Page) => page.getByRole('button', { name: /^(Host menu|More)$/ }).click()
/** Opens a fold. */
export const unfold = (page: Page, title: string | RegExp) =>
  page.locator('summary').filter({ hasText: title }).first().click()
export const GONE =
  'If there is a game night here, you are not part of it. Whoever sent you this address can send you its invitation link.'

/** Waits until the page of a night that was started is open, and closes what tells others of it; returns the night's id. */
export async function openedNight(page: Page): Promise<{ id: number }> {
  await expect(page).toHaveURL(/\/nights\/\d+$/)
  await dialog(page)
    .filter({ hasText: 'Tell the others' })
    .getByRole('button', { name: 'Close', exact: true })
    .click()
  return { id: Number(new URL(page.url()).pathname.split('/').at(-1)) }
}

const GAMES = ['Portal', 'Factorio', 'Overcooked']

/** A night of Mira's group with Theo and others; nobody has answered but whom `isIn` says. */
export async function startNight(
  product: Product,
  {
    gameNames = GAMES,
    host = {},
    people = ['Theo', 'Ada'],
    groupName = 'Friday',
    title = null as string | null,
    startsAt = undefined as string | undefined,
    /** Of which one is to be found. */
    times = undefined as string[] | undefined,
    isIn = [] as string[],
    forbids = false,
  } = {},
) {
  const owned = Object.fromEntries(gameNames.map((name, nth) => [name, 600 - nth]))
  const others: TestPlayer[] = []
  for (const name of people) others.push(await product.player({ name, games: owned }))
  const mira = await product.player({ name: 'Mira', games: owned, friends: others, ...host })
  await readStore(product)
  const { group_id } = await product.group({ owner: mira, members: others, name: groupName })
  const night = await mira.call(
    api.nights.start,
    {},
    {
      group_id,
      title,
      forbids,
      ...(startsAt !== undefined && { starts_at: startsAt }),
      ...(times && { times }),
    },
  )
  const byName = new Map([['Mira', mira], ...people.map((name, nth) => [name, others[nth]!] as const)])
  const as = (name: string) => inNight(night, byName.get(name)!)
  for (const name of isIn) await as(name).answer('in')
  return { mira, others, groupId: group_id, id: night.night_id, path: `/nights/${night.night_id}`, as, night }
}

/** Moves a night to another time, as if it had been then. */
export const movedTo = (product: Product, nightId: number, at: number) =>
  writeRows(product.database, (tx) =>
    tx.updateTable('nights').set({ starts_at: at }).where('night_id', '=', nightId).execute(),
  )

/** Mira with everything that a screen can show: also nights in every state, and links; `screens` are the paths of all of it. */
export async function startEverything(product: Product, options: Parameters<typeof startNight>[1] = {}) {
  const { gameNames: [game = ''] = GAMES } = options
  const started = await startNight(product, options)
  const { mira, others, groupId, id, path } = started
  const appid = product.appidOf(game)
  const start = async (rest: object = {}) => {
    const night = await mira.call(api.nights.start, {}, { group_id: groupId, ...rest })
    return { ...inNight(night, mira), id: night.night_id, path: `/nights/${night.night_id}` }
  }
  const times = [1, 2].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
  const dating = await start({ times })
  const decided = await start()
  await decided.vote([{ appid, mark: 'want' }])
  await decided.close()
  const cancelled = await start()
  await cancelled.cancel()
  const weekly = await start({ starts_at: times[0], repeat: { every: 'week', zone: 'Europe/Berlin' } })
  const links = [
    await mira.call(api.invites.renewOfGroup, { id: groupId }),
    await mira.call(api.invites.renewOfNight, { id }),
    await mira.call(api.share.create, { id: decided.id }),
  ].map(({ url }) => new URL(url).pathname)
  const friend = others[0]!.steam_id
  const screens = [
    '/dashboard',
    '/my_games',
    '/my_games/shelf',
    '/friends',
    '/friends/games',
    `/friends/${friend}/games`,
    `/games/${appid}`,
    `/games/${appid}/friends`,
    '/games/1/comparison',
    `/games/1/comparison?friend=${friend}`,
    '/groups',
    `/groups/${groupId}`,
    '/nights',
    path,
    `${path}/draw`,
    ...[dating, decided, cancelled, weekly].map((night) => night.path),
    '/account',
    '/privacy',
    '/nowhere',
  ]
  return { ...started, links, screens }
}
