/**
 * Libraries, and with a first sign-in friend lists, waiting to be read: one row per steam id, claimed by lease, so that any number of servers work on one
 * list and a killed one's work is taken up by another (REF-2).
 */
import type { SteamId } from '#shared/entities.ts'
import type { Selectable } from 'kysely'
import { inChunks } from '../database/chunks.ts'
import type { Database } from '../database/database.ts'
import type { Queries, RefreshesTable, Tx } from '../database/schema.ts'

export type RefreshRow = Selectable<RefreshesTable>

/**
 * Higher is read first: what a first sign-in waits for, then what somebody's click could not reach, then what a friend
 * list brought along.
 */
export const refreshPriority = { friends: 1, click: 2, firstRead: 3 } as const

/**
 * Puts libraries on the list. Asking twice costs nothing: a row that waits keeps its turn and its lease, and rises
 * to the higher priority. All ids must have rows in `people`; those of deleted accounts are left out. Deletions must
 * be held off (`accounts.ts`).
 */
export async function enqueueRefreshes(
  db: Queries | Tx,
  steamIds: readonly SteamId[],
  { by, priority, at }: { by: SteamId; priority: number; at: number },
): Promise<void> {
  // One order for everybody: overlapping lists of two servers would deadlock.
  await inChunks([...new Set(steamIds)].sort(), async (chunk) => {
    const living = await db
      .selectFrom('people')
      .select('steam_id')
      .where('steam_id', 'in', chunk)
      .where('deleted_at', 'is', null)
      .orderBy('steam_id')
      .execute()
    if (living.length === 0) return []
    return db
      .insertInto('refreshes')
      .values(living.map(({ steam_id }) => newRefresh(steam_id, { by, priority, at })))
      .onConflict((conflict) =>
        conflict
          .column('steam_id')
          .doUpdateSet((eb) => ({
            priority: eb
              .case()
              .whenRef('refreshes.priority', '<', 'excluded.priority')
              .then(eb.ref('excluded.priority'))
              .else(eb.ref('refreshes.priority'))
              .end(),
            games_due: 1,
          }))
          .where((eb) =>
            eb.or([
              eb('refreshes.priority', '<', eb.ref('excluded.priority')),
              eb('refreshes.games_due', '=', 0),
            ]),
          ),
      )
      .execute()
  })
}

/** Puts somebody's own games and friend list first on the list (SYNC-18). */
export async function enqueueFirstRead(tx: Tx, steamId: SteamId, at: number): Promise<void> {
  const first = {
    ...newRefresh(steamId, { by: steamId, priority: refreshPriority.firstRead, at }),
    friends_due: 1 as const,
  }
  // A lease stays as it is: what its owner reads now is not read twice.
  const { steam_id: _id, lease_owner: _owner, lease_until: _until, ...renewed } = first
  await tx
    .insertInto('refreshes')
    .values(first)
    .onConflict((conflict) => conflict.column('steam_id').doUpdateSet(renewed))
    .execute()
}

function newRefresh(
  steamId: SteamId,
  { by, priority, at }: { by: SteamId; priority: number; at: number },
): RefreshRow {
  return {
    steam_id: steamId,
    requested_by: by,
    requested_at: at,
    games_due: 1,
    friends_due: 0,
    priority,
    attempts: 0,
    next_attempt_at: at,
    lease_owner: null,
    lease_until: 0,
  }
}

/**
 * Takes up to `limit` rows whose turn has come, or the one of `steamId`, each until `now + leaseMs`: until then nobody
 * else gets them. Each claim counts as an attempt, so that a library that kills its reader is given up like any other.
 */
export function claimRefreshes(
  database: Database,
  {
    owner,
    now,
    leaseMs,
    limit,
    steamId,
  }: { owner: string; now: number; leaseMs: number; limit: number; steamId?: SteamId },
): Promise<RefreshRow[]> {
  return database.transaction(async (tx) => {
    let due = tx
      .selectFrom('refreshes')
      .select('steam_id')
      .where('next_attempt_at', '<=', now)
      .where('lease_until', '<=', now)
      .orderBy('priority', 'desc')
      .orderBy('next_attempt_at')
      .orderBy('steam_id')
      .limit(limit)
    if (steamId !== undefined) due = due.where('steam_id', '=', steamId)
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

/**
 * Ends what was claimed with a row: read, or given up. What came on the list meanwhile stays. Nothing happens when its
 * lease went to somebody else, or its person left.
 */
export async function completeRefresh(
  db: Queries | Tx,
  { steam_id, games_due, friends_due }: RefreshRow,
  owner: string,
): Promise<void> {
  await db
    .updateTable('refreshes')
    .set({
      lease_owner: null,
      lease_until: 0,
      ...(games_due === 1 && { games_due: 0 }),
      ...(friends_due === 1 && { friends_due: 0 }),
    })
    .where('steam_id', '=', steam_id)
    .where('lease_owner', '=', owner)
    .execute()
  await dropDone(db, steam_id)
}

/** Takes somebody's games or friend list off the list, whoever holds it: it was read just now. */
export async function dropRefresh(
  db: Queries | Tx,
  steamId: SteamId,
  what: 'games' | 'friends',
): Promise<void> {
  await db
    .updateTable('refreshes')
    .set(what === 'games' ? { games_due: 0 } : { friends_due: 0 })
    .where('steam_id', '=', steamId)
    .execute()
  await dropDone(db, steamId)
}

async function dropDone(db: Queries | Tx, steamId: SteamId): Promise<void> {
  await db
    .deleteFrom('refreshes')
    .where('steam_id', '=', steamId)
    .where('games_due', '=', 0)
    .where('friends_due', '=', 0)
    .execute()
}

/** What of somebody waits to be read, or is being read. */
export async function findRefresh(db: Queries | Tx, steamId: SteamId): Promise<RefreshRow | undefined> {
  return db.selectFrom('refreshes').selectAll().where('steam_id', '=', steamId).executeTakeFirst()
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
      eb.fn.coalesce(eb.fn.sum<number>('refreshes.games_due'), eb.lit(0)).as('waiting'),
    ])
    .where('friendships.steam_id', '=', steamId)
    .executeTakeFirstOrThrow()
  return { total, read, waiting: Number(waiting) }
}
