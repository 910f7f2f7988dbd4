/** Games that are not on Steam, which members add to their group (API-56). */
import type { addedGamesContract } from '#shared/contract/players.ts'
import { ADDED_GAMES_MAX } from '#shared/limits.ts'
import { compareNames } from '#shared/names.ts'
import type { Deps } from '../../deps.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { AppError } from '../../errors.ts'
import { addGame, listAddedGames, takeGameAway } from '../../storage/groups/added-games.ts'
import { lockPlayers } from '../../storage/players/players.ts'
import { notJoined, requireAccount, requireJoined } from '../access.ts'

export function addedGamesHandlers({
  database,
  readCache,
  clock,
}: Pick<Deps, 'database' | 'readCache' | 'clock'>) {
  return {
    list: async ({ params: { id }, user }) => {
      if (!(await readCache.joinedGroupIds(user)).includes(id)) throw notJoined()
      const games = await listAddedGames(database.queries, id)
      return games.toSorted((a, b) => compareNames(a.name, b.name))
    },

    add: ({ params: { id }, body, user }) =>
      database.transaction(async (tx) => {
        requireAccount(await lockPlayers(tx, [user]), user)
        await requireJoined(tx, id, user)
        if ((await listAddedGames(tx, id)).length >= ADDED_GAMES_MAX)
          throw new AppError('too_many_added_games')
        const appid = await addGame(database, tx, id, { ...body, added_by: user, added_at: clock() })
        return { ...body, appid, added_by: user }
      }),

    remove: ({ params: { id, gameId }, user }) =>
      database.transaction(async (tx) => {
        requireAccount(await lockPlayers(tx, [user]), user)
        const { owner_steam_id } = await requireJoined(tx, id, user)
        const game = (await listAddedGames(tx, id)).find(({ appid }) => appid === gameId)
        if (!game) throw new AppError('game_not_found')
        if (user !== game.added_by && user !== owner_steam_id)
          throw new AppError('forbidden', { reason: 'only_adder_removes' })
        await takeGameAway(tx, id, gameId)
      }),
  } satisfies Handlers<typeof addedGamesContract>
}
