/** What the pages show of syncs: how many are left, how far reading has come, and Recent Activity. */
import type { SteamId } from '#shared/entities.ts'
import type { Activity, SyncStatus } from '#shared/contract/sync.ts'
import { DASHBOARD, SYNCS_PER_DAY } from '#shared/limits.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { groupmatesAmong, listFriends } from '../storage/friends.ts'
import { recentlySyncedGroups } from '../storage/groups.ts'
import { readLibraryVersions, recentLibraryChanges } from '../storage/libraries.ts'
import { findPerson } from '../storage/people.ts'
import { findRefresh, readingProgress } from '../storage/refreshes.ts'
import type { Queries } from '../storage/schema.ts'
import { syncsLeft } from '../storage/syncs.ts'

const ACTIVITY_MS = 7 * 24 * 60 * 60_000

/** Somebody's sync status (shared/contract/sync.ts). */
export async function readSyncStatus(db: Queries, steamId: SteamId, now: number): Promise<SyncStatus> {
  const [{ left, nextFreeAt }, libraries, person, versions, waiting] = await Promise.all([
    syncsLeft(db, steamId, now),
    readingProgress(db, steamId),
    findPerson(db, steamId),
    readLibraryVersions(db, [steamId]),
    findRefresh(db, steamId),
  ])
  const own = versions.get(steamId)
  return {
    limit: SYNCS_PER_DAY,
    left,
    next_free_at: iso(nextFreeAt),
    libraries,
    games: {
      status: own?.status ?? 'never',
      synced_at: iso(own?.synced_at),
      reading: waiting?.games_due === 1,
    },
    friends: {
      status: person?.friends_status ?? 'never',
      synced_at: iso(person?.friends_at),
      reading: waiting?.friends_due === 1,
    },
  }
}

/**
 * Recent Activity (SPEC.md section 4): groups synced and a friend who played a new game, of the last week, latest
 * first. Friends who do not show their library to `steamId` are left out.
 */
export async function readActivity(
  db: Queries,
  catalogue: Catalogue,
  steamId: SteamId,
  now: number,
): Promise<Activity[]> {
  const since = now - ACTIVITY_MS
  const [groups, friends] = await Promise.all([
    recentlySyncedGroups(db, steamId, since, DASHBOARD.activityGroups),
    listFriends(db, steamId),
  ])
  const shown = friends.filter((friend) => friend.library_status === 'ok')
  const forGroups = shown.filter((friend) => friend.library_visibility === 'groups')
  const groupmates = await groupmatesAmong(
    db,
    steamId,
    forGroups.map((friend) => friend.steam_id),
  )
  const visible = shown.filter(
    (friend) => friend.library_visibility === 'connected' || groupmates.has(friend.steam_id),
  )
  const names = new Map(visible.map((friend) => [friend.steam_id, friend.display_name]))
  const played = await recentLibraryChanges(db, [...names.keys()], {
    since,
    limit: DASHBOARD.activityFriends,
    kind: 'started',
  })
  await catalogue.ensure(played.map((change) => change.appid))

  const entries: { at: number; entry: Activity }[] = [
    ...groups.map(({ group_id, name, synced_at }) => ({
      at: synced_at ?? 0,
      entry: {
        kind: 'group_synced' as const,
        at: iso(synced_at) ?? '',
        group_id,
        group_name: name,
      },
    })),
    ...played.map(({ steam_id, appid, at }) => ({
      at,
      entry: {
        kind: 'friend_played' as const,
        at: new Date(at).toISOString(),
        steam_id,
        display_name: names.get(steam_id) ?? null,
        appid,
        game_name: catalogue.face(appid).name,
      },
    })),
  ]
  return entries.sort((a, b) => b.at - a.at).map(({ entry }) => entry)
}

function iso(time: number | null | undefined): string | null {
  return time === null || time === undefined ? null : new Date(time).toISOString()
}
