/** Reports of groups, and reported groups as operators see them (OPER-13, OPER-14). */
import type { Selectable } from 'kysely'
import type { SteamId } from '#shared/entities.ts'
import { column } from '../database/chunks.ts'
import type { GroupReportsTable, Queries, Tx } from '../database/schema.ts'
import { findPlayer, readPlayers } from './players.ts'

/** Adds a report; false when the player has an open one of this group. The group and the player must be locked. */
export async function addReport(tx: Tx, report: Selectable<GroupReportsTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('group_reports')
    .values(report)
    .onConflict((conflict) => conflict.columns(['group_id', 'steam_id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Deletes the reports of a group. */
export async function deleteReports(tx: Tx, groupId: number): Promise<void> {
  await tx.deleteFrom('group_reports').where('group_id', '=', groupId).execute()
}

/** Ids of up to `limit` groups with open reports, latest report first. */
export async function listReportedGroups(db: Queries, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('group_reports')
    .select('group_id')
    .groupBy('group_id')
    .orderBy((eb) => eb.fn.max('at'), 'desc')
    .orderBy('group_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.group_id)
}

/** Open reports of a group, latest first, without who made them. */
export function listReports(db: Queries | Tx, groupId: number) {
  return db
    .selectFrom('group_reports')
    .select(['about', 'reason', 'name_then', 'at'])
    .where('group_id', '=', groupId)
    .orderBy('at', 'desc')
    .orderBy('steam_id')
    .execute()
}

/**
 * A group that operators may see: one that was reported or whose owner is blocked (OPER-14); undefined for every other.
 * No joins, because groups, people and reports may be on different machines.
 */
export async function findModerated(db: Queries | Tx, groupId: number) {
  const group = await db
    .selectFrom('groups')
    .select(['group_id', 'name', 'picture_key', 'owner_steam_id'])
    .where('group_id', '=', groupId)
    .executeTakeFirst()
  const owner = group && (await findPlayer(db, group.owner_steam_id))
  if (!owner) return undefined
  if (owner.blocked_at === null && (await listReports(db, groupId)).length === 0) return undefined
  return { ...group, owner_name: owner.display_name, owner_avatar: owner.avatar_url }
}

/** Members of a group, in the order they joined, with what decides who may own it. */
export async function listCandidates(db: Queries | Tx, groupId: number) {
  const members = await db
    .selectFrom('group_members')
    .select(['steam_id', 'joined_at'])
    .where('group_id', '=', groupId)
    .orderBy('added_at')
    .orderBy('steam_id')
    .execute()
  const people = await readPlayers(db, column(members, 'steam_id'))
  return members.flatMap(({ steam_id, joined_at }) => {
    const person = people.get(steam_id)
    if (!person) return []
    const { display_name, avatar_url, blocked_at } = person
    return [{ steam_id, display_name, avatar_url, joined_at, blocked_at }]
  })
}

/** Up to `limit` groups of an owner, newest first. */
export function listOwnedGroups(db: Queries | Tx, owner: SteamId, limit: number) {
  return db
    .selectFrom('groups')
    .select(['group_id', 'name'])
    .where('owner_steam_id', '=', owner)
    .orderBy('group_id', 'desc')
    .limit(limit)
    .execute()
}
