/** Links by which picks are shared, and what groups choose for their nights (NIGHT-75, NIGHT-76). */
import type { Updateable } from 'kysely'
import { countOf } from '../database/chunks.ts'
import type { GroupsTable, Queries, Tx } from '../database/schema.ts'
import { changed } from '../database/cache-tags.ts'
import { findGroupRow } from './group-row.ts'

/** A decided night that is shared, by its token; undefined when there is none, or its group does not share. */
export async function findShared(db: Queries, token: string) {
  const row = await db
    .selectFrom('nights')
    .select(['night_id', 'starts_at', 'zone', 'group_id'])
    .where('share_token', '=', token)
    .where('status', '=', 'decided')
    .executeTakeFirst()
  if (!row) return undefined
  const { night_id, starts_at, zone, group_id } = row
  const group = await findGroupRow(db, group_id)
  if (group?.shares === 0) return undefined
  const count = await countOf(
    db.selectFrom('night_people').where('night_id', '=', night_id).where('answer', '=', 'in'),
  )
  return { night_id, starts_at, zone, group_id, name: group?.name ?? null, in: count }
}

/** Sets or removes the link of a locked night. */
export async function setShareToken(tx: Tx, nightId: number, token: string | null): Promise<void> {
  // It is in nothing that is cached.
  await tx.updateTable('nights').set({ share_token: token }).where('night_id', '=', nightId).execute()
}

/** Changes what a locked group chooses; when it stops sharing, its links are gone for good. */
export async function changeNightSettings(
  tx: Tx,
  groupId: number,
  change: { not_tonight_forbids?: boolean | undefined; shares?: boolean | undefined },
): Promise<void> {
  const { not_tonight_forbids, shares } = change
  changed(tx, 'group', [groupId])
  const values: Updateable<GroupsTable> = {
    ...(not_tonight_forbids !== undefined && { not_tonight_forbids: not_tonight_forbids ? 1 : 0 }),
    ...(shares !== undefined && { shares: shares ? 1 : 0 }),
  }
  if (Object.keys(values).length > 0)
    await tx.updateTable('groups').set(values).where('group_id', '=', groupId).execute()
  if (shares !== false) return
  await tx
    .updateTable('nights')
    .set({ share_token: null })
    .where('group_id', '=', groupId)
    .where('share_token', 'is not', null)
    .execute()
}
