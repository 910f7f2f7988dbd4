/**
 * Libraries waiting to be read: one row per steam id, claimed by lease, so that any number of servers work on one
 * list and a killed one's work is taken up by another (DESIGN.md 'Sync engine').
 */
import type { SteamId } from '#shared/entities.ts'
import type { Selectable } from 'kysely'
import { inChunks } from './chunks.ts'
import type { Database } from './database.ts'
import type { Queries, RefreshesTable, Tx } from './schema.ts'

export type RefreshRow = Selectable<RefreshesTable>

/** Higher is read first: what somebody's click could not reach before what a friend list brought along. */
export const refreshPriority = { friends: 1, click: 2 } as const

/**
 * Puts libraries on the list. Asking twice costs nothing: a row that waits keeps its turn and its lease, and rises
 * to the higher priority. All ids must have rows in `people`.
 */
export async function enqueueRefreshes(
  db: Queries | Tx,
  steamIds: readonly SteamId[],
  { by, priority, at }: { by: SteamId; priority: number; at: number },
): Promise<void> {
  // One order for everybody: overlapping lists of two servers would deadlock.
  await inChunks([...new Set(steamIds)].sort(), (ids) =>
    db
      .insertInto('refreshes')
      .values(
        ids.map((steam_id) => ({
          steam_id,
          requested_by: by,
          requested_at: at,
          priority,
          attempts: 0,
          next_attempt_at: at,
          lease_owner: null,
          lease_until: 0,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .column('steam_id')
          .doUpdateSet((eb) => ({ priority: eb.ref('excluded.priority') }))
          .whereRef('refreshes.priority', '<', 'excluded.priority'),
      )
      .execute(),
  )
}

/**
 * Takes up to `limit` rows whose turn has come, each until `now + leaseMs`: until then nobody else gets them. Each
 * claim counts as an attempt, so that a library that kills its reader is given up like any other.
 */
export function claimRefreshes(
  database: Database,
  { owner, now, leaseMs, limit }: { owner: string; now: number; leaseMs: number; limit: number },
): Promise<RefreshRow[]> {
  return database.transaction(async (tx) => {
    const due = tx
      .selectFrom('refreshes')
      .select('steam_id')
      .where('next_attempt_at', '<=', now)
      .where('lease_until', '<=', now)
      .orderBy('priority', 'desc')
      .orderBy('next_attempt_at')
      .orderBy('steam_id')
      .limit(limit)
    // On SQLite the transaction is alone already.
    const rows = await (database.engine === 'postgres' ? due.forUpdate().skipLocked() : due).execute()
    return inChunks(
      rows.map((row) => row.steam_id),
      (ids) =>
        tx
          .updateTable('refreshes')
          .set((eb) => ({
            lease_owner: owner,
            lease_until: now + leaseMs,
            attempts: eb('attempts', '+', 1),
          }))
          .where('steam_id', 'in', ids)
          .returningAll()
          .execute(),
    )
  })
}

/** Takes a row off the list: read, or given up. False when its lease went to somebody else, or its person left. */
export async function completeRefresh(db: Queries | Tx, steamId: SteamId, owner: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('refreshes')
    .where('steam_id', '=', steamId)
    .where('lease_owner', '=', owner)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Takes a row off the list whoever holds it: the library was read some other way. */
export async function dropRefresh(db: Queries | Tx, steamId: SteamId): Promise<void> {
  await db.deleteFrom('refreshes').where('steam_id', '=', steamId).execute()
}

/** Gives a row back for a later try; one that was not tried at all gets its attempt back. */
export async function postponeRefresh(
  db: Queries | Tx,
  steamId: SteamId,
  owner: string,
  { until, tried }: { until: number; tried: boolean },
): Promise<void> {
  await db
    .updateTable('refreshes')
    .set((eb) => ({
      lease_owner: null,
      lease_until: 0,
      next_attempt_at: until,
      attempts: tried ? eb.ref('attempts') : eb('attempts', '-', 1),
    }))
    .where('steam_id', '=', steamId)
    .where('lease_owner', '=', owner)
    .execute()
}

/** Friends of somebody: all, those whose library was read (privates included), and those waiting to be. */
export async function readingProgress(
  db: Queries | Tx,
  steamId: SteamId,
): Promise<{ total: number; read: number; waiting: number }> {
  const { total, read, waiting } = await db
    .selectFrom('friendships')
    .leftJoin('libraries', 'libraries.steam_id', 'friendships.friend_steam_id')
    .leftJoin('refreshes', 'refreshes.steam_id', 'friendships.friend_steam_id')
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.count<number>('libraries.steam_id').as('read'),
      eb.fn.count<number>('refreshes.steam_id').as('waiting'),
    ])
    .where('friendships.steam_id', '=', steamId)
    .executeTakeFirstOrThrow()
  return { total, read, waiting }
}
