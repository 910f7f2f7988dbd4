/** What the members of a group own together, and syncing it (API-27 to API-30, API-44). */
import { gameListMax, NEAR_MISS_LACKING_MAX, NEAR_MISSES_MAX } from '#shared/limits.ts'
import { isPlayableTogether, mayBeGame } from '#shared/playable.ts'
import type { groupsContract } from '#shared/contract/groups.ts'
import type { SteamId } from '#shared/entities.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { filterableSummary, type ListedGame } from '../catalogue/catalogue.ts'
import { nearMisses, sharedGames } from '../library/algebra.ts'
import { mapInSlices } from '../library/slices.ts'
import { notJoinedAmong } from '../storage/friends.ts'
import { visibility } from './access.ts'
import { asCorrected } from './players.ts'
import { readVisibleLibraries } from './visible-libraries.ts'

type GroupGames = Pick<typeof groupsContract, 'sharedGames' | 'nearMisses' | 'syncGames'>

/** Handlers of what a group owns together; members whose libraries cannot be looked at are left out (API-27). */
export function groupGamesHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'sync'>) {
  const { database, readCache, catalogue, sync } = deps

  return {
    sharedGames: async ({ params, user, found: members }) => {
      const owners = await readVisibleLibraries(deps, user, members)
      const shared = await sharedGames(owners.map((owner) => owner.library))
      const listed = shared.slice(0, gameListMax(owners.length))
      const games = await gamesOf(params.id, listed)
      return mapInSlices(listed, ({ total, minutes }, row) => {
        const playtimes: Record<SteamId, number> = {}
        for (const [nth, { player }] of owners.entries()) playtimes[player.steam_id] = minutes[nth]!
        return { ...filterableSummary(games[row]!.details), total_playtime: total, playtimes }
      })
    },

    nearMisses: async ({ params, user, found: members }) => {
      const owners = await readVisibleLibraries(deps, user, members)
      const libraries = owners.map((owner) => owner.library)
      const found = await nearMisses(libraries, NEAR_MISS_LACKING_MAX)
      const games = await gamesOf(params.id, found)
      const misses = await mapInSlices(found, (miss, row) => ({ ...miss, details: games[row]!.details }))
      return misses
        .filter(({ details }) => mayBeGame(details) && isPlayableTogether(details))
        .slice(0, NEAR_MISSES_MAX)
        .map(({ details, total, minutes }) => {
          const has = owners.flatMap(({ player }, nth) =>
            minutes[nth] === undefined ? [] : [[player.steam_id, minutes[nth]] as const],
          )
          const lacks = owners.filter((_, nth) => minutes[nth] === undefined)
          return {
            ...filterableSummary(details),
            total_playtime: total,
            playtimes: Object.fromEntries(has),
            lacking: lacks.map(({ player }) => player.steam_id),
            is_free: details.is_free,
          }
        })
    },

    syncGames: async ({ body: { group_id: groupId }, user, found: ids }) => {
      const players = await readCache.players(ids)
      const mayShow = await visibility(readCache, user, players)
      const notShown = ids.filter((id, nth) => id !== user && !mayShow(players[nth]))
      const notJoined = await notJoinedAmong(database.queries, user, notShown, groupId)
      const hidden = new Map(notShown.map((id) => [id, notJoined.has(id) ? 'not_joined' : 'hidden'] as const))
      // Some of its members are not the group.
      const isWhole = groupId !== undefined && ids.length === (await readCache.memberIds(groupId)).length
      return sync.syncGroupGames(user, ids, { hidden, groupId: isWhole ? groupId : undefined })
    },
  } satisfies Handlers<GroupGames>

  /** As the group has corrected them (API-54). */
  async function gamesOf(
    groupId: number,
    list: readonly { appid: number }[],
  ): Promise<readonly ListedGame[]> {
    const games = await catalogue.games(list.map((game) => game.appid))
    return asCorrected(games, await readCache.corrections(groupId))
  }
}
