/** The values that requests read most, each under its cache tag (docs/develop/caching.md), and what they imply. */
import type { ElsewherePlace, SteamId } from '#shared/entities.ts'
import type { Kind } from '../database/cache-tags.ts'
import type { Database } from '../database/database.ts'
import type { Queries, Tx } from '../database/schema.ts'
import {
  elsewhereIn,
  hiddenAppids,
  indexOfGame,
  type Library,
  type Playtimes,
  withoutGames,
} from '../library/library.ts'
import { PackedError, unpackLibrary } from '../library/packed.ts'
import { giveWay } from '../library/slices.ts'
import {
  type Connections,
  formerFriends,
  type KnownFriends,
  NO_LIST,
  readKnownFriends,
} from '../storage/players/friends.ts'
import { type Corrections, readAddedAppids, readCorrections } from '../storage/groups/games.ts'
import { listJoinedGroupIds, listMemberIds } from '../storage/groups/memberships.ts'
import { type PlayerWithLibrary, readPlayersWithGames } from '../storage/players/players.ts'
import { findSession, type SessionRow } from '../storage/accounts/sessions.ts'
import { createTagCache, type Polls } from './tag-cache.ts'

export type CachedPlayer = PlayerWithLibrary & {
  /** Everything that is stored of the library, hidden games too; an error where that is damaged. See {@link gamesOf}. */
  library: Library | PackedError | undefined
  /** Set in a friend list for somebody who is not connected with its player (PERM-20). */
  isFormerFriend: boolean
}

type Group = {
  memberIds: readonly SteamId[]
  corrections: Corrections
  addedAppids: readonly number[]
}

/** The catalogue's share of the memory; the shares of the other caches are below. */
export const CATALOGUE_SHARE = 3 / 32

/** Memory in bytes with the cache's own, measured roughly and rounded up. */
const bytesOf = {
  player: ({ library, hidden_appids, elsewhere }: CachedPlayer) =>
    1600 +
    (hidden_appids?.length ?? 0) +
    (elsewhere?.length ?? 0) +
    (library && 'length' in library ? library.length * 16 : 0),
  /** With ids for half of the lists: only a user's own list has them. */
  friends: ({ size }: KnownFriends) => 600 + size * 24,
  group: ({ memberIds, corrections, addedAppids }: Group) =>
    700 + memberIds.length * 56 + corrections.size * 60 + addedAppids.length * 16,
  joinedGroups: (ids: readonly number[]) => 250 + ids.length * 8,
  session: () => 1000,
}

export type ReadCache = ReturnType<typeof createReadCache>

/** A cache of about `bytes`; with 0 every read is a query. */
export function createReadCache({ queries }: Pick<Database, 'queries'>, polls: Polls, bytes: number) {
  const ofPlayers = <Value extends object>(
    kind: Kind,
    share: number,
    weigh: (value: Value) => number,
    read: (db: Queries, ids: readonly SteamId[]) => Promise<ReadonlyMap<SteamId, Value>>,
  ) =>
    createTagCache<SteamId, Value>(polls, {
      kind,
      weigh,
      bytes: bytes * share,
      read: (ids) => read(queries, ids),
      keyOf: (id) => id,
    })
  const players = ofPlayers('person', 12 / 16, bytesOf.player, readCachedPlayers)
  const friendLists = ofPlayers('friends', 1 / 16, bytesOf.friends, readKnownFriends)
  const joinedGroups = ofPlayers('groups', 1 / 32, bytesOf.joinedGroups, listJoinedGroupIds)
  const groups = createTagCache<number, Group>(polls, {
    kind: 'group',
    bytes: bytes / 32,
    weigh: bytesOf.group,
    read: async (ids) =>
      new Map(await Promise.all(ids.map(async (id) => [id, await readGroup(id)] as const))),
    keyOf: Number,
  })
  /** By the hash of their token. */
  const sessions = createTagCache<string, SessionRow>(polls, {
    kind: 'sessions',
    bytes: bytes / 32,
    weigh: bytesOf.session,
    read: async ([hash]) => {
      const found = await findSession(queries, hash!, 0)
      return new Map(found && [[hash!, found]])
    },
    keyOf: (id) => id,
    ownerOf: (row) => row.steam_id,
  })

  async function readGroup(groupId: number): Promise<Group> {
    const [memberIds, corrections, addedAppids] = await Promise.all([
      listMemberIds(queries, groupId),
      readCorrections(queries, groupId),
      readAddedAppids(queries, groupId),
    ])
    return { memberIds, corrections, addedAppids }
  }

  async function cachedGroup(groupId: number): Promise<Group> {
    return (await groups.load([groupId]))[0]!
  }

  const connections: Connections = {
    friendLists: async (ids) => (await friendLists.load(ids)).map((list) => list ?? NO_LIST),
    async groupmatesAmong(me, ids) {
      if (ids.length === 0) return NOBODY
      const [mine, ...theirs] = await joinedGroups.load([me, ...ids])
      return new Set(ids.filter((_, index) => theirs[index]?.some((group) => mine?.includes(group))))
    },
  }

  return {
    refresh: polls.refresh,
    ...connections,
    /** The session of a token that has not ended at `now`. */
    async session(tokenHash: string, now: number): Promise<SessionRow | undefined> {
      const [session] = await sessions.load([tokenHash])
      return session && session.expires_at > now ? session : undefined
    },
    /** Players in the order of `ids`; undefined for those who are not in the database, such as deleted accounts. */
    players: (ids: readonly SteamId[]) => players.load(ids),
    /**
     * Those on a player's friend list, in the order of their ids. Former friends have only what everybody may know,
     * deleted accounts only the id; nobody may see the library of either (PERM-20, DEL-2).
     */
    async friends(steamId: SteamId): Promise<readonly CachedPlayer[]> {
      const [list] = await connections.friendLists([steamId])
      const ids = list!.ids()
      const found = await players.load(ids)
      const all = found.map((player, index) => player ?? deletedPlayer(ids[index]!))
      const me = { steam_id: steamId, friends_at: list!.friends_at }
      const former = await formerFriends(connections, me, all)
      if (former.size === 0) return all
      return all.map((player) =>
        former.has(player.steam_id) ? { ...player, ...NOT_SHOWN, isFormerFriend: true } : player,
      )
    },
    /** Ids of the groups that a player has joined. */
    joinedGroupIds: async (steamId: SteamId) => (await joinedGroups.load([steamId]))[0] ?? [],
    /** Ids of a group's members: owner first, then in the order they were added. */
    memberIds: async (groupId: number) => (await cachedGroup(groupId)).memberIds,
    /** How many can play the games that a group has corrected (API-54). */
    corrections: async (groupId: number) => (await cachedGroup(groupId)).corrections,
    /** Appids of the games that a group has added (API-56). */
    addedAppids: async (groupId: number) => (await cachedGroup(groupId)).addedAppids,
  }
}

const NOBODY: ReadonlySet<SteamId> = new Set()

/** Players with their libraries, by id; in slices, because a hundred large libraries take long to unpack. */
export async function readCachedPlayers(
  db: Queries | Tx,
  ids: readonly SteamId[],
): Promise<Map<SteamId, CachedPlayer>> {
  const found = new Map<SteamId, CachedPlayer>()
  for (const { packed, ...player } of await readPlayersWithGames(db, ids)) {
    const library = packed === null ? undefined : unpackReadable(packed)
    found.set(player.steam_id, { ...player, library, isFormerFriend: false })
    await giveWay()
  }
  return found
}

/** A damaged library must not fail requests that do not need it. */
function unpackReadable(packed: Uint8Array): Library | PackedError {
  try {
    return unpackLibrary(packed)
  } catch (error) {
    if (error instanceof PackedError) return error
    throw error
  }
}

/**
 * The games of a player, also of a library that is private now; others do not get those that the player hides (VIS-8).
 * @throws PackedError
 */
export function gamesOf(
  { library, hidden_appids }: Pick<CachedPlayer, 'library' | 'hidden_appids'>,
  viewer: 'owner' | 'others',
): Library | undefined {
  if (library instanceof PackedError) throw library
  if (library === undefined || viewer === 'owner' || hidden_appids === null) return library
  return withoutGames(library, hiddenAppids(hidden_appids))
}

/**
 * The games that a player owns outside Steam and not in `library`, which is what the viewer may see of it; others do not get
 * those that the player hides.
 */
export function elsewhereOf(
  { elsewhere, hidden_appids }: Pick<CachedPlayer, 'elsewhere' | 'hidden_appids'>,
  library: Playtimes | undefined,
  viewer: 'owner' | 'others',
): ReadonlyMap<number, ElsewherePlace> {
  if (elsewhere === null) return NOTHING
  const hidden = new Set(viewer === 'owner' ? [] : hiddenAppids(hidden_appids))
  return new Map(
    [...elsewhereIn(elsewhere)].filter(
      ([appid]) => !hidden.has(appid) && !(library && indexOfGame(library, appid) !== -1),
    ),
  )
}
const NOTHING: ReadonlyMap<number, ElsewherePlace> = new Map()

/** What nobody may know of a player whom they are not connected with. */
const NOT_SHOWN = {
  personastate: 0,
  playing: null,
  playing_appid: null,
  signed_in_at: null,
  library_visibility: 'nobody',
  library: undefined,
} as const

function deletedPlayer(steamId: SteamId): CachedPlayer {
  return {
    ...NOT_SHOWN,
    steam_id: steamId,
    display_name: null,
    avatar_url: null,
    friends_status: 'never',
    friends_at: null,
    hidden_appids: null,
    country: null,
    elsewhere: null,
    library_version: null,
    library_status: null,
    library_synced_at: null,
    total_minutes: null,
    isFormerFriend: false,
  }
}
