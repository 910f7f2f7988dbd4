/**
 * The refresh list: libraries, and after a first sign-in friend lists, that wait to be read (REF-2). Each steam id has
 * one row. Servers claim rows by lease, so that any number of servers share the list and another server continues the
 * work of a killed one.
 */
import type { SteamId } from '#shared/entities.ts'
import type { Selectable } from 'kysely'
import { countOf, inChunks } from '../../database/chunks.ts'
import { changed } from '../../database/cache-tags.ts'
import type { Database } from '../../database/database.ts'
import type { Queries, Schema, Tx } from '../../database/schema.ts'
import { playersAmong } from './players.ts'

export type RefreshRow = Selectable<Schema['refreshes']>

/**
 * Higher values are read first: reads after a first sign-in, then those that a sync did not get to, then the libraries
 * of friends found in a friend list.
 */
export const refreshPriority = { friends: 1, groupSync: 2, firstRead: 3 } as const

/**
 * Puts libraries on the list. A row that is on it already keeps its place and lease, and takes the higher priority.
 * Players without a row in `people`, such as deleted accounts, are left out. The transaction must have called
 * `preventDeletions` or `lockAccounts` (`accounts.ts`).
 */
export async function enqueueRefreshes(
  tx: Tx,
  steamIds: readonly SteamId[],
  { by, priority, at }: { by: SteamId; priority: number; at: number },
): Promise<void> {
  const stored = await playersAmong(tx, [...new Set(steamIds)])
  changed(tx, 'sync', stored.length > 0 ? [by] : [])
  // Sorted, because two servers that write overlapping lists in different orders would deadlock.
  await inChunks(stored.sort(), (chunk) =>
    tx
      .insertInto('refreshes')
      .values(chunk.map((steam_id) => newRefresh(steam_id, { by, priority, at })))
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
      .execute(),
  )
}

/** Puts a player's own games and friend list at the top of the list (SYNC-18). */
export async function enqueueFirstRead(tx: Tx, steamId: SteamId, at: number): Promise<void> {
  const first = {
    ...newRefresh(steamId, { by: steamId, priority: refreshPriority.firstRead, at }),
    friends_due: 1 as const,
  }
  // An existing lease stays, so that what its owner is reading now is not read twice.
  const { steam_id: _id, lease_owner: _owner, lease_until: _until, ...renewed } = first
  changed(tx, 'sync', [steamId])
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
 * Claims the next row that is due, or the one of `steamId`, until `now + leaseMs`; no other worker gets it before. Each claim
 * counts as an attempt, so that a library that crashes its server is given up in the end.
 */
export function claimRefresh(
  database: Database,
  {
    owner,
    now,
    leaseMs,
    steamId,
  }: { owner: string; now: number; leaseMs: number; steamId?: SteamId | undefined },
): Promise<RefreshRow | undefined> {
  return database.transaction(async (tx) => {
    // One server at a time, because rows on several machines cannot be locked together.
    if (steamId === undefined) await database.lock(tx, 'refresh list')
    const next = await tx
      .selectFrom('refreshes')
      .select('steam_id')
      .where('next_attempt_at', '<=', now)
      .where('lease_until', '<=', now)
      .$if(steamId !== undefined, (due) => due.where('steam_id', '=', steamId!))
      .orderBy('priority', 'desc')
      .orderBy('next_attempt_at')
      .orderBy('steam_id')
      .limit(1)
      .executeTakeFirst()
    if (!next) return undefined
    return (
      tx
        .updateTable('refreshes')
        .set((eb) => ({ lease_owner: owner, lease_until: now + leaseMs, attempts: eb('attempts', '+', 1) }))
        .where('steam_id', '=', next.steam_id)
        // A read of the player's own may have claimed or completed it.
        .where('next_attempt_at', '<=', now)
        .where('lease_until', '<=', now)
        .returningAll()
        .executeTakeFirst()
    )
  })
}

/**
 * Takes a player's games or friend list off the list: they were read, even if another worker has the lease, or given up.
 * @param owner the worker whose claim it was and who has the lease no more; nothing is done when another has it by now.
 *   What was added to the row since the claim stays.
 */
export async function finishRefresh(
  tx: Tx,
  steamId: SteamId,
  { games_due, friends_due }: Partial<Pick<RefreshRow, 'games_due' | 'friends_due'>>,
  owner?: string,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('refreshes')
    .set({
      ...(games_due === 1 && { games_due: 0 }),
      ...(friends_due === 1 && { friends_due: 0 }),
      ...(owner !== undefined && { lease_owner: null, lease_until: 0 }),
    })
    .where('steam_id', '=', steamId)
    .$if(owner !== undefined, (claimed) => claimed.where('lease_owner', '=', owner!))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  changed(tx, 'refresh', [steamId])
  await tx
    .deleteFrom('refreshes')
    .where('steam_id', '=', steamId)
    .where('games_due', '=', 0)
    .where('friends_due', '=', 0)
    .execute()
}

export function findRefresh(db: Queries | Tx, steamId: SteamId): Promise<RefreshRow | undefined> {
  return db.selectFrom('refreshes').selectAll().where('steam_id', '=', steamId).executeTakeFirst()
}

/** Releases a row for a later attempt; with `tried` false, the attempt does not count. */
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

/** How many of these players' libraries wait to be read. */
export function countWaitingForGames(db: Queries | Tx, steamIds: readonly SteamId[]): Promise<number> {
  return countOf(db.selectFrom('refreshes').where('steam_id', 'in', steamIds).where('games_due', '=', 1))
}
