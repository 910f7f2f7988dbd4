/** The stream of changes of a user (LIVE-1), and what the user may be told of (LIVE-3). */
import type { liveContract } from '#shared/contract/live.ts'
import type { SteamId } from '#shared/entities.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import type { Sees } from '../live/circles.ts'
import { visibility } from './access.ts'

/** Handlers of live changes. */
export function liveHandlers(deps: Deps) {
  return {
    events: ({ user, caller: { tokenHash }, stream }) =>
      deps.live.watch({ user, tokenHash, stream: stream!, sees: seenBy(deps, user) }),
  } satisfies Handlers<typeof liveContract>
}

function seenBy(deps: Deps, viewer: SteamId): Sees {
  const { readCache } = deps
  return {
    async friends() {
      const friends = await readCache.friends(viewer)
      const mayShow = await visibility(readCache, viewer, friends, { areConnected: true })
      return friends.map((friend) => ({
        steam_id: friend.steam_id,
        isConnected: !friend.isFormerFriend,
        isLibraryShown: !friend.isFormerFriend && mayShow(friend),
      }))
    },
    async libraries(owners) {
      if (owners.length === 0) return new Set()
      const players = await readCache.players(owners)
      const mayShow = await visibility(readCache, viewer, players)
      return new Set(owners.filter((_, nth) => mayShow(players[nth])))
    },
    async counting(owners) {
      const players = owners.length === 0 ? [] : await readCache.players(owners)
      return new Set(owners.filter((_, nth) => players[nth]?.library_visibility === 'connected'))
    },
  }
}
