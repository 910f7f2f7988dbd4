/** The stream of changes of a user (LIVE-1), and what the user may be told of (LIVE-3). */
import type { liveContract } from '#shared/contract/live.ts'
import type { SteamId } from '#shared/entities.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import type { Sees } from '../live/circles.ts'
import { formerFriends } from '../storage/players/friends.ts'
import { readLibraryOwners } from '../storage/players/players.ts'
import { countsOutside, visibility } from './access.ts'

export function liveHandlers(deps: Deps) {
  return {
    events: ({ user, caller: { tokenHash }, stream }) =>
      deps.live.watch({ user, sees: seenBy(deps, user) }, { tokenHash, stream: stream! }),
  } satisfies Handlers<typeof liveContract>
}

/** Reads players without their libraries: hundreds of users may open their pages at once. */
function seenBy({ readCache, database: { queries } }: Deps, viewer: SteamId): Sees {
  return {
    async friends(among) {
      if (among?.length === 0) return []
      const [list] = await readCache.friendLists([viewer])
      const ids = among?.filter((id) => list!.has(id)) ?? list!.ids()
      // Deleted accounts have no row.
      const friends = await readLibraryOwners(queries, ids)
      const byId = new Map(friends.map((friend) => [friend.steam_id, friend]))
      const me = { steam_id: viewer, friends_at: list!.friends_at }
      const former = await formerFriends(readCache, me, friends)
      const mayShow = await visibility(readCache, viewer, friends, { areConnected: true })
      return ids.map((steam_id) => {
        const isConnected = !former.has(steam_id)
        return { steam_id, isConnected, isLibraryShown: isConnected && mayShow(byId.get(steam_id)) }
      })
    },
    async libraries(owners) {
      const players = await readLibraryOwners(queries, owners)
      const mayShow = await visibility(readCache, viewer, players)
      return new Map(
        players.map((player) => [
          player.steam_id,
          { isShown: mayShow(player), counts: countsOutside(player) },
        ]),
      )
    },
  }
}
