/**
 * Groups. Whoever changes them or their members locks in one order, so that nobody waits for each other: the people
 * whose groups are counted (`lockPeople`), then the groups (`lockGroup`), then single memberships.
 */
import type { SteamId } from '#shared/entities.ts'
import { GROUPS_OWNED_MAX } from '#shared/limits.ts'
import { inChunks } from '../database/chunks.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { lockPeople } from './people.ts'

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

/** One group as a member of it sees it; undefined when `member` is none. */
export function findGroup(db: Queries | Tx, groupId: number, member: SteamId) {
  return groupsOf(db, member).where('mine.group_id', '=', groupId).executeTakeFirst()
}

/** Groups somebody is a member of, newest first. */
export function listGroupsOf(db: Queries | Tx, steamId: SteamId) {
  return groupsOf(db, steamId).orderBy('mine.group_id', 'desc').execute()
}

/**
 * Holds a group against changes by others until the end of the transaction; undefined when there is none. Comes
 * after `lockPeople`.
 */
export function lockGroup(
  tx: Tx,
  groupId: number,
): Promise<{ group_id: number; owner_steam_id: SteamId } | undefined> {
  return tx
    .selectFrom('groups')
    .select(['group_id', 'owner_steam_id'])
    .where('group_id', '=', groupId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Groups that somebody has joined and whose games were synced since a time, latest first. */
export function recentlySyncedGroups(db: Queries | Tx, steamId: SteamId, since: number, limit: number) {
  return db
    .selectFrom('groups')
    .innerJoin('group_members', 'group_members.group_id', 'groups.group_id')
    .select(['groups.group_id', 'groups.name', 'groups.synced_at'])
    .where('group_members.steam_id', '=', steamId)
    .where('group_members.joined_at', 'is not', null)
    .where('groups.synced_at', '>=', since)
    .orderBy('groups.synced_at', 'desc')
    .limit(limit)
    .execute()
}

/** How many groups each of `steamIds` owns; those who own none are missing. */
export async function countOwned(
  db: Queries | Tx,
  steamIds: readonly SteamId[],
): Promise<Map<SteamId, number>> {
  const rows = await inChunks(steamIds, (ids) =>
    db
      .selectFrom('groups')
      .select((eb) => ['owner_steam_id', eb.fn.countAll<number>().as('count')])
      .where('owner_steam_id', 'in', ids)
      .groupBy('owner_steam_id')
      .execute(),
  )
  return new Map(rows.map((row) => [row.owner_steam_id, Number(row.count)]))
}

/** Renames a group, or gives it another owner. */
export async function changeGroup(
  tx: Tx,
  groupId: number,
  change: { name: string } | { owner_steam_id: SteamId },
): Promise<void> {
  await tx.updateTable('groups').set(change).where('group_id', '=', groupId).execute()
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

/** Deletes groups with everything that is theirs. */
export async function deleteGroups(tx: Tx, groupIds: readonly number[]): Promise<void> {
  for (const table of ['group_departures', 'group_members', 'groups'] as const)
    await inChunks(groupIds, (ids) => tx.deleteFrom(table).where('group_id', 'in', ids).execute())
}

/**
 * Holds a person who leaves, and those who may own their groups then: of one group, or of all of theirs. Comes before
 * `lockGroup`, as {@link lockPeople} does.
 */
export async function lockToLeave(tx: Tx, owner: SteamId, groupId?: number): Promise<void> {
  const owned = tx
    .selectFrom('groups')
    .innerJoin('group_members', 'group_members.group_id', 'groups.group_id')
    .select('group_members.steam_id')
    .distinct()
    .where('groups.owner_steam_id', '=', owner)
    .where('group_members.joined_at', 'is not', null)
  const rows = await (groupId === undefined ? owned : owned.where('groups.group_id', '=', groupId)).execute()
  await lockPeople(tx, [owner, ...rows.map((row) => row.steam_id)])
}

/**
 * Gives each of these groups, whose owner is no member any more, to the member who has been in it longest of those
 * who have joined and own fewer than {@link GROUPS_OWNED_MAX} groups. Where all own as many, the longest-standing has one
 * more: nobody loses a group because of a number. Deletes those that nobody has joined (PERM-14). Comes after
 * {@link lockToLeave}.
 */
export async function transferOrDeleteOwnedGroups(tx: Tx, groupIds: readonly number[]): Promise<void> {
  const candidates = await inChunks(groupIds, (ids) =>
    tx
      .selectFrom('group_members')
      .select(['group_id', 'steam_id'])
      .where('group_id', 'in', ids)
      .where('joined_at', 'is not', null)
      .orderBy('added_at')
      .orderBy('steam_id')
      .execute(),
  )
  const people = candidates.map((row) => row.steam_id)
  // Most are held already; one who joined in between is not.
  await lockPeople(tx, people)
  const owned = await countOwned(tx, [...new Set(people)])
  const candidatesOf = Map.groupBy(candidates, (row) => row.group_id)
  const ownerless: number[] = []
  for (const groupId of groupIds) {
    const joined = candidatesOf.get(groupId) ?? []
    const newOwner = joined.find((row) => (owned.get(row.steam_id) ?? 0) < GROUPS_OWNED_MAX) ?? joined[0]
    if (newOwner === undefined) ownerless.push(groupId)
    else {
      owned.set(newOwner.steam_id, (owned.get(newOwner.steam_id) ?? 0) + 1)
      await changeGroup(tx, groupId, { owner_steam_id: newOwner.steam_id })
    }
  }
  await deleteGroups(tx, ownerless)
}

/**
 * Takes a person whose account is deleted out of all groups and of what groups know of them; those they own get another
 * owner or are deleted. Their row in `people` must be locked. All their groups are held, so that none passes to them
 * meanwhile.
 */
export async function leaveAllGroups(tx: Tx, steamId: SteamId): Promise<void> {
  await lockToLeave(tx, steamId)
  await tx
    .selectFrom('groups')
    .select('group_id')
    .where('group_id', 'in', (eb) =>
      eb.selectFrom('group_members').select('group_id').where('steam_id', '=', steamId),
    )
    .orderBy('group_id')
    .forNoKeyUpdate()
    .execute()
  const owned = await tx
    .selectFrom('groups')
    .select('group_id')
    .where('owner_steam_id', '=', steamId)
    .execute()
  await tx.deleteFrom('group_members').where('steam_id', '=', steamId).execute()
  await tx.deleteFrom('group_departures').where('steam_id', '=', steamId).execute()
  await tx.updateTable('group_members').set({ added_by: null }).where('added_by', '=', steamId).execute()
  await transferOrDeleteOwnedGroups(
    tx,
    owned.map((row) => row.group_id),
  )
}

/** Groups as a member sees them: with the number of members, and how they themselves came in. */
function groupsOf(db: Queries | Tx, member: SteamId) {
  return db
    .selectFrom('group_members as mine')
    .innerJoin('groups', 'groups.group_id', 'mine.group_id')
    .leftJoin('people as adder', 'adder.steam_id', 'mine.added_by')
    .where('mine.steam_id', '=', member)
    .selectAll('groups')
    .select((eb) => [
      'mine.joined_at',
      'adder.steam_id as adder_steam_id',
      'adder.display_name as adder_display_name',
      'adder.avatar_url as adder_avatar_url',
      eb
        .selectFrom('group_members')
        .whereRef('group_members.group_id', '=', 'groups.group_id')
        .select((count) => count.fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('member_count'),
    ])
}
