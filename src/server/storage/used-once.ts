/** Values that may be used only once on all servers together, such as OpenID nonces. */
import type { Database } from '../database/database.ts'
import type { Queries, Tx, UsedOnceTable } from '../database/schema.ts'

/** Uses a value: true for the first caller only. The value is stored until `expiresAt`. */
export async function useOnce(
  db: Queries | Tx,
  kind: UsedOnceTable['kind'],
  value: string,
  expiresAt: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_once')
    .values({ kind, value, expires_at: expiresAt })
    .onConflict((conflict) => conflict.columns(['kind', 'value']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Whether a value was used. */
export async function isUsedOnce(
  db: Queries | Tx,
  kind: UsedOnceTable['kind'],
  value: string,
): Promise<boolean> {
  const query = db.selectFrom('used_once').select('value').where('kind', '=', kind).where('value', '=', value)
  return (await query.executeTakeFirst()) !== undefined
}

/** Thrown to roll back the transaction when one of several values was used before. */
class UsedBefore extends Error {}

/** Uses several values or none of them: true only when none was used before. */
export async function useAllOnce(
  database: Database,
  uses: readonly { kind: UsedOnceTable['kind']; value: string; expiresAt: number }[],
): Promise<boolean> {
  try {
    await database.transaction(async (tx) => {
      for (const { kind, value, expiresAt } of uses)
        if (!(await useOnce(tx, kind, value, expiresAt))) throw new UsedBefore()
    })
    return true
  } catch (error) {
    if (error instanceof UsedBefore) return false
    throw error
  }
}
