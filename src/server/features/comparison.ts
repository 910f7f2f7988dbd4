/** Games two people both own (SPEC.md section 7). */
import type { comparisonContract } from '#shared/contract/comparison.ts'
import type { Deps } from '../deps.ts'
import { type Handlers, JsonText, kept } from '../http/handlers.ts'
import { compareLibraries } from '../library/algebra.ts'
import { gameList, gamesText, numberField, writeFirst, writeNumber } from './game-text.ts'
import { readVisibleLibraries } from './visible-libraries.ts'

/** Handler of the comparison: a library that is unknown, private or hidden has nothing in common with anybody. */
export function comparisonHandlers(deps: Pick<Deps, 'database' | 'recall' | 'catalogue'>) {
  const { catalogue } = deps
  return {
    compare: kept(async ({ params, user }) => {
      const [mine, theirs] = await readVisibleLibraries(deps, user, [params.mySteamId, params.friendSteamId])
      if (!mine || !theirs) return []
      const common = compareLibraries(mine.library, theirs.library)
      const games = await catalogue.games(common.map((entry) => entry.appid))
      const text = gamesText(gameList('common', games), (index) => {
        writeFirst(common[index]!.mine)
        writeNumber(THEIR_MINUTES, common[index]!.theirs)
      })
      return new JsonText(text)
    }),
  } satisfies Handlers<typeof comparisonContract>
}

const THEIR_MINUTES = numberField('friend_playtime')
