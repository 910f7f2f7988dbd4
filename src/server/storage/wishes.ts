/** Games that members want to play with their group (WISH-1). */
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import { column } from '../database/chunks.ts'
import { changed } from '../database/cache-tags.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { picksOf } from './night-votes.ts'

/** Games and since when they are wanted. */
export type Wishes = ReadonlyMap<number, number>

function unpack(column: string | null): Map<number, number> {
  const wishes = column ? column.split(',').map((text) => text.split(':').map(Number)) : []
  return new Map(wishes as [number, number][])
}

/** What members who have joined want, without what they have played since in a night of the group that is past. */
export async function readWishes(
  db: Queries | Tx,
  groupId: number,
  now: number,
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
  if (wishesOf.size === 0) return wishesOf
  const oldest = Math.min(...[...wishesOf.values()].flatMap((games) => [...games.values()]))
  const nights = await db
    .selectFrom('nights')
    .innerJoin('night_people', 'night_people.night_id', 'nights.night_id')
    .select(['nights.night_id', 'starts_at', 'steam_id'])
    .where('group_id', '=', groupId)
    .where('status', '=', 'decided')
    .where('starts_at', '>=', oldest)
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
  changed(tx, 'group', [groupId])
  const packed = [...wishes].map(([appid, at]) => `${appid}:${at}`).join(',') || null
  await tx
    .updateTable('group_members')
    .set({ wishes: packed })
    .where('group_id', '=', groupId)
    .where('steam_id', '=', steamId)
    .execute()
}

/** The groups with which a user wants to play a game. */
export async function groupsWanting(db: Queries, steamId: SteamId, appid: number): Promise<number[]> {
  const rows = await db
    .selectFrom('group_members')
    .select(['group_id', 'wishes'])
    .where('steam_id', '=', steamId)
    .where('wishes', 'is not', null)
    .execute()
  return column(
    rows.filter(({ wishes }) => unpack(wishes).has(appid)),
    'group_id',
  )
}
