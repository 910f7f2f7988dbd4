/** Former members of groups: how they left, and whether they may come back (MEM-7 to MEM-13). */
import type { SteamId } from '#shared/entities.ts'
import { column, inChunks } from '../database/chunks.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { changed } from '../database/cache-tags.ts'
import { readPlayers } from './players.ts'

/** Those of `steamIds` who left the group, declined, or were removed by its owner. */
export function departuresAmong(db: Queries | Tx, groupId: number, steamIds: readonly SteamId[]) {
  return inChunks(steamIds, (ids) =>
    db
      .selectFrom('group_departures')
      .select(['steam_id', 'removed'])
      .where('group_id', '=', groupId)
      .where('steam_id', 'in', ids)
      .execute(),
  )
}

/** Whether a former member may rejoin the group on their own. */
export async function mayReturn(db: Queries | Tx, groupId: number, steamId: SteamId): Promise<boolean> {
  return (await departureOf(db, groupId, steamId))?.may_return === 1
}

function departureOf(db: Queries | Tx, groupId: number, steamId: SteamId) {
  return db
    .selectFrom('group_departures')
    .select('may_return')
    .where('group_id', '=', groupId)
    .where('steam_id', '=', steamId)
    .executeTakeFirst()
}

/** Sets whether a former member may rejoin on their own; false when the player is not a former member. */
export async function setMayReturn(
  tx: Tx,
  groupId: number,
  steamId: SteamId,
  may: boolean,
): Promise<boolean> {
  const before = await departureOf(tx, groupId, steamId)
  if (!before) return false
  const may_return = may ? 1 : 0
  // Their pages are not told of a setting that stays (LIVE-3).
  if (before.may_return === may_return) return true
  changed(tx, 'groups', [steamId])
  await tx
    .updateTable('group_departures')
    .set({ may_return })
    .where('group_id', '=', groupId)
    .where('steam_id', '=', steamId)
    .execute()
  return true
}

/** As many are listed. */
const LISTED = 200

/** Former members of a group, latest first. */
export async function listFormerMembers(db: Queries | Tx, groupId: number) {
  const departures = await db
    .selectFrom('group_departures')
    .where('group_id', '=', groupId)
    .select(['steam_id', 'removed', 'may_return', 'left_at'])
    .orderBy('left_at', 'desc')
    .orderBy('steam_id')
    .limit(LISTED)
    .execute()
  const players = await readPlayers(db, column(departures, 'steam_id'))
  return departures.flatMap((row) => {
    const player = players.get(row.steam_id)
    return player ? { ...row, display_name: player.display_name, avatar_url: player.avatar_url } : []
  })
}

/** Groups that a player left or declined and may rejoin, latest first. */
export async function listLeftGroups(db: Queries | Tx, steamId: SteamId) {
  const rows = await db
    .selectFrom('group_departures')
    .innerJoin('groups', 'groups.group_id', 'group_departures.group_id')
    .where('steam_id', '=', steamId)
    .where('may_return', '=', 1)
    .select(['groups.group_id', 'groups.name'])
    .orderBy('left_at', 'desc')
    .orderBy('groups.group_id', 'desc')
    .limit(LISTED)
    .execute()
  return rows
}

/** Deletes the records of players who are members again; the caller names the cache tags. */
export async function deleteDepartures(tx: Tx, groupId: number, steamIds: readonly SteamId[]): Promise<void> {
  await inChunks(steamIds, (ids) =>
    tx.deleteFrom('group_departures').where('group_id', '=', groupId).where('steam_id', 'in', ids).execute(),
  )
}
