/** Games two people both own (SPEC.md section 7). */
import type { comparisonContract } from '#shared/contract/comparison.ts'
import type { Deps } from '../deps.ts'
import { type Handlers, JsonText, kept } from '../http/handlers.ts'
import { compareLibraries } from '../library/algebra.ts'
import { gamesText } from './game-text.ts'
import { readVisibleLibraries } from './visible-libraries.ts'

/** Handler of the comparison: a library that is unknown, private or hidden has nothing in common with anybody. */
export function comparisonHandlers(deps: Pick<Deps, 'database' | 'recall' | 'catalogue'>) {
  const { catalogue } = deps
  return {
    compare: kept(async ({ params, user }) => {
      const [mine, theirs] = await readVisibleLibraries(deps, user, [params.mySteamId, params.friendSteamId])
      if (!mine || !theirs) return []
      const common = compareLibraries(mine.library, theirs.library)
      await catalogue.ensure(common.map((entry) => entry.appid))
      const entries = common.map(({ appid, mine, theirs }) => ({
        face: catalogue.face(appid),
        fields: `"user_playtime":${mine},"friend_playtime":${theirs}`,
      }))
      return new JsonText(gamesText('playable', entries))
    }),
  } satisfies Handlers<typeof comparisonContract>
}
