/** Locks of rows that transactions hold until they end, on one PostgreSQL and on a distributed one. */
import { sql } from 'kysely'
import { inChunks } from './chunks.ts'
import type { Tx } from './schema.ts'

type Lockable = { forNoKeyUpdate(): Lockable }
type Locking = <Query extends Lockable>(query: Query) => Query

const distributed = new WeakSet<Tx>()

/** Marks a transaction whose rows are on several machines. */
export function markDistributed(tx: Tx): void {
  distributed.add(tx)
}

/**
 * Locks the rows `kind` with these ids and reads them, in the order of the ids, so that transactions do not deadlock. `read`
 * applies `locking` to its query.
 *
 * A distributed PostgreSQL gets locks with the names of the rows on the coordinator instead: Citus locks rows of one shard at
 * a time only, and a transaction that ends releases those of one machine before its data is visible on another. The
 * coordinator releases its own when everything is visible.
 */
export async function lockRows<Id extends string | number, Row>(
  tx: Tx,
  kind: 'person' | 'group' | 'night' | 'membership' | 'app',
  ids: readonly Id[],
  read: (chunk: Id[], locking: Locking) => Promise<Row[]>,
): Promise<Row[]> {
  const sorted = [...new Set(ids)].sort((a, b) => (a < b ? -1 : 1))
  if (!distributed.has(tx)) return inChunks(sorted, (chunk) => read(chunk, forNoKeyUpdate))
  await inChunks(sorted, async (chunk) => {
    const names = chunk.map((id) => `row ${kind}:${id}`)
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(${names}::text[]) AS name`.execute(
      tx,
    )
    return []
  })
  return inChunks(sorted, (chunk) => read(chunk, (query) => query))
}

function forNoKeyUpdate<Query extends Lockable>(query: Query): Query {
  return query.forNoKeyUpdate() as Query
}
