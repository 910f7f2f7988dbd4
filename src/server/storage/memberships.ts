/** Members of groups: who was added, who has joined, and who left (MEM-1 to MEM-8). */
import type { SteamId } from '#shared/entities.ts'
import { sql } from 'kysely'
import { inChunks } from '../database/chunks.ts'
import { prepared } from '../database/prepared.ts'
import type { Queries, Tx } from '../database/schema.ts'

/**
 * Somebody's membership, held against changes until the end of the transaction; undefined when there is none. Comes
 * after `lockGroup`.
 */
export function lockMembership(
  tx: Tx,
  groupId: number,
  steamId: SteamId,
): Promise<{ joined_at: number | null } | undefined> {
  return tx
    .selectFrom('group_members')
    .select('joined_at')
    .where('group_id', '=', groupId)
    .where('steam_id', '=', steamId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Ids of a group's members: owner first, then as they were added. */
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

/** Members with what is known of them: owner first, then as they were added. */
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
      'group_members.joined_at',
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

/** Adds somebody who comes by themselves, or notes that a member has agreed; what they left is forgotten. */
export async function joinGroup(tx: Tx, groupId: number, steamId: SteamId, at: number): Promise<void> {
  await tx
    .insertInto('group_members')
    .values({ group_id: groupId, steam_id: steamId, added_at: at, joined_at: at, added_by: null })
    .onConflict((conflict) =>
      conflict.columns(['group_id', 'steam_id']).doUpdateSet((eb) => ({
        joined_at: eb.fn.coalesce('group_members.joined_at', 'excluded.joined_at'),
      })),
    )
    .execute()
  await tx
    .deleteFrom('group_departures')
    .where('group_id', '=', groupId)
    .where('steam_id', '=', steamId)
    .execute()
}

/** Those of `steamIds` who left the group, or declined. */
export async function departedAmong(
  db: Queries | Tx,
  groupId: number,
  steamIds: readonly SteamId[],
): Promise<SteamId[]> {
  const rows = await inChunks(steamIds, (ids) =>
    db
      .selectFrom('group_departures')
      .select('steam_id')
      .where('group_id', '=', groupId)
      .where('steam_id', 'in', ids)
      .execute(),
  )
  return rows.map((row) => row.steam_id)
}

/** How many groups each of `steamIds` is a member of, joined or not; those in none are missing. */
export async function countMemberships(
  db: Queries | Tx,
  steamIds: readonly SteamId[],
): Promise<Map<SteamId, number>> {
  const rows = await inChunks(steamIds, (ids) =>
    db
      .selectFrom('group_members')
      .select((eb) => ['steam_id', eb.fn.countAll<number>().as('count')])
      .where('steam_id', 'in', ids)
      .groupBy('steam_id')
      .execute(),
  )
  return new Map(rows.map((row) => [row.steam_id, Number(row.count)]))
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

/** Takes out a member who wants to go: nobody else adds them again (MEM-7). */
export async function leaveGroup(tx: Tx, groupId: number, steamId: SteamId, at: number): Promise<void> {
  await removeMember(tx, groupId, steamId)
  await tx
    .insertInto('group_departures')
    .values({ group_id: groupId, steam_id: steamId, left_at: at })
    .onConflict((conflict) => conflict.columns(['group_id', 'steam_id']).doUpdateSet({ left_at: at }))
    .execute()
}
