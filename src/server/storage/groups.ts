/** Groups and their members. */
import type { SteamId } from '#shared/entities.ts'
import { sql } from 'kysely'
import { prepared } from './prepared.ts'
import type { Queries, Tx } from './schema.ts'

/** Creates a group whose owner is its first member; returns its id. */
export async function createGroup(
  tx: Tx,
  { name, owner, at }: { name: string; owner: SteamId; at: number },
): Promise<number> {
  const { group_id } = await tx
    .insertInto('groups')
    .values({
      name,
      owner_steam_id: owner,
      picture_url: null,
      picture_key: null,
      created_at: at,
      synced_at: null,
    })
    .returning('group_id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('group_members')
    .values({ group_id, steam_id: owner, added_at: at, joined_at: at, added_by: null })
    .execute()
  return group_id
}

/** One group with the number of its members. */
export function findGroup(db: Queries | Tx, groupId: number) {
  return groupsWithCount(db).where('groups.group_id', '=', groupId).executeTakeFirst()
}

/** Groups somebody is a member of, newest first. */
export function listGroupsOf(db: Queries | Tx, steamId: SteamId) {
  return groupsWithCount(db)
    .where('groups.group_id', 'in', (eb) =>
      eb.selectFrom('group_members').select('group_id').where('steam_id', '=', steamId),
    )
    .orderBy('groups.group_id', 'desc')
    .execute()
}

/** Groups of somebody whose games were synced since a time, latest first. */
export function recentlySyncedGroups(db: Queries | Tx, steamId: SteamId, since: number, limit: number) {
  return db
    .selectFrom('groups')
    .innerJoin('group_members', 'group_members.group_id', 'groups.group_id')
    .select(['groups.group_id', 'groups.name', 'groups.synced_at'])
    .where('group_members.steam_id', '=', steamId)
    .where('groups.synced_at', '>=', since)
    .orderBy('groups.synced_at', 'desc')
    .limit(limit)
    .execute()
}

/** Whether somebody is a member. */
export async function isMember(db: Queries | Tx, groupId: number, steamId: SteamId): Promise<boolean> {
  return (await membership(db, { groupId, steamId })).length > 0
}
const membership = prepared<{ groupId: number; steamId: SteamId }, { steam_id: SteamId }>((db, value) =>
  db
    .selectFrom('group_members')
    .select('steam_id')
    .where('group_id', '=', value('groupId'))
    .where('steam_id', '=', value('steamId')),
)

/** Ids of a group's members: owner first, then as they joined. */
export async function listMemberIds(db: Queries | Tx, groupId: number): Promise<SteamId[]> {
  return (await memberIds(db, { groupId })).map((row) => row.steam_id)
}
const memberIds = prepared<{ groupId: number }, { steam_id: SteamId }>((db, value) =>
  db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.group_id', 'group_members.group_id')
    .select('group_members.steam_id')
    .where('group_members.group_id', '=', value('groupId'))
    .orderBy(sql`CASE WHEN group_members.steam_id = groups.owner_steam_id THEN 0 ELSE 1 END`)
    .orderBy('group_members.added_at')
    .orderBy('group_members.steam_id'),
)

/** Members with what is known of them: owner first, then as they joined. */
export function listMembers(db: Queries | Tx, groupId: number) {
  return db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.group_id', 'group_members.group_id')
    .innerJoin('people', 'people.steam_id', 'group_members.steam_id')
    .leftJoin('libraries', 'libraries.steam_id', 'group_members.steam_id')
    .where('group_members.group_id', '=', groupId)
    .select([
      'people.steam_id',
      'people.display_name',
      'people.avatar_url',
      'people.library_visibility',
      'libraries.status as library_status',
      'libraries.synced_at as library_synced_at',
    ])
    .orderBy(sql`CASE WHEN people.steam_id = groups.owner_steam_id THEN 0 ELSE 1 END`)
    .orderBy('group_members.added_at')
    .orderBy('people.steam_id')
    .execute()
}

/** Adds members who have not joined; those who are in already stay as they are. All must have rows in `people`. */
export async function addMembers(
  tx: Tx,
  groupId: number,
  steamIds: readonly SteamId[],
  { by, at }: { by: SteamId; at: number },
): Promise<void> {
  await tx
    .insertInto('group_members')
    .values(
      steamIds.map((steam_id) => ({
        group_id: groupId,
        steam_id,
        added_at: at,
        joined_at: null,
        added_by: by,
      })),
    )
    .onConflict((conflict) => conflict.columns(['group_id', 'steam_id']).doNothing())
    .execute()
}

/** How many members a group has. */
export async function countMembers(db: Queries | Tx, groupId: number): Promise<number> {
  const { count } = await db
    .selectFrom('group_members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Takes a member out; false when there was none. */
export async function removeMember(db: Queries | Tx, groupId: number, steamId: SteamId): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('group_members')
    .where('group_id', '=', groupId)
    .where('steam_id', '=', steamId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Sets a group's picture: the address members see and the key this server serves it under. */
export async function setPicture(
  db: Queries | Tx,
  groupId: number,
  { url, key }: { url: string; key: string },
): Promise<void> {
  await db
    .updateTable('groups')
    .set({ picture_url: url, picture_key: key })
    .where('group_id', '=', groupId)
    .execute()
}

/** Notes that the games of these people were synced together, for each group of `by` that all of them are in. */
export async function markGroupsSynced(
  db: Queries | Tx,
  by: SteamId,
  steamIds: readonly SteamId[],
  at: number,
): Promise<void> {
  const together = await db
    .selectFrom('group_members')
    .select('group_id')
    .where('group_id', 'in', (eb) =>
      eb.selectFrom('group_members').select('group_id').where('steam_id', '=', by),
    )
    .where('steam_id', 'in', [...steamIds])
    .groupBy('group_id')
    .having((eb) => eb(eb.fn.countAll(), '=', new Set(steamIds).size))
    .execute()
  if (together.length === 0) return
  await db
    .updateTable('groups')
    .set({ synced_at: at })
    .where(
      'group_id',
      'in',
      together.map((row) => row.group_id),
    )
    .execute()
}

/** Who gets somebody's groups when they go, each once (`accounts.ts` locks them first). */
export async function listHeirs(tx: Tx, steamId: SteamId): Promise<SteamId[]> {
  const rows = await tx
    .selectFrom('groups')
    .select(heirOf(steamId).as('heir'))
    .distinct()
    .where('owner_steam_id', '=', steamId)
    .execute()
  return rows.flatMap(({ heir }) => heir ?? [])
}

/**
 * Takes somebody out of all groups: those they own pass to the member who has been in longest, or go when nobody
 * is left. However many they are, it is a handful of statements.
 */
export async function passOnOrDeleteGroups(tx: Tx, steamId: SteamId): Promise<void> {
  await tx
    .updateTable('groups')
    .set({ owner_steam_id: sql<SteamId>`coalesce(${heirOf(steamId)}, owner_steam_id)` })
    .where('owner_steam_id', '=', steamId)
    .execute()
  await tx.deleteFrom('group_members').where('steam_id', '=', steamId).execute()
  const orphaned = tx.selectFrom('groups').select('group_id').where('owner_steam_id', '=', steamId)
  await tx.deleteFrom('group_members').where('group_id', 'in', orphaned).execute()
  await tx.deleteFrom('group_departures').where('group_id', 'in', orphaned).execute()
  await tx.deleteFrom('groups').where('owner_steam_id', '=', steamId).execute()
}

/** Of a row of `groups`: the member other than `owner` who has been in longest. */
function heirOf(owner: SteamId) {
  return sql<SteamId | null>`(SELECT member.steam_id FROM group_members AS member
    WHERE member.group_id = groups.group_id AND member.steam_id <> ${owner}
    ORDER BY member.added_at, member.steam_id LIMIT 1)`
}

function groupsWithCount(db: Queries | Tx) {
  return db
    .selectFrom('groups')
    .selectAll('groups')
    .select((eb) =>
      eb
        .selectFrom('group_members')
        .whereRef('group_members.group_id', '=', 'groups.group_id')
        .select((count) => count.fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('member_count'),
    )
}
