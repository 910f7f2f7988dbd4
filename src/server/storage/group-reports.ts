/** Reports of groups, and reported groups as operators see them (OPER-13, OPER-14). */
import type { Selectable } from 'kysely'
import type { SteamId } from '#shared/entities.ts'
import { inChunks } from '../database/chunks.ts'
import type { GroupReportsTable, Queries, Tx } from '../database/schema.ts'

/** Adds a report; false when the player has an open one of this group. The group and the player must be locked. */
export async function addReport(tx: Tx, report: Selectable<GroupReportsTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('group_reports')
    .values(report)
    .onConflict((conflict) => conflict.columns(['group_id', 'steam_id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Deletes the reports of these groups; returns their number. */
export async function deleteReports(tx: Tx, groupIds: readonly number[]): Promise<number> {
  const gone = await inChunks(groupIds, (ids) =>
    tx.deleteFrom('group_reports').where('group_id', 'in', ids).returning('group_id').execute(),
  )
  return gone.length
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

/** Reports that a player made and that are open, latest first. */
export function listReportsBy(db: Queries, steamId: SteamId) {
  return db
    .selectFrom('group_reports')
    .select(['group_id', 'about', 'reason', 'at'])
    .where('steam_id', '=', steamId)
    .orderBy('at', 'desc')
    .execute()
}

/**
 * A group that operators may see: one that was reported or whose owner is blocked (OPER-14); undefined for every other.
 */
export function findModerated(db: Queries | Tx, groupId: number) {
  return db
    .selectFrom('groups')
    .innerJoin('people', 'people.steam_id', 'groups.owner_steam_id')
    .select([
      'group_id',
      'name',
      'picture_key',
      'people.steam_id as owner_steam_id',
      'people.display_name as owner_name',
      'people.avatar_url as owner_avatar',
    ])
    .where('group_id', '=', groupId)
    .where((eb) =>
      eb.or([
        eb('people.blocked_at', 'is not', null),
        eb.exists(
          eb
            .selectFrom('group_reports')
            .select('group_reports.steam_id')
            .whereRef('group_reports.group_id', '=', 'groups.group_id'),
        ),
      ]),
    )
    .executeTakeFirst()
}

/** Members of a group, in the order they joined, with what decides who may own it. */
export function listCandidates(db: Queries | Tx, groupId: number) {
  return db
    .selectFrom('group_members')
    .innerJoin('people', 'people.steam_id', 'group_members.steam_id')
    .select(['people.steam_id', 'display_name', 'avatar_url', 'joined_at', 'blocked_at'])
    .where('group_id', '=', groupId)
    .orderBy('added_at')
    .orderBy('people.steam_id')
    .execute()
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
