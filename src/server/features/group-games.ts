/** What the members of a group own together (API-27 to API-29, API-44, API-49). */
import { gameListMax, NEAR_MISS_LACKING_MAX, NEAR_MISSES_MAX } from '#shared/limits.ts'
import { isPlayableTogether } from '#shared/playable.ts'
import type { groupsContract } from '#shared/contract/groups.ts'
import type { SteamId } from '#shared/entities.ts'
import type { Deps } from '../deps.ts'
import { type Handlers, RawJson } from '../endpoint-handler.ts'
import { filterableSummary } from '../catalogue/catalogue.ts'
import { nearMissesInSteps, sharedGamesInSteps } from '../library/algebra.ts'
import { commonGamesInSteps } from '../library/overlap.ts'
import { inSlices } from '../library/slices.ts'
import { GameListWriter } from './game-list-writer.ts'
import { readVisibleLibraries } from './visible-libraries.ts'

type GroupGames = Pick<typeof groupsContract, 'sharedGames' | 'nearMisses' | 'overlap'>

/** Handlers of what a group owns together; members whose libraries cannot be looked at are left out (API-28). */
export function groupGamesHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'catalogue'>) {
  const { readCache, catalogue } = deps
  const writer = new GameListWriter({
    game: filterableSummary,
    columns: [{ name: 'total_playtime', type: 'number' }],
    object: 'playtimes',
  })

  return {
    sharedGames: async ({ params, user }) => {
      const owners = await countedMembers(params.id, user)
      const shared = await inSlices(sharedGamesInSteps(owners.map((owner) => owner.library)))
      const listed = shared.slice(0, gameListMax(owners.length))
      const games = await catalogue.games(listed.map((game) => game.appid))
      const list = writer.list(
        games,
        owners.map(({ person }) => person.steam_id),
      )
      const text = await writer.write(list, (row, values) => {
        const { total, minutes } = listed[row]!
        values[0] = total
        values.set(minutes, 1)
      })
      return new RawJson(text, shared.length)
    },

    nearMisses: async ({ params, user }) => {
      const owners = await countedMembers(params.id, user)
      const libraries = owners.map((owner) => owner.library)
      const found = await inSlices(nearMissesInSteps(libraries, NEAR_MISS_LACKING_MAX))
      const games = await catalogue.games(found.map((game) => game.appid))
      return found
        .map((miss, row) => ({ ...miss, details: games[row]!.details }))
        .filter(({ details }) => isPlayableTogether(details))
        .slice(0, NEAR_MISSES_MAX)
        .map(({ details, total, minutes }) => {
          const has = owners.flatMap(({ person }, nth) =>
            minutes[nth] === undefined ? [] : [[person.steam_id, minutes[nth]] as const],
          )
          const lacks = owners.filter((_, nth) => minutes[nth] === undefined)
          return {
            ...filterableSummary(details),
            total_playtime: total,
            playtimes: Object.fromEntries(has),
            lacking: lacks.map(({ person }) => person.steam_id),
            is_free: details.is_free,
          }
        })
    },

    overlap: async ({ params, user }) => {
      const owners = await countedMembers(params.id, user)
      return {
        members: owners.map(({ person, library }) => ({
          steam_id: person.steam_id,
          games: library.length,
        })),
        common: await inSlices(commonGamesInSteps(owners.map((owner) => owner.library))),
      }
    },
  } satisfies Handlers<GroupGames>

  /** In the order of the member list. */
  async function countedMembers(groupId: number, viewer: SteamId) {
    return readVisibleLibraries(deps, viewer, await readCache.memberIds(groupId))
  }
}
