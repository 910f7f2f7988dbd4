/** Games two people both own (SPEC.md section 7). */
import type { comparisonContract } from '#shared/contract/comparison.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../http/handlers.ts'
import { compareLibraries } from '../library/algebra.ts'
import { readVisibleLibraries } from './visible-libraries.ts'

/** Handler of the comparison: a library that is unknown, private or hidden has nothing in common with anybody. */
export function comparisonHandlers({ database, catalogue }: Deps) {
  return {
    compare: async ({ params, user }) => {
      const { libraries } = await readVisibleLibraries(database.queries, user, [
        params.mySteamId,
        params.friendSteamId,
      ])
      const mine = libraries.get(params.mySteamId)
      const theirs = libraries.get(params.friendSteamId)
      if (!mine || !theirs) return []
      const common = compareLibraries(mine, theirs)
      await catalogue.ensure(common.map((entry) => entry.appid))
      return common.map(({ appid, mine, theirs }) => ({
        ...catalogue.playableFace(appid),
        user_playtime: mine,
        friend_playtime: theirs,
      }))
    },
  } satisfies Handlers<typeof comparisonContract>
}
