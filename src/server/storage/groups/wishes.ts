/** Games that members want to play with their group (WISH-1), and the Steam wishlists of users (WISH-4). */
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import { column } from '../../database/chunks.ts'
import { changed } from '../../database/cache-tags.ts'
import type { Queries, Schema, Tx } from '../../database/schema.ts'
import { hiddenAppids } from '../../library/library.ts'
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
