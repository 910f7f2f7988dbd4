/** How many can play a game, as members of a group correct it for the group (API-53, API-54, LIM-50). */
import type { playersContract } from '#shared/contract/players.ts'
import type { GroupGamePlayers } from '#shared/entities.ts'
import { CORRECTIONS_PER_GROUP } from '#shared/limits.ts'
import type { ListedGame } from '../catalogue/catalogue.ts'
import { playersMaxOf, playersOf } from '../catalogue/players.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { AppError } from '../errors.ts'
import {
  type Corrections,
  correctPlayers,
  countOtherCorrections,
  findCorrection,
  takeCorrectionBack,
} from '../storage/game-players.ts'
import { lockPlayers } from '../storage/players.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { isoTime } from '../time.ts'
import { requireAccount, requireJoined } from './access.ts'

/** Handlers of how many can play a game in a group. */
export function playersHandlers({
  database,
  catalogue,
  clock,
}: Pick<Deps, 'database' | 'catalogue' | 'clock'>) {
  return {
    read: async ({ params: { id, gameId } }) => {
      await requireKnown(gameId)
      return shown(database.queries, id, gameId)
    },

    correct: async ({ params: { id, gameId }, body: { players_max: playersMax }, user }) => {
      await requireKnown(gameId)
      return database.transaction(async (tx) => {
        requireAccount(await lockPlayers(tx, [user]), user)
        await requireJoined(tx, id, user)
        if (playersMax === null) await takeCorrectionBack(tx, id, gameId)
        else {
          if ((await countOtherCorrections(tx, id, gameId)) >= CORRECTIONS_PER_GROUP)
            throw new AppError('too_many_corrections', {
              reason: 'corrections_full',
              values: { count: CORRECTIONS_PER_GROUP },
            })
          await correctPlayers(tx, id, gameId, { playersMax, by: user, at: clock() })
        }
        return shown(tx, id, gameId)
      })
    },
  } satisfies Handlers<typeof playersContract>

  /** @throws AppError game_not_found */
  async function requireKnown(appid: number): Promise<void> {
    const [game] = await catalogue.games([appid])
    if (!game!.row) throw new AppError('game_not_found')
  }

  async function shown(db: Queries | Tx, groupId: number, appid: number): Promise<GroupGamePlayers> {
    const correction = await findCorrection(db, groupId, appid)
    return {
      appid,
      players_max: correction?.players_max ?? playersMaxOf(appid),
      players: playersOf(appid),
      correction: correction ? { by: correction.by, at: isoTime(correction.at)! } : null,
    }
  }
}

/** Games as a group has corrected them; the same list where it has corrected none. */
export function asCorrected(games: readonly ListedGame[], corrections: Corrections): readonly ListedGame[] {
  if (corrections.size === 0) return games
  return games.map((game) => {
    const players_max = corrections.get(game.details.appid)
    return players_max === undefined ? game : { details: { ...game.details, players_max } }
  })
}
