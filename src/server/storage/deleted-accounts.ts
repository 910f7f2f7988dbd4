/**
 * Accounts that were deleted, by a keyed hash of their id, until the person signs in again (DEL-2,
 * DEL-4). This is the truth; `people.deleted_at` repeats it for those whom other people's friend lists name.
 */
import type { SteamId } from '#shared/entities.ts'
import { inChunks } from '../database/chunks.ts'
import { keyedHasher } from './installation.ts'
import type { Queries, Tx } from '../database/schema.ts'

/** When somebody used what is limited by the day, in milliseconds since 1970. */
export type RecentUses = { syncs: number[]; pictures: number[] }

/** In `recent_uses` when none of them counts any more. */
const NO_USES = ''

/** Those of `steamIds` whose accounts are deleted, with when they were. */
export async function deletedAmong(
  db: Queries | Tx,
  steamIds: readonly SteamId[],
): Promise<Map<SteamId, number>> {
  if (steamIds.length === 0) return new Map()
  const hash = await keyedHasher(db, 'deleted account')
  const idByHash = new Map(steamIds.map((steamId) => [hash(steamId), steamId]))
  const rows = await inChunks([...idByHash.keys()], (hashes) =>
    db
      .selectFrom('deleted_accounts')
      .select(['id_hash', 'deleted_at'])
      .where('id_hash', 'in', hashes)
      .execute(),
  )
  return new Map(rows.map((row) => [idByHash.get(row.id_hash)!, row.deleted_at]))
}

/** Notes that an account is deleted. */
export async function rememberDeletion(
  tx: Tx,
  steamId: SteamId,
  { at, uses }: { at: number; uses: RecentUses },
): Promise<void> {
  const hash = await keyedHasher(tx, 'deleted account')
  await tx
    .insertInto('deleted_accounts')
    .values({ id_hash: hash(steamId), deleted_at: at, recent_uses: JSON.stringify(uses) })
    .execute()
}

/** Forgets that an account was deleted; what was remembered of its uses, if any of them may still count. */
export async function forgetDeletion(tx: Tx, steamId: SteamId): Promise<RecentUses | undefined> {
  const hash = await keyedHasher(tx, 'deleted account')
  const row = await tx
    .deleteFrom('deleted_accounts')
    .where('id_hash', '=', hash(steamId))
    .returning('recent_uses')
    .executeTakeFirst()
  return row && row.recent_uses !== NO_USES ? (JSON.parse(row.recent_uses) as RecentUses) : undefined
}

/** Forgets the uses of accounts that were deleted at `before` or earlier. */
export async function forgetOldUses(db: Queries | Tx, before: number): Promise<void> {
  await db
    .updateTable('deleted_accounts')
    .set({ recent_uses: NO_USES })
    .where('deleted_at', '<=', before)
    .where('recent_uses', '!=', NO_USES)
    .execute()
}
