/**
 * Sync status (syncs left, reading progress) and Recent Activity.
 * Requirements: REF-9.
 */
import type { Activity, syncContract } from '#shared/contract/sync.ts'
import type { SteamId } from '#shared/entities.ts'
import { DASHBOARD, SYNCS_PER_DAY } from '#shared/limits.ts'
import { mayBeGame } from '#shared/playable.ts'
import type { Deps } from '../../deps.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { lastSyncedGroups } from '../../storage/groups/groups.ts'
import { countWaitingForGames, findRefresh } from '../../storage/players/refreshes.ts'
import { syncsLeft } from '../../storage/players/syncs.ts'
import { isoTime } from '../../time.ts'
import { readLibrariesOfFriends, type ReadableLibrary, visibleChanges } from './visible-libraries.ts'

const ACTIVITY_MS = 7 * 24 * 60 * 60_000
/** New games of friends looked at, of which some are no games. */
const NEW_GAMES = 10

/** Handlers of sync status and Recent Activity. */
export function syncHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'clock'>) {
  const { database, readCache, catalogue, clock } = deps
  const { queries } = database

  /** Games that friends began lately, as a first sync tells it: all of their minutes are of the last two weeks. */
  async function newGames(readable: readonly ReadableLibrary[], since: number) {
    const begun: { steam_id: SteamId; appid: number; at: number }[] = []
    for (const { player, library } of readable) {
      const { length, appids, minutes, recentMinutes, lastPlayed } = library
      for (let index = 0; index < length; index++) {
        if (recentMinutes[index] === 0 || recentMinutes[index]! < minutes[index]!) continue
        const at = lastPlayed[index]! * 1000
        if (at >= since) begun.push({ steam_id: player.steam_id, appid: appids[index]!, at })
      }
    }
    const latest = begun.sort((a, b) => b.at - a.at).slice(0, NEW_GAMES)
    const detailsOf = await catalogue.detailsOf(latest.map(({ appid }) => appid))
    return latest.filter(({ appid }) => mayBeGame(detailsOf(appid))).slice(0, DASHBOARD.activityFriends)
  }

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
    activity: async ({ user }) => {
      const since = clock() - ACTIVITY_MS
      const [groups, { readable }, [me]] = await Promise.all([
        lastSyncedGroups(queries, user),
        readLibrariesOfFriends(deps, user),
        readCache.players([user]),
      ])
      const byId = new Map(readable.map(({ player }) => [player.steam_id, player]))
      if (me) byId.set(user, me)

      // A group has synced when its button was pressed, or two of its libraries were read.
      const synced = await Promise.all(
        groups.map(async ({ group_id, name, synced_at }) => {
          const members = await readCache.memberIds(group_id)
          const read = members.map((id) => byId.get(id)?.library_synced_at ?? 0).sort((a, b) => b - a)
          return { group_id, name, at: Math.max(synced_at ?? 0, read[1] ?? 0) }
        }),
      )
      const changes = await visibleChanges(deps, readable, 'started', since)
      const played =
        changes.length > 0 ? changes.slice(0, DASHBOARD.activityFriends) : await newGames(readable, since)
      const detailsOf = await catalogue.detailsOf(played.map(({ appid }) => appid))

      const entries: Activity[] = [
        ...synced
          .filter(({ at }) => at >= since)
          // Stable, so that of those read together the one synced last comes first.
          .sort((a, b) => b.at - a.at)
          .slice(0, DASHBOARD.activityGroups)
          .map(({ group_id, name, at }) => ({
            kind: 'group_synced' as const,
            at: new Date(at).toISOString(),
            group_id,
            group_name: name,
          })),
        ...played.map(({ steam_id, appid, at }) => ({
          kind: 'friend_played' as const,
          at: new Date(at).toISOString(),
          steam_id,
          display_name: byId.get(steam_id)?.display_name ?? null,
          appid,
          game_name: detailsOf(appid).name,
        })),
      ]
      return entries.sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    },
  } satisfies Handlers<typeof syncContract>
}
