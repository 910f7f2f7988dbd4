/**
 * Sync status (syncs left, reading progress) and Recent Activity.
 * Requirements: REF-9.
 */
import type { Activity, syncContract } from '#shared/contract/sync.ts'
import type { SteamId } from '#shared/entities.ts'
import { DASHBOARD, SYNCS_PER_DAY } from '#shared/limits.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { recentlySyncedGroups } from '../storage/groups.ts'
import { recentLibraryChanges } from '../storage/libraries.ts'
import { countWaitingForGames, findRefresh } from '../storage/refreshes.ts'
import { syncsLeft } from '../storage/syncs.ts'
import { isoTime } from '../time.ts'
import { visibility } from './access.ts'

const ACTIVITY_MS = 7 * 24 * 60 * 60_000

/** Handlers of sync status and Recent Activity. */
export function syncHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'clock'>) {
  const { database, readCache, catalogue, clock } = deps
  const { queries } = database

  return {
    status: async ({ user }) => {
      const [[me], listed, { left, nextFreeAt }, own] = await Promise.all([
        readCache.players([user]),
        readCache.friends(user),
        syncsLeft(queries, user, clock()),
        findRefresh(queries, user),
      ])
      const friends = listed.filter((friend) => !friend.isFormerFriend)
      const waiting = await countWaitingForGames(
        queries,
        friends.map((friend) => friend.steam_id),
      )
      return {
        limit: SYNCS_PER_DAY,
        left,
        next_free_at: isoTime(nextFreeAt),
        libraries: {
          total: friends.length,
          read: friends.filter((friend) => friend.library_version !== null).length,
          waiting,
        },
        games: {
          status: me?.library_status ?? 'never',
          synced_at: isoTime(me?.library_synced_at),
          reading: own?.games_due === 1,
        },
        friends: {
          status: me?.friends_status ?? 'never',
          synced_at: isoTime(me?.friends_at),
          reading: own?.friends_due === 1,
        },
      }
    },

    // Friends whose library `user` may not see are left out, and so are games that friends hide.
    activity: async ({ params, user }) => {
      const since = clock() - ACTIVITY_MS
      const [groups, friends] = await Promise.all([
        recentlySyncedGroups(queries, params.steamId, since, DASHBOARD.activityGroups),
        readCache.friends(params.steamId),
      ])
      const mayShow = await visibility(readCache, user, friends, { areConnected: true })
      const names = new Map<SteamId, string | null>()
      for (const friend of friends)
        if (friend.library_status === 'ok' && mayShow(friend)) names.set(friend.steam_id, friend.display_name)
      const played = await recentLibraryChanges(queries, [...names.keys()], {
        since,
        limit: DASHBOARD.activityFriends,
        kind: 'started',
        forOthers: true,
      })
      const detailsOf = await catalogue.detailsOf(played.map((change) => change.appid))

      const entries: Activity[] = [
        ...groups.map(({ group_id, name, synced_at }) => ({
          kind: 'group_synced' as const,
          at: new Date(synced_at ?? since).toISOString(),
          group_id,
          group_name: name,
        })),
        ...played.map(({ steam_id, appid, at }) => ({
          kind: 'friend_played' as const,
          at: new Date(at).toISOString(),
          steam_id,
          display_name: names.get(steam_id) ?? null,
          appid,
          game_name: detailsOf(appid).name,
        })),
      ]
      return entries.sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    },
  } satisfies Handlers<typeof syncContract>
}
