/**
 * What a PostgreSQL whose rows are on several machines (Citus) needs beyond one that has them all
 * (docs/develop/decisions/014-shard-with-citus.md).
 */
import { sql } from 'kysely'
import type pg from 'pg'
import { StorageError } from '../database.ts'
import type { Queries, Tx } from '../schema.ts'

const distributed = new WeakSet<Tx>()

/** Marks a transaction whose rows are on several machines. */
export function markDistributed(tx: Tx): void {
  distributed.add(tx)
}

export function isOnSeveralMachines(tx: Tx): boolean {
  return distributed.has(tx)
}

/**
 * Locks names on the coordinator in the place of rows, in their order: Citus locks rows of one shard at a time only,
 * and a transaction that ends releases one machine's locks before its data is visible on another. The coordinator
 * releases its own when everything is visible.
 */
export async function lockNames(tx: Tx, names: readonly string[]): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(${names}::text[]) AS name`.execute(
    tx,
  )
}

/** How often a server looks which transactions were completed on all machines. */
const UNFINISHED_EVERY_MS = 5000

/** Transactions that were not finished on all machines, and when that was read (`performance.now()`). */
export type Unfinished = { readonly transactions: readonly string[]; readonly readAt: number }

/**
 * The cache tags, at most so many, of transactions that were interrupted and have become visible on all machines since
 * the last read: their changes are reported again.
 */
export async function readUnfinished(
  queries: Queries,
  last: Unfinished = { transactions: [], readAt: -Infinity },
  { now, most }: { now: number; most: number },
): Promise<{ unfinished: Unfinished; tags: readonly string[] }> {
  if (now - last.readAt < UNFINISHED_EVERY_MS) return { unfinished: last, tags: [] }
  // Those of which Citus has not checked yet that all machines have completed them, and the tags of those that were among
  // them before.
  const { rows } = await sql<{ unfinished: string[]; tags: string[] }>`
    WITH unfinished AS (SELECT DISTINCT outer_xid FROM pg_dist_transaction WHERE outer_xid IS NOT NULL)
    SELECT ARRAY(SELECT outer_xid::text FROM unfinished) AS unfinished, ARRAY(
      SELECT DISTINCT subject FROM changes WHERE transaction_id = ANY (${last.transactions}::xid8[])
      AND transaction_id NOT IN (SELECT outer_xid FROM unfinished) LIMIT ${most}) AS tags`.execute(queries)
  const { unfinished, tags } = rows[0]!
  return { unfinished: { transactions: unfinished, readAt: now }, tags }
}

/**
 * Each machine has its own snapshots, so that pg_dump reads tables of different moments (OPS-52).
 * @throws StorageError when servers or other programs use a database that is on several machines
 */
export async function refuseBackupInUse(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
      AND EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND backend_type = 'client backend' AND application_name NOT LIKE 'citus%') AS found`,
  )
  if (rows[0]!.found)
    throw new StorageError(
      `The database ${name} is on several machines and in use, so a backup would not be of one moment; stop the servers ` +
        'first, or archive the log of each machine (docs/operate/several-servers.md).',
    )
}
