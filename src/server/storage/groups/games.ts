/**
 * What groups know of games: those that members want to play (WISH-1), games that are not on Steam (API-56), and how many can
 * play one (API-53, API-54); and the Steam wishlists of users (WISH-4).
 */
import { sql, type SqlBool } from 'kysely'
import type { AddedGame, SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import { ADDED_APPIDS_FROM } from '#shared/playable.ts'
import { changed } from '../../database/cache-tags.ts'
import { column } from '../../database/chunks.ts'
import type { Database } from '../../database/database.ts'
import type { Queries, Schema, Tx } from '../../database/schema.ts'
import { hiddenAppids } from '../../library/library.ts'
import { readValue, writeValue } from '../installation.ts'
import { picksOf } from '../nights/nights.ts'

/** Games and since when they are wanted. */
export type Wishes = ReadonlyMap<number, number>

function unpack(column: string | null): Map<number, number> {
  const wishes = column ? column.split(',').map((text) => text.split(':').map(Number)) : []
  return new Map(wishes as [number, number][])
}

/**
 * What members who have joined want, without what they have played since in a night of the group that is past.
 * @param viewer who alone reads what they want and hide (VIS-8); null for what everybody may know
 */
export async function readWishes(
  db: Queries | Tx,
  groupId: number,
  { viewer, now }: { viewer: SteamId | null; now: number },
): Promise<Map<SteamId, Wishes>> {
  const members = await db
    .selectFrom('group_members')
    .select(['steam_id', 'wishes'])
    .where('group_id', '=', groupId)
    .where('joined_at', 'is not', null)
    .where('wishes', 'is not', null)
    .orderBy('steam_id')
    .execute()
  const wishesOf = new Map(members.map(({ steam_id, wishes }) => [steam_id, unpack(wishes)]))
  // Read apart, because groups and players are sharded differently.
  const hiding = await db
    .selectFrom('people')
    .select(['steam_id', 'hidden_appids'])
    .where('steam_id', 'in', column(members, 'steam_id'))
    .where('hidden_appids', 'is not', null)
    .execute()
  for (const { steam_id, hidden_appids } of hiding)
    if (steam_id !== viewer)
      for (const appid of hiddenAppids(hidden_appids)) wishesOf.get(steam_id)!.delete(appid)
  const times = [...wishesOf.values()].flatMap((games) => [...games.values()])
  if (times.length === 0) return new Map()
  const nights = await db
    .selectFrom('nights')
    .innerJoin('night_people', 'night_people.night_id', 'nights.night_id')
    .select(['nights.night_id', 'starts_at', 'steam_id'])
    .where('group_id', '=', groupId)
    .where('status', '=', 'decided')
    .where('starts_at', '>=', Math.min(...times))
    .where('starts_at', '<=', now - NIGHT_LENGTH_MS)
    .where('answer', '=', 'in')
    .execute()
  const picks = await picksOf(db, [...new Set(column(nights, 'night_id'))])
  for (const { night_id, starts_at, steam_id } of nights) {
    const pick = picks.get(night_id)
    const since = pick === undefined ? undefined : wishesOf.get(steam_id)?.get(pick)
    if (since !== undefined && since <= starts_at) wishesOf.get(steam_id)!.delete(pick!)
  }
  return wishesOf
}

/** Replaces what a member wants; the group must be locked. */
export async function setWishes(tx: Tx, groupId: number, steamId: SteamId, wishes: Wishes): Promise<void> {
  changed(tx, 'wishes', [groupId])
  const packed = [...wishes].map(([appid, at]) => `${appid}:${at}`).join(',') || null
  await tx
    .updateTable('group_members')
    .set({ wishes: packed })
    .where('group_id', '=', groupId)
    .where('steam_id', '=', steamId)
    .execute()
}

/** Takes a game from what the members of a locked group want. */
export async function forgetWishes(tx: Tx, groupId: number, appid: number): Promise<void> {
  const members = await tx
    .selectFrom('group_members')
    .select(['steam_id', 'wishes'])
    .where('group_id', '=', groupId)
    .where('wishes', 'like', `%${appid}:%`)
    .execute()
  for (const { steam_id, wishes } of members) {
    const left = unpack(wishes)
    left.delete(appid)
    await setWishes(tx, groupId, steam_id, left)
  }
}

/** The groups with which a user wants to play a game. */
export async function groupsWanting(db: Queries, steamId: SteamId, appid: number): Promise<number[]> {
  const rows = await db
    .selectFrom('group_members')
    .select(['group_id', 'wishes'])
    .where('steam_id', '=', steamId)
    .where('wishes', 'is not', null)
    .execute()
  const wanting = rows.filter(({ wishes }) => unpack(wishes).has(appid))
  return column(wanting, 'group_id')
}

/** The wishlists of those of `steamIds` who let them be read; Steam may be asked again when they are due. */
export async function readWishlists(db: Queries | Tx, steamIds: readonly SteamId[]) {
  const rows = await db
    .selectFrom('wishlists')
    .select(['steam_id', 'status', 'appids', 'due_at'])
    .$narrowType<{ status: Exclude<Schema['wishlists']['status'], 'off'> }>()
    .where('steam_id', 'in', steamIds)
    .where('status', '<>', 'off')
    .execute()
  return new Map(
    rows.map(({ appids, ...row }) => [
      row.steam_id,
      { ...row, appids: appids ? appids.split(',').map(Number) : [] },
    ]),
  )
}

/** Lets a user's wishlist be read, or ends that and removes what was read; the user must be locked. */
export async function letWishlistBeRead(tx: Tx, steamId: SteamId, isLet: boolean): Promise<void> {
  changed(tx, 'library', [steamId])
  const status = isLet ? 'waiting' : 'off'
  await tx
    .insertInto('wishlists')
    .values({ steam_id: steamId, status })
    .onConflict((conflict) =>
      conflict
        .column('steam_id')
        // Steam is asked once a day however often it is switched.
        .doUpdateSet({ status, appids: null })
        .where('wishlists.status', isLet ? '=' : '<>', 'off'),
    )
    .execute()
}

/** Sets when Steam may be asked about a wishlist again. With `now`, only one that is due then; false where it is not. */
export async function putOffWishlist(
  db: Queries,
  steamId: SteamId,
  until: number,
  now?: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('wishlists')
    .set({ due_at: until })
    .where('steam_id', '=', steamId)
    .where('status', '<>', 'off')
    .$if(now !== undefined, (all) => all.where('due_at', '<=', now!))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores what came of a read; games stay where it says none. False where the user does not let it be read any more. */
export async function saveWishlist(
  tx: Tx,
  steamId: SteamId,
  read: { status: 'ok'; appids: readonly number[] } | { status: 'empty' | 'failed' },
): Promise<boolean> {
  changed(tx, 'library', [steamId])
  const { numUpdatedRows } = await tx
    .updateTable('wishlists')
    .set({ status: read.status, ...(read.status === 'ok' && { appids: read.appids.join(',') }) })
    .where('steam_id', '=', steamId)
    .where('status', '<>', 'off')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The games of a group, by appid. */
export function listAddedGames(db: Queries | Tx, groupId: number): Promise<AddedGame[]> {
  return db
    .selectFrom('group_games')
    .select(['appid', 'name', 'link', 'added_by'])
    .where('group_id', '=', groupId)
    .where('link', 'is not', null)
    .orderBy('appid')
    .$narrowType<{ link: string }>()
    .execute()
}

/** Adds a game under a new appid, which is returned. Takes the lock of all appids until the transaction ends. */
export async function addGame(
  database: Pick<Database, 'lock'>,
  tx: Tx,
  groupId: number,
  game: { name: string; link: string; added_by: SteamId; added_at: number },
): Promise<number> {
  await database.lock(tx, 'added games')
  const appid = Number((await readValue(tx, 'added_appid')) ?? ADDED_APPIDS_FROM) + 1
  await writeValue(tx, 'added_appid', String(appid))
  changed(tx, 'group', [groupId])
  changed(tx, 'app', [appid])
  await tx
    .insertInto('group_games')
    .values({ group_id: groupId, appid, ...game })
    .execute()
  return appid
}

/** Takes a game away from a locked group. Votes that had it keep its name, and so do those that may be ending now. */
export async function takeGameAway(tx: Tx, groupId: number, appid: number): Promise<void> {
  changed(tx, 'group', [groupId])
  changed(tx, 'app', [appid])
  await forgetWishes(tx, groupId, appid)
  const keeping = await tx
    .selectFrom('nights')
    .select('night_id')
    .where('group_id', '=', groupId)
    .where((eb) => eb.or([eb('result', 'is', null), eb('result', 'like', `%${appid}%`)]))
    .limit(1)
    .execute()
  const where = sql<SqlBool>`group_id = ${groupId} AND appid = ${appid}`
  await tx.deleteFrom('group_game_players').where(where).execute()
  await (
    keeping.length > 0
      ? tx.updateTable('group_games').set({ link: null, added_by: null }).where(where)
      : tx.deleteFrom('group_games').where(where)
  ).execute()
}

/** Who has left a group, or all of them, added none of its games. */
export async function forgetAdder(tx: Tx, steamId: SteamId, groupId?: number): Promise<void> {
  const added = tx.updateTable('group_games').set({ added_by: null }).where('added_by', '=', steamId)
  await (groupId === undefined ? added : added.where('group_id', '=', groupId)).execute()
}

/** The appids of a group's games. */
export async function readAddedAppids(db: Queries | Tx, groupId: number): Promise<readonly number[]> {
  return column(await listAddedGames(db, groupId), 'appid')
}

/** The corrections of a group, by appid. */
export type Corrections = ReadonlyMap<number, number>

/** How many can play, by appid, for the games that a group has corrected. */
export async function readCorrections(db: Queries | Tx, groupId: number): Promise<Corrections> {
  const rows = await db
    .selectFrom('group_game_players')
    .select(['appid', 'players_max'])
    .where('group_id', '=', groupId)
    .execute()
  return new Map(rows.map((row) => [row.appid, row.players_max]))
}

/** The corrections of a player whose account is deleted stay, without saying whose they are. */
export async function forgetCorrector(tx: Tx, steamId: SteamId): Promise<void> {
  const rows = await tx
    .updateTable('group_game_players')
    .set({ corrected_by: null })
    .where('corrected_by', '=', steamId)
    .returning('group_id')
    .execute()
  changed(tx, 'group', column(rows, 'group_id'))
}
