/** Games that members want to play with their group (WISH-1). */
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import { column, inChunks } from '../database/chunks.ts'
import { changed } from '../database/cache-tags.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { hiddenAppids } from '../library/library.ts'
import { picksOf } from './night-votes.ts'

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
  const hiding = await inChunks(column(members, 'steam_id'), (ids) =>
    db
      .selectFrom('people')
      .select(['steam_id', 'hidden_appids'])
      .where('steam_id', 'in', ids)
      .where('hidden_appids', 'is not', null)
      .execute(),
  )
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
