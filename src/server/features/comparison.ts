/** Games two people both own (API-12). */
import type { comparisonContract } from '#shared/contract/comparison.ts'
import { gameListMax } from '#shared/limits.ts'
import type { Deps } from '../deps.ts'
import { type Handlers, RawJson } from '../endpoint-handler.ts'
import { compareLibraries } from '../library/algebra.ts'
import { GameListWriter } from './game-list-writer.ts'
import { filterableSummary } from '../catalogue/catalogue.ts'
import { readVisibleLibraries } from './visible-libraries.ts'

/** Handler of the comparison; it is empty when either library is unknown, private or hidden. */
export function comparisonHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'catalogue'>) {
  const { catalogue } = deps
  const writer = new GameListWriter({
    game: filterableSummary,
    columns: [
      { name: 'user_playtime', type: 'number' },
      { name: 'friend_playtime', type: 'number' },
    ],
  })
  return {
    compare: async ({ params, user }) => {
      const [mine, theirs] = await readVisibleLibraries(deps, user, [params.mySteamId, params.friendSteamId])
      if (!mine || !theirs) return []
      const all = compareLibraries(mine.library, theirs.library)
      const common = all.slice(0, gameListMax(2))
      const games = await catalogue.games(common.map((entry) => entry.appid))
      const text = await writer.write(writer.list(games), (row, values) => {
        values[0] = common[row]!.mine
        values[1] = common[row]!.theirs
      })
      return new RawJson(text, all.length)
    },
  } satisfies Handlers<typeof comparisonContract>
}
