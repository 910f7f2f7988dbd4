/** Sync status for the pages: syncs left, and progress of background reads. */
import type { SteamId } from '#shared/entities.ts'
import type { SyncStatus } from '#shared/contract/sync.ts'
import { SYNCS_PER_DAY } from '#shared/limits.ts'
import { readLibraryVersions } from '../storage/libraries.ts'
import { findPerson } from '../storage/people.ts'
import { findRefresh, readingProgress } from '../storage/refreshes.ts'
import type { Queries } from '../database/schema.ts'
import { syncsLeft } from '../storage/syncs.ts'
import { isoTime } from '../time.ts'

/** A person's sync status (shared/contract/sync.ts). */
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
    next_free_at: isoTime(nextFreeAt),
    libraries,
    games: {
      status: own?.status ?? 'never',
      synced_at: isoTime(own?.synced_at),
      reading: waiting?.games_due === 1,
    },
    friends: {
      status: person?.friends_status ?? 'never',
      synced_at: isoTime(person?.friends_at),
      reading: waiting?.friends_due === 1,
    },
  }
}
