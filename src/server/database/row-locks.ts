/** Locks of rows that transactions hold until they end. */
import { inChunks } from './chunks.ts'
import type { Tx } from './schema.ts'
import { isOnSeveralMachines, lockNames } from './several/machines.ts'

type Lockable = { forNoKeyUpdate(): Lockable }
type Locking = <Query extends Lockable>(query: Query) => Query

/**
 * Locks the rows `kind` with these ids and reads them, in the order of the ids, so that transactions do not deadlock. `read`
 * applies `locking` to its query.
 */
export async function lockRows<Id extends string | number, Row>(
  tx: Tx,
  kind: 'person' | 'group' | 'night' | 'series' | 'membership' | 'app',
  ids: readonly Id[],
  read: (chunk: Id[], locking: Locking) => Promise<Row[]>,
): Promise<Row[]> {
  const sorted = [...new Set(ids)].sort((a, b) => (a < b ? -1 : 1))
  if (!isOnSeveralMachines(tx)) return inChunks(sorted, (chunk) => read(chunk, forNoKeyUpdate))
  const names = sorted.map((id) => `row ${kind}:${id}`)
  await lockNames(tx, names)
  return inChunks(sorted, (chunk) => read(chunk, (query) => query))
}

function forNoKeyUpdate<Query extends Lockable>(query: Query): Query {
  return query.forNoKeyUpdate() as Query
}
