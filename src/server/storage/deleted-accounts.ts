/**
 * Deleted accounts, by a keyed hash of their steam id, until the player signs in again (DEL-2). They have no row in
 * `people`.
 */
import type { SteamId } from '#shared/entities.ts'
import { inChunks } from '../database/chunks.ts'
import { keyedHasher } from './installation.ts'
import type { Queries, Tx } from '../database/schema.ts'

/** Times of a player's uses of daily limits, in milliseconds since 1970. */
export type RecentUses = { syncs: number[]; pictures: number[] }

/** Value of `recent_uses` when none counts any more. */
export const NO_USES = ''

/** Those of `steamIds` whose accounts are deleted, with the time of deletion. */
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

/** Records that an account was deleted. */
export async function recordDeletion(
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

/** Removes the record of a deletion; returns the uses recorded with it, if they may still count. */
export async function clearDeletion(tx: Tx, steamId: SteamId): Promise<RecentUses | undefined> {
  const hash = await keyedHasher(tx, 'deleted account')
  const row = await tx
    .deleteFrom('deleted_accounts')
    .where('id_hash', '=', hash(steamId))
    .returning('recent_uses')
    .executeTakeFirst()
  return row && row.recent_uses !== NO_USES ? (JSON.parse(row.recent_uses) as RecentUses) : undefined
}
