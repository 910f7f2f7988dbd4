/** Friend lists from the platform, and which people are connected. */
import type { SteamId } from '#shared/entities.ts'
import { sql } from 'kysely'
import { inChunks } from '../database/chunks.ts'
import { prepared } from '../database/prepared.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { changed, madeOf } from '../database/subjects.ts'

/**
 * Replaces a person's friend list: inserts new friends, deletes missing ones, leaves the others unchanged. All friends
 * must have rows in `people`.
 */
export async function replaceFriends(
  tx: Tx,
  steamId: SteamId,
  friends: readonly { steamId: SteamId; since: number | null }[],
): Promise<void> {
  changed(tx, 'friends', [steamId])
  const wanted = new Map(friends.map((friend) => [friend.steamId, friend]))
  const stored = new Set(await listFriendIds(tx, steamId))
  const gone = [...stored].filter((id) => !wanted.has(id))
  await inChunks(gone, (ids) =>
    tx
      .deleteFrom('friendships')
      .where('steam_id', '=', steamId)
      .where('friend_steam_id', 'in', ids)
      .execute(),
  )
  await inChunks(
    [...wanted.values()].filter((friend) => !stored.has(friend.steamId)),
    (chunk) =>
      tx
        .insertInto('friendships')
        .values(
          chunk.map((friend) => ({
            steam_id: steamId,
            friend_steam_id: friend.steamId,
            since: friend.since,
          })),
        )
        .onConflict((conflict) => conflict.columns(['steam_id', 'friend_steam_id']).doNothing())
        .execute(),
  )
}

/** A person's friends with their profiles and library status: online first, then by name, then by id. */
export function listFriends(db: Queries | Tx, steamId: SteamId) {
  return db
    .selectFrom('friendships')
    .innerJoin('people', 'people.steam_id', 'friendships.friend_steam_id')
    .leftJoin('libraries', 'libraries.steam_id', 'friendships.friend_steam_id')
    .where('friendships.steam_id', '=', steamId)
    .select([
      'people.steam_id',
      'people.display_name',
      'people.avatar_url',
      'people.personastate',
      'people.playing',
      'people.profile_at',
      'people.deleted_at',
      'people.library_visibility',
      'friendships.since',
      'libraries.status as library_status',
      'libraries.synced_at as library_synced_at',
      'libraries.checked_at as library_checked_at',
    ])
    .orderBy(sql`CASE WHEN people.personastate > 0 THEN 0 ELSE 1 END`)
    .orderBy(sql`lower(coalesce(people.display_name, people.steam_id))`)
    .orderBy('people.steam_id')
    .execute()
}

/** Ids of a person's friends, in no particular order. */
export async function listFriendIds(db: Queries | Tx, steamId: SteamId): Promise<SteamId[]> {
  madeOf('friends', [steamId])
  return (await friendIdsOf(db, { steamId }))[0]?.ids?.split(',') ?? []
}
// One row, because an object for each friend costs several times as much as the lookup.
const friendIdsOf = prepared<{ steamId: SteamId }, { ids: string | null }>((db, value) =>
  db
    .selectFrom('friendships')
    .select(sql<string | null>`string_agg(friend_steam_id, ',')`.as('ids'))
    .where('steam_id', '=', value('steamId')),
)

/**
 * Those of `ids` who are connected with `me`: one of the two friend lists contains the other person, or both have
 * joined one group (PERM-2). Deleted accounts are connected with no one, although friend lists may contain them.
 */
export async function connectedAmong(
  db: Queries | Tx,
  me: SteamId,
  ids: readonly SteamId[],
): Promise<Set<SteamId>> {
  if (ids.length === 0) return new Set()
  madeOf('friends', [me, ...ids])
  madeOf('groups', [me, ...ids])
  madeOf('person', ids)
  if (ids.length === 1) return new Set((await connectedOne(db, { me, id: ids[0]! })).map((row) => row.id))
  const rows = await inChunks(ids, (chunk) => connections(db, me, chunk).execute())
  return new Set(rows.map((row) => row.id))
}
/** Prepared, because nearly every lookup is for one person. */
const connectedOne = prepared<{ me: SteamId; id: SteamId }, { id: SteamId }>((db, value) =>
  connections(db, value('me'), [value('id')]),
)

function connections(db: Queries | Tx, me: SteamId, ids: SteamId[]) {
  return db
    .selectFrom('friendships')
    .innerJoin('people', 'people.steam_id', 'friendships.friend_steam_id')
    .select('friend_steam_id as id')
    .where('friendships.steam_id', '=', me)
    .where('friend_steam_id', 'in', ids)
    .where('people.deleted_at', 'is', null)
    .unionAll(
      db
        .selectFrom('friendships')
        .select('steam_id as id')
        .where('friend_steam_id', '=', me)
        .where('steam_id', 'in', ids),
    )
    .unionAll(groupmates(db, me, ids))
}

/** Those of `ids` who are members of a group with `me`, joined or not. */
export async function fellowMembersAmong(
  db: Queries | Tx,
  me: SteamId,
  ids: readonly SteamId[],
): Promise<Set<SteamId>> {
  const rows = await inChunks(ids, (chunk) => fellowMembers(db, me, chunk).execute())
  return new Set(rows.map((row) => row.id))
}

function groupmates(db: Queries | Tx, me: SteamId, ids: SteamId[]) {
  return fellowMembers(db, me, ids)
    .where('mine.joined_at', 'is not', null)
    .where('theirs.joined_at', 'is not', null)
}

function fellowMembers(db: Queries | Tx, me: SteamId, ids: SteamId[]) {
  return db
    .selectFrom('group_members as mine')
    .innerJoin('group_members as theirs', 'theirs.group_id', 'mine.group_id')
    .select('theirs.steam_id as id')
    .where('mine.steam_id', '=', me)
    .where('theirs.steam_id', 'in', ids)
}
