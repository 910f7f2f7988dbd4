/**
 * Players: everyone who has signed in, is someone's friend or is a member of a group; and deleted accounts, which have no
 * row in `people`, by a keyed hash of their steam id, until the player signs in again (DEL-2).
 */
import type { ElsewherePlace, SteamId } from '#shared/entities.ts'
import type { Language } from '#shared/languages.ts'
import type { ExpressionBuilder, Selectable, Updateable } from 'kysely'
import { column, inChunks } from '../../database/chunks.ts'
import type { Database } from '../../database/database.ts'
import { lockRows } from '../../database/row-locks.ts'
import { readApps } from './apps.ts'
import type { Queries, Schema, Tx } from '../../database/schema.ts'
import { changed } from '../../database/cache-tags.ts'
import { keyedHasher } from '../installation.ts'

export type PlayerRow = Selectable<Schema['people']>

/** One player; undefined when they have no row. */
export function findPlayer(db: Queries | Tx, steamId: SteamId): Promise<PlayerRow | undefined> {
  return db.selectFrom('people').selectAll().where('steam_id', '=', steamId).executeTakeFirst()
}

/** The language that a user has chosen; null for their browser's. */
export async function chosenLanguage(db: Queries | Tx, steamId: SteamId): Promise<Language | null> {
  return (await findPlayer(db, steamId))?.language ?? null
}

/** Those of `steamIds` who have rows. */
export async function playersAmong(db: Queries | Tx, steamIds: readonly SteamId[]): Promise<SteamId[]> {
  const query = db.selectFrom('people').select('steam_id').where('steam_id', 'in', steamIds)
  return column(await query.execute(), 'steam_id')
}

/** Those of `steamIds` who have rows, by id. */
export async function readPlayers(db: Queries | Tx, steamIds: readonly SteamId[]) {
  const rows = await db.selectFrom('people').selectAll().where('steam_id', 'in', steamIds).execute()
  return new Map(rows.map((row) => [row.steam_id, row]))
}

/** Those of `steamIds` who have rows and whose profiles were last read at `before` or earlier. */
export async function listNotReadSince(db: Queries | Tx, steamIds: readonly SteamId[], before: number) {
  const rows = await db
    .selectFrom('people')
    .select('steam_id')
    .where('steam_id', 'in', steamIds)
    .where((eb) => eb.or([eb('profile_at', 'is', null), eb('profile_at', '<=', before)]))
    .execute()
  return column(rows, 'steam_id')
}

/**
 * Locks players' rows until the transaction ends, in the order of their ids to avoid deadlocks. Players without a row
 * are missing from the result.
 */
export async function lockPlayers(tx: Tx, steamIds: readonly SteamId[]): Promise<Map<SteamId, PlayerRow>> {
  const rows = await lockRows(tx, 'person', steamIds, (ids) =>
    tx.selectFrom('people').selectAll().where('steam_id', 'in', ids).orderBy('steam_id'),
  )
  return new Map(rows.map((row) => [row.steam_id, row]))
}

/** What decides who may see the libraries of some players; those who have no row are missing. */
export function readLibraryOwners(db: Queries | Tx, ids: readonly SteamId[]) {
  return db
    .selectFrom('people')
    .select(['steam_id', 'library_visibility', 'friends_at'])
    .where('steam_id', 'in', ids)
    .execute()
}

/** A player and the state of their library; the last four columns are null while it was never read. */
export type PlayerWithLibrary = Awaited<ReturnType<typeof readPlayersWithLibraries>>[number]

/** Those of `steamIds` who have rows, with the state of their libraries; in no particular order. */
export function readPlayersWithLibraries(db: Queries | Tx, steamIds: readonly SteamId[]) {
  return inChunks(steamIds, (ids) => selectPlayersWithLibraries(db, ids).execute())
}

/** As {@link readPlayersWithLibraries}, with their packed games. */
export function readPlayersWithGames(db: Queries | Tx, steamIds: readonly SteamId[]) {
  return inChunks(steamIds, (ids) => selectPlayersWithLibraries(db, ids).select('libraries.packed').execute())
}

function selectPlayersWithLibraries(db: Queries | Tx, ids: SteamId[]) {
  return db
    .selectFrom('people')
    .leftJoin('libraries', 'libraries.steam_id', 'people.steam_id')
    .where('people.steam_id', 'in', ids)
    .select([
      'people.steam_id',
      'people.display_name',
      'people.avatar_url',
      'people.personastate',
      'people.playing',
      'people.playing_appid',
      'people.friends_status',
      'people.friends_at',
      'people.signed_in_at',
      'people.library_visibility',
      'people.hidden_appids',
      'people.country',
      'people.elsewhere',
      'libraries.version as library_version',
      'libraries.status as library_status',
      'libraries.synced_at as library_synced_at',
      'libraries.total_minutes',
    ])
}

export type ProfileToSave = {
  steamId: SteamId
  displayName: string | null
  avatarUrl: string | null
  personastate: number
  playing: string | null
  playingAppid: number | null
}

/**
 * Stores profiles that were requested at `at`. Null never replaces a stored name or avatar, the last of duplicate
 * profiles counts, and profiles of deleted accounts are ignored. So is a profile if a later request of it is stored
 * (SYNC-25). The transaction must have called `preventDeletions` or `lockAccounts` (`accounts.ts`).
 */
export async function saveProfiles(
  tx: Tx,
  profiles: readonly ProfileToSave[],
  at: number,
  now = at,
): Promise<void> {
  const unique = [...new Map(profiles.map((profile) => [profile.steamId, { ...profile }])).values()]
  const ids = column(unique, 'steamId')
  await nameGames(tx, unique)
  await ensurePlayers(tx, ids)
  // Locked, so that what is compared here is what is overwritten. Most presence is the same as a minute ago.
  const stored = await lockPlayers(tx, ids)
  const profilesOfStored = unique.filter(({ steamId }) => {
    const player = stored.get(steamId)
    return player && !isFromLaterRequest(player.profile_at, at, now)
  })
  const different = profilesOfStored.filter((profile) => !showsSame(stored.get(profile.steamId)!, profile))
  changed(tx, ['person', 'profile'], column(different, 'steamId'))
  // Two servers that lock overlapping sets of rows in different orders would deadlock.
  const inLockOrder = profilesOfStored.sort((a, b) => (a.steamId < b.steamId ? -1 : 1))
  await inChunks(inLockOrder, (chunk) =>
    tx
      .insertInto('people')
      .values(
        chunk.map((profile) => ({
          steam_id: profile.steamId,
          display_name: profile.displayName,
          avatar_url: profile.avatarUrl,
          personastate: profile.personastate,
          playing: profile.playing,
          playing_appid: profile.playingAppid,
          profile_at: at,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('steam_id').doUpdateSet((eb) => ({
          display_name: eb.fn.coalesce('excluded.display_name', 'people.display_name'),
          avatar_url: eb.fn.coalesce('excluded.avatar_url', 'people.avatar_url'),
          personastate: eb.ref('excluded.personastate'),
          playing: eb.ref('excluded.playing'),
          playing_appid: eb.ref('excluded.playing_appid'),
          profile_at: eb.ref('excluded.profile_at'),
        })),
      )
      .execute(),
  )
}

/** Gives a game that is played without a name its name in the catalogue (PLAT-27). */
async function nameGames(tx: Tx, profiles: readonly ProfileToSave[]): Promise<void> {
  const nameless = profiles.filter((profile) => profile.playing === null && profile.playingAppid !== null)
  if (nameless.length === 0) return
  const apps = await readApps(
    tx,
    nameless.map((profile) => profile.playingAppid!),
  )
  for (const profile of nameless) {
    const appid = profile.playingAppid!
    profile.playing = apps.get(appid)?.name ?? `App ${appid}`
  }
}

/** For how long presence is shown as it was read: Steam no longer returns some players, or does not answer (PLAT-45). */
export const PRESENCE_LASTS_MS = 10 * 60_000

/** Sets players whose presence was read too long ago to offline; they are few, and mostly none. */
export async function expirePresence(
  database: Pick<Database, 'queries' | 'transaction'>,
  now: number,
): Promise<void> {
  const before = now - PRESENCE_LASTS_MS
  const isOver = (eb: ExpressionBuilder<Schema, 'people'>) =>
    eb.and([
      eb.or([eb('personastate', '>', 0), eb('playing', 'is not', null)]),
      eb.or([eb('profile_at', 'is', null), eb('profile_at', '<=', before)]),
    ])
  const over = await database.queries.selectFrom('people').select('steam_id').where(isOver).execute()
  await inChunks(column(over, 'steam_id'), (ids) =>
    database.transaction(async (tx) => {
      await lockPlayers(tx, ids)
      const ended = await tx
        .updateTable('people')
        .set({ personastate: 0, playing: null, playing_appid: null })
        .where('steam_id', 'in', ids)
        .where(isOver)
        .returning('steam_id')
        .execute()
      changed(tx, ['person', 'profile'], column(ended, 'steam_id'))
      return ended
    }),
  )
}

/**
 * Whether what is stored was requested after `requestedAt`. A time in the future comes from a clock that was wrong, and
 * must not stop later reads (SYNC-25).
 */
export function isFromLaterRequest(storedAt: number | null, requestedAt: number, now: number): boolean {
  return storedAt !== null && storedAt > requestedAt && storedAt <= now
}

/** Whether storing a profile changes nothing, or only the time when it was read. */
function showsSame(stored: PlayerRow, profile: ProfileToSave): boolean {
  return (
    (profile.displayName ?? stored.display_name) === stored.display_name &&
    (profile.avatarUrl ?? stored.avatar_url) === stored.avatar_url &&
    profile.personastate === stored.personastate &&
    profile.playing === stored.playing &&
    profile.playingAppid === stored.playing_appid
  )
}

/**
 * Gives each id a row, except ids of deleted accounts and those that have one, in the lock order of {@link
 * saveProfiles}. The transaction must have called `preventDeletions` or `lockAccounts` (`accounts.ts`).
 */
export async function ensurePlayers(tx: Tx, steamIds: readonly SteamId[]): Promise<void> {
  const ids = [...new Set(steamIds)].sort()
  const known = new Set(await playersAmong(tx, ids))
  const unknown = ids.filter((id) => !known.has(id))
  const deleted = await deletedAmong(tx, unknown)
  const missing = unknown.filter((id) => !deleted.has(id))
  changed(tx, 'person', missing)
  await inChunks(missing, (chunk) =>
    tx
      .insertInto('people')
      .values(chunk.map((steam_id) => ({ steam_id })))
      .onConflict((conflict) => conflict.column('steam_id').doNothing())
      .execute(),
  )
}

/** Sets some of a user's settings; a blocked account is left unchanged. */
export async function setSettings(
  tx: Tx,
  steamId: SteamId,
  settings: Partial<
    Pick<PlayerRow, 'library_visibility' | 'theme' | 'language' | 'country' | 'notifications'>
  >,
): Promise<void> {
  if (Object.keys(settings).length === 0) return
  const { numUpdatedRows } = await tx
    .updateTable('people')
    .set(settings)
    .where('steam_id', '=', steamId)
    .where('blocked_at', 'is', null)
    .executeTakeFirst()
  const isChanged = numUpdatedRows > 0n
  changed(tx, 'person', isChanged ? [steamId] : [])
  changed(tx, 'profile', isChanged && settings.library_visibility !== undefined ? [steamId] : [])
}

/** Replaces the games that a player hides; the transaction must have locked the player. */
export function setHiddenGames(tx: Tx, steamId: SteamId, appids: readonly number[]): Promise<void> {
  return setGames(tx, steamId, { hidden_appids: appids.toSorted((a, b) => a - b).join(',') || null })
}

/** Replaces the games that a player owns elsewhere; the transaction must have locked the player. */
export function setElsewhere(tx: Tx, steamId: SteamId, games: ReadonlyMap<number, ElsewherePlace>) {
  const elsewhere = [...games].map(([appid, where]) => `${appid}:${where}`).join(',') || null
  return setGames(tx, steamId, { elsewhere })
}

async function setGames(tx: Tx, steamId: SteamId, games: Updateable<Schema['people']>): Promise<void> {
  changed(tx, ['person', 'library'], [steamId])
  await tx.updateTable('people').set(games).where('steam_id', '=', steamId).execute()
}

/** Value of `recent_uses` when no sync counts any more. */
export const NO_USES = ''

/** Those of `steamIds` whose accounts are deleted, with the time of deletion. */
export async function deletedAmong(db: Queries | Tx, steamIds: readonly SteamId[]) {
  if (steamIds.length === 0) return new Map()
  const hash = await keyedHasher(db, 'deleted account')
  const idByHash = new Map(steamIds.map((steamId) => [hash(steamId), steamId]))
  const rows = await db
    .selectFrom('deleted_accounts')
    .select(['id_hash', 'deleted_at'])
    .where('id_hash', 'in', [...idByHash.keys()])
    .execute()
  return new Map(rows.map((row) => [idByHash.get(row.id_hash)!, row.deleted_at]))
}
