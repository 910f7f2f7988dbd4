/**
 * Accounts from their first sign-in to their deletion (SYNC-18, DEL-1 to DEL-5), players without one (DEL-9), and blocked
 * accounts, by a keyed hash of their steam id, so that deleting the account does not end the block (OPER-9). That table is
 * authoritative; `people.blocked_at` repeats it for accounts that are not deleted.
 */
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS, SYNC_WINDOW_MS } from '#shared/limits.ts'
import { column, deleteRows, inChunks } from '../../database/chunks.ts'
import type { Database } from '../../database/database.ts'
import { countUse } from './used-once.ts'
import {
  deletedAmong,
  ensurePlayers,
  findPlayer,
  lockPlayers,
  NO_USES,
  type PlayerRow,
  type ProfileToSave,
  saveProfiles,
} from '../players/players.ts'
import { dropFriends } from '../players/friends.ts'
import { forgetCorrector } from '../groups/games.ts'
import { keyedHasher, readValue, writeValue } from '../installation.ts'
import { deleteWebhooks } from '../notifications/messages.ts'
import { forgetInLog, forgetListed } from '../operator.ts'
import { enqueueFirstRead } from '../players/refreshes.ts'
import type { Queries, Tx } from '../../database/schema.ts'
import { changed, changedEverything, KINDS_OF_PLAYERS } from '../../database/cache-tags.ts'
import { deleteLinksBy } from '../groups/links.ts'
import { deleteSessionsOf } from './sessions.ts'

const DELETIONS = 'deletions'

/**
 * Locks accounts until the transaction ends, so that none of them is opened or deleted. The ids are sorted to
 * avoid deadlocks. Take these locks before any row locks.
 */
export async function lockAccounts(database: Database, tx: Tx, steamIds: readonly SteamId[]): Promise<void> {
  for (const id of [...new Set(steamIds)].sort()) await database.lock(tx, `person:${id}`)
}

/**
 * Like {@link lockAccounts}, for many people: prevents the deletion of any account until the transaction ends. Call it
 * after `lockAccounts` and before anything is read or written.
 */
export function preventDeletions(database: Database, tx: Tx): Promise<void> {
  return database.lock(tx, DELETIONS, 'shared')
}

/**
 * Records a sign-in and the profile that Steam returned. The first sign-in, and the first after a deletion,
 * opens the account and puts its games and friend list on the refresh list once (`hasFirstRead`), unless the account
 * has been deleted and reopened too often (DEL-1).
 */
export async function openAccount(
  database: Database,
  tx: Tx,
  { steamId, profile, at }: { steamId: SteamId; profile: ProfileToSave | undefined; at: number },
): Promise<{ player: PlayerRow; hasFirstRead: boolean }> {
  await lockAccounts(database, tx, [steamId])
  const deletion = await tx
    .deleteFrom('deleted_accounts')
    .where('id_hash', '=', (await keyedHasher(tx, 'deleted account'))(steamId))
    .returning('recent_uses')
    .executeTakeFirst()
  await ensurePlayers(tx, [steamId])
  changed(tx, 'person', [steamId])
  const { numUpdatedRows } = await tx
    .updateTable('people')
    .set({ signed_in_at: at })
    .where('steam_id', '=', steamId)
    .where('signed_in_at', 'is', null)
    .executeTakeFirst()
  changed(tx, 'profile', numUpdatedRows > 0n ? [steamId] : [])
  if (profile) await saveProfiles(tx, [profile], at)
  if (deletion && deletion.recent_uses !== NO_USES) await restoreSyncs(tx, steamId, deletion.recent_uses)
  const hasFirstRead = numUpdatedRows === 1n && (await countUse(database, tx, 'first_read', steamId, at))
  if (hasFirstRead) await enqueueFirstRead(tx, steamId, at)
  return { player: (await findPlayer(tx, steamId))!, hasFirstRead }
}

/** Locks an account and records that it is deleted; false when it is already. */
export async function beginDeletion(
  database: Database,
  tx: Tx,
  steamId: SteamId,
  at: number,
): Promise<boolean> {
  await lockForDeletion(database, tx, [steamId])
  // When two sessions delete at once, the second would overwrite the syncs that the first one recorded.
  if ((await deletedAmong(tx, [steamId])).has(steamId)) return false
  const syncs = await tx
    .selectFrom('syncs')
    .select('started_at')
    .where('steam_id', '=', steamId)
    .where('started_at', '>', at - SYNC_WINDOW_MS)
    .where('counted', '=', 1)
    .execute()
  const recent_uses = JSON.stringify({ syncs: column(syncs, 'started_at') })
  const id_hash = (await keyedHasher(tx, 'deleted account'))(steamId)
  await tx.insertInto('deleted_accounts').values({ id_hash, deleted_at: at, recent_uses }).execute()
  return true
}

/** Deletes everything about a user who has left all groups and nights. */
export async function eraseAccount(database: Database, tx: Tx, steamId: SteamId): Promise<void> {
  await endAccess(tx, steamId)
  await deleteRows(tx, ['syncs', 'group_reports'], 'steam_id', [steamId])
  await forgetCorrector(tx, steamId)
  await forgetInLog(tx, steamId)
  await forgetListed(database, tx, steamId)
  await tx.updateTable('refreshes').set({ requested_by: '' }).where('requested_by', '=', steamId).execute()
  await deletePlayers(tx, [steamId])
  // What names the user in the table of changes goes, too (DEL-5).
  changedEverything(tx)
  const tags = KINDS_OF_PLAYERS.map((kind) => `${kind}:${steamId}`)
  await tx.deleteFrom('changes').where('subject', 'in', tags).execute()
}

async function lockForDeletion(database: Database, tx: Tx, steamIds: SteamId[]): Promise<void> {
  await lockAccounts(database, tx, steamIds)
  await database.lock(tx, DELETIONS)
  await lockPlayers(tx, steamIds)
  const rows = tx.selectFrom('people').select('steam_id').where('steam_id', 'in', steamIds)
  // Waits for transactions that are writing rows that refer to the players.
  await (database.engine === 'postgres' ? rows.forUpdate() : rows).execute()
}

/** Deletes what Steam says about players, and their rows. */
async function deletePlayers(tx: Tx, steamIds: readonly SteamId[]): Promise<void> {
  for (const kind of ['person', 'library', 'friends', 'refresh'] as const) changed(tx, kind, steamIds)
  const tables = [
    'libraries',
    'library_changes',
    'playtime_months',
    'friend_lists',
    'refreshes',
    'wishlists',
  ] as const
  await deleteRows(tx, tables, 'steam_id', steamIds)
  await tx.updateTable('syncs').set({ target: '' }).where('target', 'in', steamIds).execute()
  await deleteRows(tx, ['people'], 'steam_id', steamIds)
}

const DAY_MS = 24 * 60 * 60_000
/** With the day between two runs, the 90 days that the Privacy page names. */
const KEPT_UNREAD_MS = 89 * DAY_MS
/** No friend list that was requested longer ago is still to be stored. */
const LIST_STORED_MS = DAY_MS / 24
/** Players who are deleted in one transaction, which holds up every other that stores players. */
const BATCH = 50

/**
 * Deletes players who have never signed in, 90 days after the last friend list, group or coming night had them (DEL-9).
 * Steam is asked about them only while somebody has them, so the last read stands for that time.
 */
export async function deleteUnconnected(database: Database, now: number): Promise<void> {
  const ids = [...(await unconnected(database.queries, now))]
  for (let start = 0; start < ids.length; start += BATCH)
    await database.transaction(async (tx) => {
      const batch = ids.slice(start, start + BATCH)
      await lockForDeletion(database, tx, batch)
      // Somebody may have them again.
      const gone = [...(await unconnected(tx, now, batch))]
      if (gone.length === 0) return
      // They have never signed in, so they lead nothing; others asked them to nights and groups.
      for (const table of ['night_people', 'night_series_left_out', 'group_departures'] as const) {
        const traces = await tx
          .deleteFrom(table)
          .where('steam_id', 'in', gone)
          .returning('steam_id')
          .execute()
        if (traces.length > 0) changedEverything(tx)
      }
      await deletePlayers(tx, gone)
    })
}

/**
 * Players without an account who were not read from Steam for so long and are in no friend list, group or coming night;
 * among all, or those of `among`, for whom all friend lists were just searched.
 */
async function unconnected(db: Queries | Tx, now: number, among?: SteamId[]): Promise<Set<SteamId>> {
  const before = now - KEPT_UNREAD_MS
  const unread = db
    .selectFrom('people')
    .leftJoin('libraries', 'libraries.steam_id', 'people.steam_id')
    .select('people.steam_id')
    .where('people.signed_in_at', 'is', null)
    .where('people.blocked_at', 'is', null)
    .where((eb) => eb.or([eb('people.profile_at', 'is', null), eb('people.profile_at', '<=', before)]))
    .where((eb) => eb.or([eb('libraries.checked_at', 'is', null), eb('libraries.checked_at', '<=', before)]))
  const rows = await (among ? unread.where('people.steam_id', 'in', among) : unread).execute()
  const found = new Set(column(rows, 'steam_id'))
  const ids = [...found]
  const members = await db
    .selectFrom('group_members')
    .select('steam_id')
    .where('steam_id', 'in', ids)
    .execute()
  const asked = await db
    .selectFrom('night_people')
    .innerJoin('nights', 'nights.night_id', 'night_people.night_id')
    .select('night_people.steam_id')
    .where('night_people.steam_id', 'in', ids)
    .where('nights.starts_at', '>', now - NIGHT_LENGTH_MS)
    .execute()
  for (const { steam_id } of [...members, ...asked]) found.delete(steam_id)
  await dropFriends(db, found, { requestedAfter: among ? now - LIST_STORED_MS : 0 })
  return found
}

/** Erases freed data from the database files; thoroughly when accounts were deleted since the last run. */
export async function scrubDeletedAccounts(database: Database, now: number): Promise<void> {
  const { queries } = database
  const done = await readValue(queries, 'scrubbed_at')
  const deletedSince = await queries
    .selectFrom('deleted_accounts')
    .select('id_hash')
    .where('deleted_at', '>', Number(done ?? 0))
    .limit(1)
    .executeTakeFirst()
  if (!deletedSince) return database.scrub()
  await database.scrub('thoroughly')
  await writeValue(queries, 'scrubbed_at', String(now))
}

/** The syncs that counted when the account was deleted still do. */
async function restoreSyncs(tx: Tx, steamId: SteamId, recentUses: string): Promise<void> {
  const { syncs } = JSON.parse(recentUses) as { syncs: number[] }
  await inChunks(syncs, (times) =>
    tx
      .insertInto('syncs')
      .values(
        times.map((time) => ({
          steam_id: steamId,
          kind: 'games' as const,
          target: steamId,
          started_at: time,
          finished_at: time,
          result: 'ok' as const,
          counted: 1 as const,
        })),
      )
      .execute(),
  )
}

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
  changed(tx, ['person', 'profile'], player ? [steamId] : [])
  await tx
    .updateTable('people')
    .set({ blocked_at: at, library_visibility: 'nobody' })
    .where('steam_id', '=', steamId)
    .execute()
  await endAccess(tx, steamId)
  return true
}

/** Ends what gives access in a user's name: sessions with their devices, links, webhooks and the calendar. */
async function endAccess(tx: Tx, steamId: SteamId): Promise<void> {
  await deleteSessionsOf(tx, steamId)
  await deleteLinksBy(tx, steamId)
  await deleteWebhooks(tx, { createdBy: steamId })
  await deleteRows(tx, ['calendar_feeds'], 'steam_id', [steamId])
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
  changed(tx, ['person', 'profile'], numUpdatedRows > 0n ? [steamId] : [])
  return true
}

async function hashOf(db: Queries | Tx, steamId: SteamId): Promise<string> {
  return (await keyedHasher(db, 'blocked account'))(steamId)
}
