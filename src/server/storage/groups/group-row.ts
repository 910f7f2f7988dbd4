/** One group's row, for all families of tables that name a group; a leaf, so that none of them imports another for it. */
import type { Selectable } from 'kysely'
import type { Queries, Schema, Tx } from '../../database/schema.ts'

/** A group; undefined where there is none, as for nights of chosen players. */
export async function findGroupRow(
  db: Queries | Tx,
  groupId: number | null,
): Promise<Selectable<Schema['groups']> | undefined> {
  if (groupId === null) return undefined
  return db.selectFrom('groups').selectAll().where('group_id', '=', groupId).executeTakeFirst()
}
