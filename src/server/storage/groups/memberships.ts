/**
 * Memberships of groups: adding, joining, ending (MEM-1 to MEM-7); and former members, how they left, and whether they may
 * come back (MEM-7 to MEM-13).
 */
import type { SteamId } from '#shared/entities.ts'
import { sql } from 'kysely'
import { column, upsert } from '../../database/chunks.ts'
import { lockRows } from '../../database/row-locks.ts'
import type { Queries, Tx } from '../../database/schema.ts'
import { changed } from '../../database/cache-tags.ts'
import { forgetAdder } from './games.ts'
import { deleteLinksBy } from './links.ts'
import { readPlayers, readPlayersWithLibraries } from '../players/players.ts'

/** Locks a membership until the transaction ends; undefined when there is none. Call it after `lockGroup`. */
export async function lockMembership(tx: Tx, groupId: number, steamId: SteamId) {
  const rows = await lockRows(tx, 'membership', [`${groupId}:${steamId}`], () =>
    tx
      .selectFrom('group_members')
      .select('joined_at')
      .where('group_id', '=', groupId)
      .where('steam_id', '=', steamId),
  )
  return rows[0]
}

/** Ids of a group's members: owner first, then in the order they were added. */
export async function listMemberIds(db: Queries | Tx, groupId: number): Promise<SteamId[]> {
  return column(await membersOf(db, groupId), 'steam_id')
}
function membersOf(db: Queries | Tx, groupId: number) {
  return db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.group_id', 'group_members.group_id')
    .select(['group_members.steam_id', 'group_members.joined_at'])
    .where('group_members.group_id', '=', groupId)
    .orderBy(sql`CASE WHEN group_members.steam_id = groups.owner_steam_id THEN 0 ELSE 1 END`)
    .orderBy('group_members.added_at')
    .orderBy('group_members.steam_id')
    .execute()
}

/**
 * Ids of the members of several groups, by group, in no particular order.
 * @param who 'joined' for those alone who have joined
 */
export async function listMemberIdsByGroup(
  db: Queries | Tx,
  groupIds: readonly number[],
  who: 'all' | 'joined' = 'all',
): Promise<Map<number, SteamId[]>> {
  const byGroup = new Map<number, SteamId[]>(groupIds.map((groupId) => [groupId, []]))
  const rows = await db
    .selectFrom('group_members')
    .select(['group_id', 'steam_id', 'joined_at'])
    .where('group_id', 'in', groupIds)
    .execute()
  for (const { group_id, steam_id, joined_at } of rows)
    if (who === 'all' || joined_at !== null) byGroup.get(group_id)!.push(steam_id)
  return byGroup
}

/** Ids of the groups that each of these players has joined; those who have joined none are missing. */
export async function listJoinedGroupIds(
  db: Queries | Tx,
  steamIds: readonly SteamId[],
): Promise<Map<SteamId, number[]>> {
  const rows = await db
    .selectFrom('group_members')
    .select(['steam_id', 'group_id'])
    .where('steam_id', 'in', steamIds)
    .where('joined_at', 'is not', null)
    .execute()
  const byPlayer = Map.groupBy(rows, (row) => row.steam_id)
  return new Map([...byPlayer].map(([steamId, groups]) => [steamId, column(groups, 'group_id')]))
}

/** Members of a group who have joined it. */
export async function joinedMemberIds(db: Queries | Tx, groupId: number): Promise<SteamId[]> {
  return (await listMemberIdsByGroup(db, [groupId], 'joined')).get(groupId)!
}

/** A group's members with their profiles and library status: owner first, then in the order they were added. */
export async function listMembers(db: Queries | Tx, groupId: number) {
  const members = await membersOf(db, groupId)
  // Read apart, because groups and players are sharded differently.
  const players = await readPlayersWithLibraries(db, column(members, 'steam_id'))
  const byId = new Map(players.map((player) => [player.steam_id, player]))
  return members.flatMap(({ steam_id, joined_at }) => {
    const player = byId.get(steam_id)
    return player ? { ...player, joined_at } : []
  })
}

/**
 * Adds members: those whom another adds have not joined; players who come on their own (`by` is null) have, also those who
 * are members. Other memberships stay unchanged. Records of earlier departures are deleted. All must have rows in `people`.
 */
export async function addMembers(
  tx: Tx,
  groupId: number,
  steamIds: readonly SteamId[],
  { by, at }: { by: SteamId | null; at: number },
): Promise<void> {
  changed(tx, 'group', [groupId])
  changed(tx, 'groups', steamIds)
  const joined_at = by === null ? at : null
  const row = { group_id: groupId, added_at: at, added_by: by, joined_at }
  await tx
    .insertInto('group_members')
    .values(steamIds.map((steam_id) => ({ ...row, steam_id })))
    .onConflict((conflict) =>
      conflict.columns(['group_id', 'steam_id']).doUpdateSet((eb) => ({
        joined_at: eb.fn.coalesce('group_members.joined_at', 'excluded.joined_at'),
      })),
    )
    .execute()
  await tx
    .deleteFrom('group_departures')
    .where('group_id', '=', groupId)
    .where('steam_id', 'in', steamIds)
    .execute()
}

/**
 * The number of groups each of `steamIds` is in, and the number of those they have not joined and were added to by
 * `adder`; players in no group are missing.
 */
export async function countMemberships(
  db: Queries | Tx,
  steamIds: readonly SteamId[],
  adder: SteamId,
): Promise<Map<SteamId, { all: number; fromAdder: number }>> {
  const rows = await db
    .selectFrom('group_members')
    .select((eb) => [
      'steam_id',
      eb.fn.countAll<number>().as('all'),
      eb.fn
        .countAll<number>()
        .filterWhere('joined_at', 'is', null)
        .filterWhere('added_by', '=', adder)
        .as('from_adder'),
    ])
    .where('steam_id', 'in', steamIds)
    .groupBy('steam_id')
    .execute()
  return new Map(
    rows.map((row) => [row.steam_id, { all: Number(row.all), fromAdder: Number(row.from_adder) }]),
  )
}

/** Ends a membership and records how it ended (MEM-7); false when there was none. */
export async function endMembership(
  tx: Tx,
  groupId: number,
  steamId: SteamId,
  { removed, at }: { removed: boolean; at: number },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('group_members')
    .where('group_id', '=', groupId)
    .where('steam_id', '=', steamId)
    .executeTakeFirst()
  const hasEnded = numDeletedRows > 0n
  changed(tx, 'group', hasEnded ? [groupId] : [])
  changed(tx, 'groups', hasEnded ? [steamId] : [])
  if (!hasEnded) return false
  const terms = { left_at: at, removed: removed ? 1 : 0, may_return: removed ? 0 : 1 } as const
  await upsert(tx, 'group_departures', { group_id: groupId, steam_id: steamId }, terms)
  await deleteLinksBy(tx, steamId, { group_id: groupId })
  await forgetAdder(tx, steamId, groupId)
  return true
}

/** Those of `steamIds` who left the group, declined, or were removed by its owner; and who may rejoin on their own. */
export function departuresAmong(db: Queries | Tx, groupId: number, steamIds: readonly SteamId[]) {
  return db
    .selectFrom('group_departures')
    .select(['steam_id', 'removed', 'may_return'])
    .where('group_id', '=', groupId)
    .where('steam_id', 'in', steamIds)
    .execute()
}

/** Whether a former member may rejoin the group on their own. */
export async function mayReturn(db: Queries | Tx, groupId: number, steamId: SteamId): Promise<boolean> {
  return (await departuresAmong(db, groupId, [steamId]))[0]?.may_return === 1
}

/** Sets whether a former member may rejoin on their own; false when the player is not a former member. */
export async function setMayReturn(
  tx: Tx,
  groupId: number,
  steamId: SteamId,
  may: boolean,
): Promise<boolean> {
  const [before] = await departuresAmong(tx, groupId, [steamId])
  const may_return = may ? 1 : 0
  // Their pages are not told of a setting that stays (LIVE-3).
  if (before && before.may_return !== may_return) {
    changed(tx, 'groups', [steamId])
    const theirs = tx.updateTable('group_departures').where('group_id', '=', groupId)
    await theirs.where('steam_id', '=', steamId).set({ may_return }).execute()
  }
  return before !== undefined
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
export function listLeftGroups(db: Queries | Tx, steamId: SteamId) {
  return db
    .selectFrom('group_departures')
    .innerJoin('groups', 'groups.group_id', 'group_departures.group_id')
    .where('steam_id', '=', steamId)
    .where('may_return', '=', 1)
    .select(['groups.group_id', 'groups.name'])
    .orderBy('left_at', 'desc')
    .orderBy('groups.group_id', 'desc')
    .limit(LISTED)
    .execute()
}
