/**
 * Groups. Transactions that change groups or members take locks in one order, to avoid deadlocks: first the players
 * whose groups are counted (`lockPlayers`), then the groups (`lockGroup`), then memberships (`lockMembership`).
 * Requirements: LIM-10.
 */
import type { SteamId } from '#shared/entities.ts'
import type { Updateable } from 'kysely'
import { column, deleteRows } from '../../database/chunks.ts'
import { lockRows } from '../../database/row-locks.ts'
import type { Queries, Schema, Tx } from '../../database/schema.ts'
import { changed } from '../../database/cache-tags.ts'
import { findGroupRow } from './group-row.ts'
import { addMembers } from './memberships.ts'
import { deleteWebhooks } from '../notifications/messages.ts'
import { deleteNightsOfGroups } from '../nights/nights.ts'
import { lockPlayers, readPlayers } from '../players/players.ts'

/** Creates a group whose owner is its first member; returns its id. */
export async function createGroup(
  tx: Tx,
  { name, owner, at }: { name: string; owner: SteamId; at: number },
): Promise<number> {
  const { group_id } = await tx
    .insertInto('groups')
    .values({ name, owner_steam_id: owner, created_at: at })
    .returning('group_id')
    .executeTakeFirstOrThrow()
  await addMembers(tx, group_id, [owner], { by: null, at })
  return group_id
}

/** A group as one of its members sees it; undefined when `member` is not a member. */
export async function findGroup(db: Queries | Tx, groupId: number, member: SteamId) {
  return (await readGroups(db, [groupId], member))[0]
}

/** The owner of a group; undefined where there is no group, as for nights of chosen players. */
export async function findGroupOwner(db: Queries | Tx, groupId: number | null): Promise<SteamId | undefined> {
  return (await findGroupRow(db, groupId))?.owner_steam_id
}

/**
 * The groups of a player, newest first. On several machines only their ids are asked of every shard, and the rest of the
 * shards that have them.
 */
export async function listGroupsOf(db: Queries | Tx, steamId: SteamId) {
  const memberships = db.selectFrom('group_members').select('group_id').where('steam_id', '=', steamId)
  const groups = await readGroups(db, column(await memberships.execute(), 'group_id'), steamId)
  return groups.sort((a, b) => b.group_id - a.group_id)
}

/** Those of some groups that a player is in, with the number of members, and the player's own invitation. */
async function readGroups(db: Queries | Tx, groupIds: readonly number[], member: SteamId) {
  const rows = await db
    .selectFrom('group_members as mine')
    .innerJoin('groups', 'groups.group_id', 'mine.group_id')
    .innerJoin('group_members as all', 'all.group_id', 'mine.group_id')
    .where('mine.group_id', 'in', groupIds)
    .where('mine.steam_id', '=', member)
    .selectAll('groups')
    .select((eb) => [
      'mine.added_at',
      'mine.joined_at',
      'mine.added_by',
      eb.fn.countAll<number>().as('member_count'),
    ])
    .groupBy(['groups.group_id', 'mine.steam_id', 'mine.added_at', 'mine.joined_at', 'mine.added_by'])
    .execute()
  const adders = await readPlayers(db, [...new Set(rows.flatMap((row) => row.added_by ?? []))])
  return rows.map(({ added_by, ...row }) => ({ ...row, adder: adders.get(added_by ?? '') }))
}

/** Locks a group until the transaction ends; undefined when it does not exist. Call it after `lockPlayers`. */
export async function lockGroup(tx: Tx, groupId: number) {
  return (await lockGroups(tx, [groupId]))[0]
}

/** Like {@link lockGroup}, for several; those that do not exist are missing from the result. */
export function lockGroups(tx: Tx, groupIds: readonly number[]) {
  return lockRows(tx, 'group', groupIds, (ids) =>
    tx
      .selectFrom('groups')
      .select(['group_id', 'owner_steam_id', 'name'])
      .where('group_id', 'in', ids)
      .orderBy('group_id'),
  )
}

/** Of so many groups it is looked up when their members' libraries were read. */
const LAST_SYNCED_MAX = 20
/** Groups that a player has joined: those whose games were synced last, then the newest. */
export function lastSyncedGroups(db: Queries | Tx, steamId: SteamId) {
  return db
    .selectFrom('groups')
    .innerJoin('group_members', 'group_members.group_id', 'groups.group_id')
    .select(['groups.group_id', 'groups.name', 'groups.synced_at'])
    .where('group_members.steam_id', '=', steamId)
    .where('group_members.joined_at', 'is not', null)
    .orderBy('groups.synced_at', (order) => order.desc().nullsLast())
    .orderBy('groups.group_id', 'desc')
    .limit(LAST_SYNCED_MAX)
    .execute()
}

/** The number of groups that each of `steamIds` owns; players who own none are missing. */
export async function countOwned(
  db: Queries | Tx,
  steamIds: readonly SteamId[],
): Promise<Map<SteamId, number>> {
  const rows = await db
    .selectFrom('groups')
    .select((eb) => ['owner_steam_id', eb.fn.countAll<number>().as('count')])
    .where('owner_steam_id', 'in', steamIds)
    .groupBy('owner_steam_id')
    .execute()
  return new Map(rows.map((row) => [row.owner_steam_id, Number(row.count)]))
}

/** Changes a group, such as its name, or when its games were synced. */
export async function changeGroup(
  tx: Tx,
  groupId: number,
  change: Omit<Updateable<Schema['groups']>, 'group_id'>,
): Promise<void> {
  changed(tx, 'group', [groupId])
  await tx.updateTable('groups').set(change).where('group_id', '=', groupId).execute()
}

/** Deletes groups with their members, departures, game nights, games, corrections, links and webhooks. */
export async function deleteGroups(tx: Tx, groupIds: readonly number[]): Promise<void> {
  await deleteNightsOfGroups(tx, groupIds)
  await deleteWebhooks(tx, { groupIds })
  changed(tx, 'group', groupIds)
  await deleteRows(
    tx,
    ['invites', 'year_links', 'group_reports', 'group_game_players', 'group_departures'],
    'group_id',
    groupIds,
  )
  const games = await tx
    .deleteFrom('group_games')
    .where('group_id', 'in', groupIds)
    .returning('appid')
    .execute()
  changed(tx, 'app', column(games, 'appid'))
  const members = await tx
    .deleteFrom('group_members')
    .where('group_id', 'in', groupIds)
    .returning('steam_id')
    .execute()
  // Former members are told nothing (LIVE-3).
  changed(tx, 'groups', column(members, 'steam_id'))
  await deleteRows(tx, ['groups'], 'group_id', groupIds)
}

/**
 * Locks a player who leaves and the members who may become owners: of one group, which the player may come to own while
 * they wait, or of all groups they own. Call it before `lockGroup`.
 */
export async function lockForLeaving(tx: Tx, steamId: SteamId, groupId?: number): Promise<void> {
  const joined = tx
    .selectFrom('groups')
    .innerJoin('group_members', 'group_members.group_id', 'groups.group_id')
    .select('group_members.steam_id')
    .distinct()
    .where('group_members.joined_at', 'is not', null)
  const rows = await (
    groupId === undefined
      ? joined.where('groups.owner_steam_id', '=', steamId)
      : joined.where('groups.group_id', '=', groupId)
  ).execute()
  await lockPlayers(tx, [steamId, ...rows.map((row) => row.steam_id)])
}
