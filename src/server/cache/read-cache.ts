/** The values that requests read most, each under its cache tag (docs/develop/caching.md), and what they imply. */
import type { ElsewherePlace, SteamId } from '#shared/entities.ts'
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
import { inSlices } from '../library/slices.ts'
import {
  type Connections,
  formerFriends,
  type KnownFriends,
  NO_LIST,
  readKnownFriends,
} from '../storage/players/friends.ts'
import { readAddedAppids } from '../storage/groups/added-games.ts'
import { type Corrections, readCorrections } from '../storage/groups/groups.ts'
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

export type ReadCache = Pick<Polls, 'refresh'> &
  Connections & {
    /** The session of a token that has not ended at `now`. */
    session(tokenHash: string, now: number): Promise<SessionRow | undefined>
    /** Players in the order of `ids`; undefined for those who are not in the database, such as deleted accounts. */
    players(ids: readonly SteamId[]): Promise<(CachedPlayer | undefined)[]>
    /**
     * Those on a player's friend list, in the order of their ids. Former friends have only what everybody may know,
     * deleted accounts only the id; nobody may see the library of either (PERM-20, DEL-2).
     */
    friends(steamId: SteamId): Promise<readonly CachedPlayer[]>
    /** Ids of the groups that a player has joined. */
    joinedGroupIds(steamId: SteamId): Promise<readonly number[]>
    /** Ids of a group's members: owner first, then in the order they were added. */
    memberIds(groupId: number): Promise<readonly SteamId[]>
    /** How many can play the games that a group has corrected (API-54). */
    corrections(groupId: number): Promise<Corrections>
    /** Appids of the games that a group has added (API-56). */
    addedAppids(groupId: number): Promise<readonly number[]>
  }

type Group = {
  memberIds: readonly SteamId[]
  corrections: Corrections
  addedAppids: readonly number[]
}

/** Shares of the memory; the catalogue has the rest. */
const SHARES = { players: 12 / 16, friends: 1 / 16, sessions: 1 / 32, groups: 1 / 32, joinedGroups: 1 / 32 }
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
  session: 1000,
}

/** A cache of about `bytes`; with 0 every read is a query. */
export function createReadCache(
  { queries }: Pick<Database, 'queries'>,
  polls: Polls,
  bytes: number,
): ReadCache {
  const bySteamId = { keyOf: (id: string) => id }
  const players = createTagCache<SteamId, CachedPlayer>(polls, {
    kind: 'person',
    bytes: bytes * SHARES.players,
    weigh: bytesOf.player,
    read: (ids) => readCachedPlayers(queries, ids),
    ...bySteamId,
  })
  const friendLists = createTagCache<SteamId, KnownFriends>(polls, {
    kind: 'friends',
    bytes: bytes * SHARES.friends,
    weigh: bytesOf.friends,
    read: (ids) => readKnownFriends(queries, ids),
    ...bySteamId,
  })
  const joinedGroups = createTagCache<SteamId, readonly number[]>(polls, {
    kind: 'groups',
    bytes: bytes * SHARES.joinedGroups,
    weigh: bytesOf.joinedGroups,
    read: (ids) => listJoinedGroupIds(queries, ids),
    ...bySteamId,
  })
  const groups = createTagCache<number, Group>(polls, {
    kind: 'group',
    bytes: bytes * SHARES.groups,
    weigh: bytesOf.group,
    read: async (ids) =>
      new Map(await Promise.all(ids.map(async (id) => [id, await readGroup(id)] as const))),
    keyOf: Number,
  })
  /** By the hash of their token. */
  const sessions = createTagCache<string, SessionRow>(polls, {
    kind: 'sessions',
    bytes: bytes * SHARES.sessions,
    weigh: () => bytesOf.session,
    read: async ([hash]) => {
      const found = await findSession(queries, hash!, 0)
      return new Map(found && [[hash!, found]])
    },
    ownerOf: (row) => row.steam_id,
    ...bySteamId,
  })

  async function readGroup(groupId: number): Promise<Group> {
    const [memberIds, corrections, addedAppids] = await Promise.all([
      listMemberIds(queries, groupId),
      readCorrections(queries, groupId),
      readAddedAppids(queries, groupId),
    ])
    return { memberIds, corrections, addedAppids }
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
    async session(tokenHash, now) {
      const [session] = await sessions.load([tokenHash])
      return session && session.expires_at > now ? session : undefined
    },
    players: (ids) => players.load(ids),
    ...connections,
    async friends(steamId) {
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
    joinedGroupIds: async (steamId) => (await joinedGroups.load([steamId]))[0] ?? [],
    memberIds: async (groupId) => (await groups.load([groupId]))[0]!.memberIds,
    corrections: async (groupId) => (await groups.load([groupId]))[0]!.corrections,
    addedAppids: async (groupId) => (await groups.load([groupId]))[0]!.addedAppids,
  }
}

const NOBODY: ReadonlySet<SteamId> = new Set()

/** Players with their libraries, by id; in slices, because a hundred large libraries take long to unpack. */
export async function readCachedPlayers(
  db: Queries | Tx,
  ids: readonly SteamId[],
): Promise<Map<SteamId, CachedPlayer>> {
  const found = new Map<SteamId, CachedPlayer>()
  await inSlices(unpackEach(await readPlayersWithGames(db, ids)))
  return found

  function* unpackEach(rows: Awaited<ReturnType<typeof readPlayersWithGames>>): Generator<void, void> {
    for (const { packed, ...player } of rows) {
      const library = packed === null ? undefined : unpackReadable(packed)
      found.set(player.steam_id, { ...player, library, isFormerFriend: false })
      yield
    }
  }
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
