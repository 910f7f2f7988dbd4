/**
 * Friend lists from Steam, one packed row per player, and which players are connected.
 * Requirements: PERM-21.
 */
import type { SteamId } from '#shared/entities.ts'
import { column, inChunks, upsert } from '../../database/chunks.ts'
import type { Queries, Tx } from '../../database/schema.ts'
import { changed } from '../../database/cache-tags.ts'
import { type FriendSet, PackedError, packFriends, unpackFriends } from '../../library/packed.ts'
import { giveWay } from '../../library/slices.ts'

/**
 * Replaces a player's friend list by one that was requested at `at`; the player must have a row in `people`. Friends
 * need none: a deleted account's row is gone, but its id stays in the lists of others (DEL-2).
 */
export async function replaceFriends(
  tx: Tx,
  steamId: SteamId,
  friends: readonly SteamId[],
  at: number,
): Promise<void> {
  changed(tx, ['friends', 'person'], [steamId])
  await tx
    .updateTable('people')
    .set({ friends_status: 'ok', friends_at: at, friends_checked_at: at })
    .where('steam_id', '=', steamId)
    .execute()
  await upsert(tx, 'friend_lists', { steam_id: steamId }, { packed: packFriends(friends) })
}

/** Records that Steam said at `at` that a friend list is private; the stored one stays, with its time. */
export async function markFriendsPrivate(tx: Tx, steamId: SteamId, at: number): Promise<void> {
  changed(tx, ['person', 'sync'], [steamId])
  await tx
    .updateTable('people')
    .set({ friends_status: 'private', friends_checked_at: at })
    .where('steam_id', '=', steamId)
    .execute()
}

/** Ids of a player's friends, ascending; deleted accounts are among them. */
export async function listFriendIds(db: Queries | Tx, steamId: SteamId): Promise<SteamId[]> {
  return (await readKnownFriends(db, [steamId])).get(steamId)?.ids() ?? []
}

/** A player, and when their stored friend list was read: null when it never was. */
export type ListReadAt = { steam_id: SteamId; friends_at: number | null }
/** When a list was read, and who is on it. */
export type KnownFriends = FriendSet & Pick<ListReadAt, 'friends_at'>
export const NO_LIST: KnownFriends = { friends_at: null, size: 0, has: () => false, ids: () => [] }

/** Where lists and groups are read from: the caches, or the database as one transaction sees it. */
export type Connections = {
  /** In the order of `ids`. */
  friendLists(ids: readonly SteamId[]): Promise<readonly KnownFriends[]>
  /** Those of `ids` who have joined a group that `me` has joined too. */
  groupmatesAmong(me: SteamId, ids: readonly SteamId[]): Promise<ReadonlySet<SteamId>>
}

/** As they are stored. */
export function storedConnections(db: Queries | Tx): Connections {
  return {
    friendLists: async (ids) => {
      const lists = await readKnownFriends(db, ids)
      return ids.map((id) => lists.get(id) ?? NO_LIST)
    },
    groupmatesAmong: async (me, ids) => {
      const fellows = await fellowMembersAmong(db, me, ids)
      const joined = fellows.filter(({ my_time, their_time }) => my_time !== null && their_time !== null)
      return new Set(column(joined, 'steam_id'))
    },
  }
}

/** Those of `others` who are connected with `me`: both have joined one group, or they are friends (PERM-2). */
export async function connectedAmong(from: Connections, me: SteamId, others: readonly ListReadAt[]) {
  const groupmates = await from.groupmatesAmong(me, column(others, 'steam_id'))
  const rest = others.filter(({ steam_id }) => !groupmates.has(steam_id))
  return (await friendsAmong(from, me, rest)).union(groupmates)
}

/** Of two friend lists the one that was read later decides; of two that were read at the same moment either does. */
async function friendsAmong(from: Connections, me: SteamId, others: readonly ListReadAt[]) {
  if (others.length === 0) return new Set<SteamId>()
  const [mine] = await from.friendLists([me])
  const myTime = mine!.friends_at ?? -Infinity
  const friends = new Set<SteamId>()
  const theirsDecides: SteamId[] = []
  for (const { steam_id, friends_at } of others) {
    const theirTime = friends_at ?? -Infinity
    if (theirTime <= myTime && mine!.has(steam_id)) friends.add(steam_id)
    else if (theirTime >= myTime && friends_at !== null) theirsDecides.push(steam_id)
  }
  if (theirsDecides.length === 0) return friends
  const lists = await from.friendLists(theirsDecides)
  for (const [index, id] of theirsDecides.entries()) if (lists[index]!.has(me)) friends.add(id)
  return friends
}

/**
 * Former friends of `me`: those on `me`'s friend list whose own list was read later and does not name `me`.
 * @param friends all on that list, or some
 */
export async function formerFriends(from: Connections, me: ListReadAt, friends: readonly ListReadAt[]) {
  const readAt = me.friends_at ?? -Infinity
  const doubtful = friends.filter(({ friends_at }) => friends_at !== null && friends_at > readAt)
  if (doubtful.length === 0) return new Set<SteamId>()
  const connected = await connectedAmong(from, me.steam_id, doubtful)
  return new Set(column(doubtful, 'steam_id')).difference(connected)
}

/**
 * The friend lists of these players; who has none is missing. A damaged one has nobody, and its `ids` throws: it must
 * not fail the requests of everybody whom it might name.
 */
export async function readKnownFriends(db: Queries | Tx, ids: readonly SteamId[]) {
  const rows = await inChunks(ids, (chunk) =>
    db
      .selectFrom('friend_lists')
      .innerJoin('people', 'people.steam_id', 'friend_lists.steam_id')
      // The times change with the lists.
      .select(['friend_lists.steam_id', 'friend_lists.packed', 'people.friends_at'])
      .where('friend_lists.steam_id', 'in', chunk)
      .execute(),
  )
  return new Map(
    rows.map(({ steam_id, friends_at, packed }) => [steam_id, { friends_at, ...unpackReadable(packed) }]),
  )
}

/**
 * Removes everybody on a friend list from `ids`; a damaged list names nobody.
 * @param options.requestedAfter looks only at lists that were requested later
 */
export async function dropFriends(
  db: Queries | Tx,
  ids: Set<SteamId>,
  { requestedAfter = 0 }: { requestedAfter?: number } = {},
): Promise<void> {
  for (let after = ''; ids.size > 0;) {
    const lists = await db
      .selectFrom('friend_lists')
      .innerJoin('people', 'people.steam_id', 'friend_lists.steam_id')
      .select(['friend_lists.steam_id', 'friend_lists.packed'])
      .where('friend_lists.steam_id', '>', after)
      .where((eb) =>
        eb.or([eb('people.friends_at', 'is', null), eb('people.friends_at', '>', requestedAfter)]),
      )
      .orderBy('friend_lists.steam_id')
      .limit(LISTS_AT_ONCE)
      .execute()
    for (const { packed } of lists) {
      const list = unpackReadable(packed)
      if (list.size > 0) for (const id of list.ids()) ids.delete(id)
    }
    if (lists.length < LISTS_AT_ONCE) return
    after = lists.at(-1)!.steam_id
    await giveWay()
  }
}
const LISTS_AT_ONCE = 50

function unpackReadable(packed: Uint8Array): FriendSet {
  try {
    return unpackFriends(packed)
  } catch (error) {
    if (!(error instanceof PackedError)) throw error
    const ids = () => {
      throw error
    }
    return { size: 0, has: () => false, ids }
  }
}

/** Those of `ids` who are members of a group with `me`, once for each group, and when both joined it. */
export function fellowMembersAmong(db: Queries | Tx, me: SteamId, ids: readonly SteamId[]) {
  return db
    .selectFrom('group_members as mine')
    .innerJoin('group_members as theirs', 'theirs.group_id', 'mine.group_id')
    .select([
      'theirs.steam_id',
      'mine.group_id',
      'mine.joined_at as my_time',
      'theirs.joined_at as their_time',
    ])
    .where('mine.steam_id', '=', me)
    .where('theirs.steam_id', 'in', ids)
    .execute()
}
