/** Friend lists from the platform, one packed row per person, and which people are connected. */
import type { SteamId } from '#shared/entities.ts'
import { inChunks } from '../database/chunks.ts'
import { prepared, preparedList } from '../database/prepared.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { changed, madeOf } from '../database/subjects.ts'
import {
  hasPackedFriend,
  type PackedFriend,
  packFriends,
  unpackFriendIds,
  unpackFriends,
} from '../library/packed-friends.ts'
import { PackedError } from '../library/packing.ts'
import { listNotReadSince, peopleAmong, readPeople } from './people.ts'

/**
 * Replaces a person's friend list; the person must have a row in `people`. Friends need none: that of a deleted account
 * is gone, but its id stays in the lists of others (DEL-2). A time that the platform does not say any more stays.
 */
export async function replaceFriends(
  tx: Tx,
  steamId: SteamId,
  friends: readonly PackedFriend[],
): Promise<void> {
  changed(tx, 'friends', [steamId])
  const stored = new Map((await storedFriends(tx, steamId)).map((friend) => [friend.steamId, friend.since]))
  const packed = packFriends(
    friends.map((friend) => ({
      steamId: friend.steamId,
      since: friend.since ?? stored.get(friend.steamId) ?? null,
    })),
  )
  await tx
    .insertInto('friend_lists')
    .values({ steam_id: steamId, packed })
    .onConflict((conflict) => conflict.column('steam_id').doUpdateSet({ packed }))
    .execute()
}

/** The stored friends; none when the row is damaged, which is then simply replaced by what was just read. */
async function storedFriends(tx: Tx, steamId: SteamId): Promise<PackedFriend[]> {
  try {
    return await readFriends(tx, steamId)
  } catch (error) {
    if (!(error instanceof PackedError)) throw error
    return []
  }
}

async function readFriends(db: Queries | Tx, steamId: SteamId): Promise<PackedFriend[]> {
  const packed = await readPackedFriends(db, steamId)
  return packed ? unpackFriends(packed) : []
}

/** Ids of a person's friends, ascending; deleted accounts are among them. */
export async function listFriendIds(db: Queries | Tx, steamId: SteamId): Promise<SteamId[]> {
  const packed = await readPackedFriends(db, steamId)
  return packed ? unpackFriendIds(packed) : []
}

async function readPackedFriends(db: Queries | Tx, steamId: SteamId): Promise<Uint8Array | undefined> {
  madeOf('friends', [steamId])
  return (await packedOf(db, { steamId }))[0]?.packed
}
const packedOf = prepared<{ steamId: SteamId }, { packed: Uint8Array }>((db, value) =>
  db.selectFrom('friend_lists').select('packed').where('steam_id', '=', value('steamId')),
)

/** A person's friends with their names, in the order of the ids; names of deleted accounts are null. */
export async function listFriends(
  db: Queries | Tx,
  steamId: SteamId,
): Promise<{ steam_id: SteamId; display_name: string | null; since: number | null }[]> {
  const friends = await readFriends(db, steamId)
  const people = await readPeople(
    db,
    friends.map((friend) => friend.steamId),
  )
  return friends.map((friend) => ({
    steam_id: friend.steamId,
    display_name: people.get(friend.steamId)?.display_name ?? null,
    since: friend.since,
  }))
}

/** Ids of a person's friends whose profiles were last read at `before` or earlier, without deleted accounts. */
export async function listFriendsNotReadSince(
  db: Queries | Tx,
  steamId: SteamId,
  before: number,
): Promise<SteamId[]> {
  return listNotReadSince(db, await listFriendIds(db, steamId), before)
}

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
  const mine = new Set(await listFriendIds(db, me))
  const connected = new Set(
    await peopleAmong(
      db,
      ids.filter((id) => mine.has(id)),
    ),
  )
  const others = ids.filter((id) => !mine.has(id))
  madeOf('friends', others)
  for (const { steam_id, packed } of await packedOfEach(db, others))
    if (hasPackedFriend(packed, me)) connected.add(steam_id)
  const groupmates = await groupmatesAmong(
    db,
    me,
    others.filter((id) => !connected.has(id)),
  )
  for (const id of groupmates) connected.add(id)
  return connected
}
const packedOfEach = preparedList<SteamId, { steam_id: SteamId; packed: Uint8Array }>((db, ids) =>
  db.selectFrom('friend_lists').select(['steam_id', 'packed']).where('steam_id', 'in', ids),
)

/** Those of `ids` who have joined a group that `me` has joined too. */
async function groupmatesAmong(
  db: Queries | Tx,
  me: SteamId,
  ids: readonly SteamId[],
): Promise<Set<SteamId>> {
  if (ids.length === 0) return new Set()
  madeOf('groups', [me, ...ids])
  const rows = await inChunks(ids, (chunk) => groupmates(db, me, chunk).execute())
  return new Set(rows.map((row) => row.id))
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
