/** Game nights in tests: players with games they own together. */
import { nightsContract } from '#shared/contract/nights.ts'
import type { Ballot, Night, NightAnswer } from '#shared/nights/entities.ts'
import { putOffStoreDetails } from '../../src/server/storage/players/apps.ts'
import type { Product, TestPlayer } from './product.ts'

/** Online co-op, according to the store. */
const ONLINE_COOP = [9, 38]

/**
 * Players who all own these games, connected with the first of them, who has the group they have joined. The store
 * knows that the games are played together.
 */
export async function friendsWithGames(
  app: Product,
  count: number,
  games: readonly string[] = ['Portal', 'Factorio', 'Overcooked'],
) {
  const owned = Object.fromEntries(games.map((name, nth) => [name, Math.max(1, 600 - 60 * nth)]))
  const others: TestPlayer[] = []
  for (let nth = 1; nth < count; nth++) others.push(await app.player({ name: `Player ${nth}`, games: owned }))
  const host = await app.player({ name: 'Host', games: owned, friends: others })
  await readStore(app)
  const { group_id } = await app.group({ owner: host, members: others })
  const [ada, ben, eve] = others as [TestPlayer, TestPlayer, TestPlayer]
  return { host, others, ada, ben, eve, groupId: group_id, appids: games.map((name) => app.appidOf(name)) }
}

/** Makes the store say that every game is played together. */
export async function readStore(app: Product): Promise<void> {
  const { apps } = app.simulator.world
  for (const game of apps) game.categories = ONLINE_COOP
  let due = apps.map(({ appid }) => appid)
  do {
    // The server may have asked about them before, or be reading what the store said before.
    await app.database.transaction((tx) => putOffStoreDetails(tx, due, 0))
    await app.deps.catalogue.readStoreDetails()
    const unknown = await app.database.queries
      .selectFrom('apps')
      .select('appid')
      .where('appid', 'in', due)
      .where('categories', 'is', null)
      .execute()
    due = unknown.map(({ appid }) => appid)
  } while (due.length > 0)
}

/** Starts a night of a group, with everyone who has joined it. */
export const startInGroup = (host: TestPlayer, groupId: number, rest: object = {}) =>
  host.call(nightsContract.start, {}, { group_id: groupId, ...rest })

/** What a player calls in a night. */
export function inNight(night: Pick<Night, 'night_id'>, player: TestPlayer) {
  const id = { id: night.night_id }
  return {
    read: () => player.call(nightsContract.read, id),
    answer: (answer: NightAnswer, word?: string) =>
      player.call(nightsContract.answer, id, { answer, ...(word !== undefined && { word }) }),
    vote: (marks: Ballot) => player.call(nightsContract.vote, id, { marks }),
    /** Wants a game, and ends the vote. */
    decide: async (appid: number) => {
      await player.call(nightsContract.vote, id, { marks: [{ appid, mark: 'want' }] })
      return player.call(nightsContract.close, id, { by: 'votes' })
    },
    voteRefused: (marks: Ballot) => player.refused(nightsContract.vote, id, { marks }),
    close: (by: 'votes' | 'draw' = 'votes') => player.call(nightsContract.close, id, { by }),
    reopen: () => player.call(nightsContract.reopen, id),
    draw: () => player.call(nightsContract.draw, id),
    redraw: (reason: string, replaces?: number) =>
      player.call(nightsContract.redraw, id, { reason, ...(replaces !== undefined && { replaces }) }),
    remove: (other: TestPlayer) =>
      player.call(nightsContract.removePlayer, { ...id, steamId: other.steam_id }),
    cancel: () => player.call(nightsContract.cancel, id),
  }
}
