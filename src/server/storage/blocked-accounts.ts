/**
 * Blocked accounts, by a keyed hash of their steam id, so that deleting the account does not end the block (OPER-9). This
 * table is authoritative; `people.blocked_at` repeats it for accounts that are not deleted.
 */
import type { SteamId } from '#shared/entities.ts'
import type { Database } from '../database/database.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { changed } from '../database/cache-tags.ts'
import { lockAccounts } from './accounts.ts'
import { keyedHasher } from './installation.ts'
import { deleteInvitesBy } from './invites.ts'
import { deleteWebhooks } from './messages.ts'
import { ensurePlayers, lockPlayers } from './players.ts'
import { deleteSessionsOf } from './sessions.ts'

/** The block of an account, if any. */
export async function findBlock(
  db: Queries | Tx,
  steamId: SteamId,
): Promise<{ blocked_at: number; reason: string } | undefined> {
  return db
    .selectFrom('blocked_accounts')
    .select(['blocked_at', 'reason'])
    .where('id_hash', '=', await hashOf(db, steamId))
    .executeTakeFirst()
}

/**
 * Blocks an account: its sessions, links, webhooks and calendar end, and nobody else sees its library. Its groups and data
 * stay; who calls this takes it out of its nights. False when it was blocked already. Also for people who were never here.
 */
export async function blockAccount(
  database: Database,
  tx: Tx,
  steamId: SteamId,
  { at, reason }: { at: number; reason: string },
): Promise<boolean> {
  await lockAccounts(database, tx, [steamId])
  if (await findBlock(tx, steamId)) return false
  await ensurePlayers(tx, [steamId])
  // A deleted account has no row.
  const player = (await lockPlayers(tx, [steamId])).get(steamId)
  await tx
    .insertInto('blocked_accounts')
    .values({
      id_hash: await hashOf(tx, steamId),
      blocked_at: at,
      // An account that is deleted is not named (DEL-2).
      reason: player ? reason : reason.replaceAll(steamId, '…'),
      visibility_before: player?.library_visibility ?? 'connected',
    })
    .execute()
  changed(tx, 'person', player ? [steamId] : [])
  changed(tx, 'profile', player ? [steamId] : [])
  await tx
    .updateTable('people')
    .set({ blocked_at: at, library_visibility: 'nobody' })
    .where('steam_id', '=', steamId)
    .execute()
  await deleteSessionsOf(tx, steamId)
  await deleteInvitesBy(tx, steamId)
  await deleteWebhooks(tx, { createdBy: steamId })
  await tx.deleteFrom('calendar_feeds').where('steam_id', '=', steamId).execute()
  return true
}

/** Ends a block; others see the library as before. False when there was none. */
export async function unblockAccount(database: Database, tx: Tx, steamId: SteamId): Promise<boolean> {
  await lockAccounts(database, tx, [steamId])
  const block = await tx
    .deleteFrom('blocked_accounts')
    .where('id_hash', '=', await hashOf(tx, steamId))
    .returning('visibility_before')
    .executeTakeFirst()
  if (!block) return false
  const { numUpdatedRows } = await tx
    .updateTable('people')
    .set({ blocked_at: null, library_visibility: block.visibility_before })
    .where('steam_id', '=', steamId)
    .executeTakeFirst()
  changed(tx, 'person', numUpdatedRows > 0n ? [steamId] : [])
  changed(tx, 'profile', numUpdatedRows > 0n ? [steamId] : [])
  return true
}

/** Up to `limit` blocked accounts that are not deleted, latest first. */
export function listBlocked(db: Queries | Tx, limit: number) {
  return db
    .selectFrom('people')
    .select((eb) => [
      'steam_id',
      'display_name',
      'avatar_url',
      eb.ref('blocked_at').$notNull().as('blocked_at'),
    ])
    .where('blocked_at', 'is not', null)
    .orderBy('blocked_at', 'desc')
    .orderBy('steam_id')
    .limit(limit)
    .execute()
}

async function hashOf(db: Queries | Tx, steamId: SteamId): Promise<string> {
  return (await keyedHasher(db, 'blocked account'))(steamId)
}
