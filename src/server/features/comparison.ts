/** Games two people both own (API-12). */
import type { comparisonContract } from '#shared/contract/comparison.ts'
import { gameListMax } from '#shared/limits.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { compareLibraries } from '../library/algebra.ts'
import { mapInSlices } from '../library/slices.ts'
import { filterableSummary } from '../catalogue/catalogue.ts'
import { visibleLibrariesOf } from './visible-libraries.ts'

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
  } satisfies Handlers<typeof comparisonContract>
}
