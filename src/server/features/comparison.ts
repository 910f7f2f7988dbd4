/** Games two people both own, and how much they have in common (API-12). */
import type { comparisonContract } from '#shared/contract/comparison.ts'
import { gameListMax } from '#shared/limits.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import type { CachedPlayer } from '../cache/read-cache.ts'
import { compareLibraries } from '../library/algebra.ts'
import { overlapOf } from '../library/overlap.ts'
import { mapInSlices } from '../library/slices.ts'
import { filterableSummary } from '../catalogue/catalogue.ts'
import { statusShown, visibleLibrariesOf } from './visible-libraries.ts'

/** Handlers of the comparison; it is empty when either library is unknown, private or hidden. */
export function comparisonHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'catalogue'>) {
  const { catalogue } = deps
  return {
    compare: async ({ user, found: { me, friend, mayShow } }) => {
      const [mine, theirs] = visibleLibrariesOf(user, [me, friend], mayShow)
      if (!mine || !theirs) return []
      const common = (await compareLibraries(mine.library, theirs.library)).slice(0, gameListMax(2))
      const games = await catalogue.games(common.map((entry) => entry.appid))
      return mapInSlices(common, (entry, row) => ({
        ...filterableSummary(games[row]!.details),
        user_playtime: entry.mine,
        friend_playtime: entry.theirs,
      }))
    },

    overlap: async ({ user, found: { me, friend, mayShow } }) => {
      const statusOf = (player: CachedPlayer | undefined) =>
        statusShown({ library_status: player?.library_status ?? null }, mayShow(player))
      const statuses = { my_status: statusOf(me), their_status: statusOf(friend) }
      const [mine, theirs] = visibleLibrariesOf(user, [me, friend], mayShow)
      if (!mine || !theirs) return { ...statuses, overlap: null }
      const { common, playedByNeither, alike } = overlapOf(mine.library, theirs.library)
      return {
        ...statuses,
        overlap: {
          mine: mine.library.length - common,
          both: common,
          theirs: theirs.library.length - common,
          played_by_neither: playedByNeither,
          alike,
        },
      }
    },
  } satisfies Handlers<typeof comparisonContract>
}
