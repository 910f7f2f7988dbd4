/** Syncs; the daily limit is counted from these rows (LIM-2, SYNC-20). */
import type { SteamId } from '#shared/entities.ts'
import { FAILED_SYNCS_MAX, FAILED_SYNCS_WINDOW_MS, SYNC_WINDOW_MS, SYNCS_PER_DAY } from '#shared/limits.ts'
import type { Selectable } from 'kysely'
import { changed } from '../../database/cache-tags.ts'
import { column } from '../../database/chunks.ts'
import type { Database } from '../../database/database.ts'
import { ensurePlayers } from './players.ts'
import type { Queries, Schema, Tx } from '../../database/schema.ts'

export type SyncRow = Selectable<Schema['syncs']>
export type SyncKind = Schema['syncs']['kind']

/** No sync takes this long; a row still 'running' after this time was left behind by a killed server. */
export const ABANDONED_AFTER_MS = 2 * 60_000

/** A sync, and the user who started it. */
type SyncKey = { syncId: number; by: SteamId }

/**
 * Records that a sync is running, which takes one of the ten. It is inserted under the target's lock, so when a target has
 * two syncs, the later one sees the earlier one ({@link findRunningBefore}). A group sync has the target ''.
 */
export async function startSync(
  database: Database,
  tx: Tx,
  { steamId, kind, target, now }: { steamId: SteamId; kind: SyncKind; target: string; now: number },
): Promise<number> {
  await ensurePlayers(tx, [steamId])
  if (target !== '') await database.lock(tx, `sync:${kind}:${target}`)
  changed(tx, 'sync', [steamId])
  const { sync_id } = await tx
    .insertInto('syncs')
    .values({ steam_id: steamId, kind, target, started_at: now, result: 'running', counted: 1 })
    .returning('sync_id')
    .executeTakeFirstOrThrow()
  return sync_id
}

/**
 * Records how a sync ended; with `counted` false it does not count towards the limit. False when the row is gone,
 * because the user has deleted their account, and when it counts as abandoned, because its server was suspended:
 * another sync may have been made instead (OPS-35).
 */
export async function finishSync(
  tx: Tx,
  { syncId, by }: SyncKey,
  end: {
    result: Exclude<SyncRow['result'], 'running'>
    itemCount: number | null
    counted: boolean
    at: number
  },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('syncs')
    .set({
      result: end.result,
      item_count: end.itemCount,
      counted: end.counted ? 1 : 0,
      finished_at: end.at,
    })
    .where('steam_id', '=', by)
    .where('sync_id', '=', syncId)
    .where('result', '=', 'running')
    .where('started_at', '>', end.at - ABANDONED_AFTER_MS)
    .executeTakeFirst()
  // Of a deleted account nothing is named.
  changed(tx, 'sync', numUpdatedRows > 0n ? [by] : [])
  return numUpdatedRows === 1n
}

/** How many of the ten syncs are left, and when the next one becomes free; null while some are left. */
export async function syncsLeft(
  db: Queries | Tx,
  steamId: SteamId,
  now: number,
): Promise<{ left: number; nextFreeAt: number | null }> {
  const counted = await db
    .selectFrom('syncs')
    .select('started_at')
    .where('steam_id', '=', steamId)
    .where('started_at', '>', now - SYNC_WINDOW_MS)
    .where('counted', '=', 1)
    // Syncs that a killed server left behind count as failed.
    .where((eb) => eb.or([eb('result', '!=', 'running'), eb('started_at', '>', now - ABANDONED_AFTER_MS)]))
    .orderBy('started_at', 'desc')
    .execute()
  const left = Math.max(0, SYNCS_PER_DAY - counted.length)
  const oldest = counted[SYNCS_PER_DAY - 1]
  return { left, nextFreeAt: left === 0 && oldest ? oldest.started_at + SYNC_WINDOW_MS : null }
}

/**
 * When a user who has reached the limit of failed syncs may sync again (LIM-28); undefined below the limit. Running
 * syncs count too, because all of them may fail.
 */
export async function failureLimitEndsAt(tx: Tx, steamId: SteamId, now: number): Promise<number | undefined> {
  const failed = await tx
    .selectFrom('syncs')
    .select('started_at')
    .where('steam_id', '=', steamId)
    .where('started_at', '>', now - FAILED_SYNCS_WINDOW_MS)
    .where('result', 'in', ['failed', 'running'])
    .orderBy('started_at', 'desc')
    .limit(FAILED_SYNCS_MAX)
    .execute()
  const oldest = failed[FAILED_SYNCS_MAX - 1]
  return oldest && oldest.started_at + FAILED_SYNCS_WINDOW_MS
}

/**
 * The earliest sync of the same target, on any server, that is still running and started after `since` and
 * before this one.
 */
export function findRunningBefore(
  db: Queries | Tx,
  { syncId, kind, target, since }: { syncId: number; kind: SyncKind; target: string; since: number },
): Promise<SyncRow | undefined> {
  return db
    .selectFrom('syncs')
    .selectAll()
    .where('started_at', '>', since)
    .where('sync_id', '<', syncId)
    .where('kind', '=', kind)
    .where('target', '=', target)
    .where('result', '=', 'running')
    .orderBy('sync_id')
    .limit(1)
    .executeTakeFirst()
}

/** One sync; undefined when it is no longer stored. */
export function findSync(db: Queries | Tx, { syncId, by }: SyncKey): Promise<SyncRow | undefined> {
  return db
    .selectFrom('syncs')
    .selectAll()
    .where('steam_id', '=', by)
    .where('sync_id', '=', syncId)
    .executeTakeFirst()
}

/** Marks syncs that killed servers left running as failed and not counted. */
export async function failAbandonedSyncs(tx: Tx, now: number): Promise<void> {
  const ended = await tx
    .updateTable('syncs')
    .set({ result: 'failed', counted: 0, finished_at: now })
    .where('result', '=', 'running')
    .where('started_at', '<=', now - ABANDONED_AFTER_MS)
    .returning('steam_id')
    .execute()
  changed(tx, 'sync', column(ended, 'steam_id'))
}
