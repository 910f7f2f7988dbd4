/** Locks of rows that transactions hold until they end. */
import type { Tx } from './schema.ts'
import { isOnSeveralMachines, lockNames } from './several/machines.ts'

type Lockable<Row> = { execute(): Promise<Row[]>; forNoKeyUpdate(): { execute(): Promise<Row[]> } }

/** Locks the rows `kind` with these ids and reads them, in the order of the ids, so that transactions do not deadlock. */
export async function lockRows<Id extends string | number, Row>(
  tx: Tx,
  kind: 'person' | 'group' | 'night' | 'series' | 'membership' | 'app',
  ids: readonly Id[],
  queryOf: (ids: Id[]) => Lockable<Row>,
): Promise<Row[]> {
  const sorted = [...new Set(ids)].sort((a, b) => (a < b ? -1 : 1))
  if (sorted.length === 0) return []
  if (!isOnSeveralMachines(tx)) return queryOf(sorted).forNoKeyUpdate().execute()
  await lockNames(
    tx,
    sorted.map((id) => `row ${kind}:${id}`),
  )
  return queryOf(sorted).execute()
}
