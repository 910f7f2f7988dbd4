/** Rows about one person that only their export reads (API-41). */
import type { SteamId } from '#shared/entities.ts'
import type { Queries } from '../database/schema.ts'

/** Groups a person is a member of, newest first, with how they came in. */
export function listMemberships(db: Queries, steamId: SteamId) {
  return db
    .selectFrom('group_members as mine')
    .innerJoin('groups', 'groups.group_id', 'mine.group_id')
    .leftJoin('people as adder', 'adder.steam_id', 'mine.added_by')
    .where('mine.steam_id', '=', steamId)
    .select([
      'groups.group_id',
      'groups.name',
      'groups.owner_steam_id',
      'mine.added_at',
      'mine.joined_at',
      'adder.steam_id as adder_steam_id',
      'adder.display_name as adder_display_name',
    ])
    .orderBy('groups.group_id', 'desc')
    .execute()
}

/** Groups a person left or declined, without what they may no longer see: their names and members. */
export function listDepartures(db: Queries, steamId: SteamId) {
  return db
    .selectFrom('group_departures')
    .select(['group_id', 'left_at'])
    .where('steam_id', '=', steamId)
    .orderBy('group_id')
    .execute()
}

/** Members a person added to groups, as far as they are still a member of the group themselves. */
export function listAddedMembers(db: Queries, steamId: SteamId) {
  return db
    .selectFrom('group_members as theirs')
    .innerJoin('group_members as mine', 'mine.group_id', 'theirs.group_id')
    .where('theirs.added_by', '=', steamId)
    .where('mine.steam_id', '=', steamId)
    .select(['theirs.group_id', 'theirs.steam_id', 'theirs.added_at'])
    .orderBy('theirs.group_id')
    .orderBy('theirs.steam_id')
    .execute()
}

/** When a person changed pictures within the last day or so, latest first. */
export function listPictureChanges(db: Queries, steamId: SteamId) {
  return db
    .selectFrom('picture_changes')
    .select('at')
    .where('steam_id', '=', steamId)
    .orderBy('at', 'desc')
    .execute()
}

/** The entry of a person's library and friend list in the refresh list, if any, without who asked for it. */
export function listWaitingReads(db: Queries, steamId: SteamId) {
  return db
    .selectFrom('refreshes')
    .select(['requested_at', 'games_due', 'friends_due', 'attempts', 'next_attempt_at'])
    .where('steam_id', '=', steamId)
    .execute()
}
