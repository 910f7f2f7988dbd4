/** Players and their libraries, cached while nothing about them changes. */
import type { SteamId } from '#shared/entities.ts'
import type { Database } from '../database/database.ts'
import { dependsOn, reading, type CacheTag } from '../database/cache-tags.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { type Library, type Playtimes, withoutGames } from '../library/library.ts'
import { unpackLibrary, unpackPlaytimes } from '../library/packed.ts'
import { PackedError } from '../library/packing.ts'
import { inSlices } from '../library/slices.ts'
import { hiddenAppids } from '../storage/hidden-games.ts'
import { readPackedLibraries } from '../storage/libraries.ts'
import { type PlayerWithLibrary, readPlayersForCache } from '../storage/players.ts'
import { createLruCache } from './lru-cache.ts'
import { loadOfTags, type Validity } from './validity.ts'

/** A player and the state of their library. The same object while nothing about the player changes. */
export type CachedPlayer = PlayerWithLibrary & {
  /** Always null; rows have the same fields, so that all players have one shape. */
  packed: null
  /** What changes with the player, and the last poll before they were read. */
  readonly tag: CacheTag
  readonly at: number
  /** The stored games, once {@link PlayerCache.loadLibraries} has read them; undefined when there are none. */
  library: Playtimes | undefined
  /** The library without the games that its owner hides (VIS-8); the same object when none is hidden. */
  libraryForOthers: Playtimes | undefined
  /**
   * Whether this stands for somebody in the list of a friend whom they have dropped ({@link PlayerCache.formerFriend}).
   */
  isFormerFriend: boolean
}

export type PlayerCache = {
  /**
   * Players in the order of `ids`; undefined for those who are not in the database, such as deleted accounts. With
   * `games` their libraries are read with them, which saves {@link loadLibraries} a query, but not the call. `before`:
   * the previous players of the same ids; those still valid are reused without a lookup.
   */
  players(
    ids: readonly SteamId[],
    what?: { games: boolean },
    before?: readonly CachedPlayer[],
  ): Promise<(CachedPlayer | undefined)[]>
  /**
   * What lists that contain a deleted account show of it: the id, and a library that nobody may see (DEL-2). `at`: the
   * last poll before it was not found.
   */
  deletedPlayer(steamId: SteamId, at: number): CachedPlayer
  /**
   * What a friend list shows of somebody on it who is not connected with its person: what everybody may know, and a
   * library that nobody may see (PERM-20).
   */
  formerFriend(player: CachedPlayer): CachedPlayer
  /** Gives each of these players their `library` and `libraryForOthers`, private ones included. */
  loadLibraries(players: readonly CachedPlayer[]): Promise<void>
  /**
   * All columns of players' libraries by id, private ones included; who has none is missing. 'others' do not get the games
   * that the player hides. In a transaction `db` is its own, because none may wait for another connection.
   */
  wholeLibraries(
    players: readonly PlayerWithLibrary[],
    viewer: 'owner' | 'others',
    db?: Queries | Tx,
  ): Promise<Map<SteamId, Library>>
}

/** Memory of an entry without its columns, in bytes, measured roughly and rounded up. */
const PLAYER_BYTES = 1800
const PLAYTIMES_BYTES = 600
/** Appid and minutes. */
const BYTES_PER_GAME = 8
/** A whole library, its columns, and the order of its games (features/library.ts). */
const WHOLE_BYTES = 1400
const WHOLE_BYTES_PER_GAME = 20

/** Share of the memory that replaced players may take before what refers to them is released. */
const REPLACED_SHARE = 1 / 16

type Options = {
  database: Pick<Database, 'queries'>
  validity: Pick<Validity, 'now' | 'isUnchanged' | 'tagOf'>
  /** Memory for people with their playtimes, and for whole libraries, in bytes. */
  playersBytes: number
  wholeLibraryBytes: number
  /** Called when players are evicted, or many were replaced. */
  onRelease: () => void
}

/** The players of one server. */
export function createPlayerCache({
  database: { queries },
  validity,
  playersBytes,
  wholeLibraryBytes,
  onRelease,
}: Options): PlayerCache {
  const players = createLruCache<SteamId, CachedPlayer>(playersBytes, weightOf, onRelease)
  let replacedBytes = 0
  /**
   * Separate, because whole libraries are mostly read by their owners; other requests need only playtimes. A library
   * with hidden games has a second entry, `{steam id} for others`.
   */
  const wholeLibraries = createLruCache<string, WholeLibrary>(
    wholeLibraryBytes,
    ({ library }) => WHOLE_BYTES + library.length * WHOLE_BYTES_PER_GAME,
  )

  async function readPlayers(
    ids: readonly SteamId[],
    what: { games: boolean },
  ): Promise<Map<SteamId, CachedPlayer>> {
    const at = validity.now()
    const tags = new Map<SteamId, CacheTag>()
    for (const id of ids) tags.set(id, validity.tagOf(`person:${id}`))
    const recorder = reading.getStore()
    for (const tag of tags.values()) recorder?.add(tag)
    dependsOn('person', [])
    const rows = await readPlayersForCache(queries, ids, what)
    const found = new Map<SteamId, CachedPlayer>()
    // In slices, because a hundred large libraries take long to unpack.
    await inSlices(storeEach())
    // Nothing about a deleted account stays in memory.
    if (found.size < ids.length) for (const id of ids) if (!found.has(id)) players.delete(id)
    return found

    function* storeEach(): Generator<void, void> {
      for (const row of rows) {
        const before = players.get(row.steam_id)
        if (before) noteReplaced(before)
        const isSame = before !== undefined && isSameRevision(before, row)
        const library = (isSame ? before.library : undefined) ?? unpackReadable(row)
        const libraryForOthers =
          isSame && library === before.library && before.hidden_appids === row.hidden_appids
            ? before.libraryForOthers
            : library && withoutGames(library, hiddenAppids(row.hidden_appids))
        const tag = tags.get(row.steam_id)!
        // Copied, because property access on the driver's own objects is slow.
        const player: CachedPlayer = {
          ...row,
          packed: null,
          library,
          libraryForOthers,
          isFormerFriend: false,
          tag,
          at,
        }
        players.set(row.steam_id, player)
        found.set(row.steam_id, player)
        if (row.packed) yield
      }
    }
  }

  function noteReplaced(player: CachedPlayer): void {
    replacedBytes += weightOf(player)
    if (replacedBytes < playersBytes * REPLACED_SHARE) return
    replacedBytes = 0
    onRelease()
  }

  return {
    players: (ids, what = { games: false }, before) =>
      loadOfTags(validity, players, ids, (missing) => readPlayers(missing, what), before),

    deletedPlayer: (steamId, at) => ({
      steam_id: steamId,
      display_name: null,
      avatar_url: null,
      personastate: 0,
      playing: null,
      playing_appid: null,
      friends_status: 'never',
      friends_at: null,
      signed_in_at: null,
      library_visibility: 'nobody',
      hidden_appids: null,
      packed: null,
      library_version: null,
      library_status: null,
      library_synced_at: null,
      total_minutes: null,
      library: undefined,
      libraryForOthers: undefined,
      isFormerFriend: false,
      tag: validity.tagOf(`person:${steamId}`),
      at,
    }),

    formerFriend: (player) => ({
      ...player,
      signed_in_at: null,
      personastate: 0,
      playing: null,
      playing_appid: null,
      library_visibility: 'nobody',
      library: undefined,
      libraryForOthers: undefined,
      isFormerFriend: true,
    }),

    async loadLibraries(of) {
      const missing = new Map<SteamId, CachedPlayer>()
      for (const player of of)
        if (!player.library && player.library_version !== null) missing.set(player.steam_id, player)
      if (missing.size === 0) return
      const recorder = reading.getStore()
      for (const { tag } of missing.values()) recorder?.add(tag)
      dependsOn('person', [])
      const rows = await readPackedLibraries(queries, [...missing.keys()])
      // In slices, because a hundred large libraries take long to unpack.
      await inSlices(unpackEach())
      function* unpackEach(): Generator<void, void> {
        for (const { steam_id, packed } of rows) {
          const player = missing.get(steam_id)!
          if (packed === null) continue
          // Stored again, because the library changes the weight of the entry.
          const isCached = players.get(steam_id) === player
          if (isCached) players.delete(steam_id)
          player.library = unpackPlaytimes(packed)
          player.libraryForOthers = withoutGames(player.library, hiddenAppids(player.hidden_appids))
          if (isCached) players.set(steam_id, player)
          yield
        }
      }
    },

    async wholeLibraries(of, viewer, db = queries) {
      const found = new Map<SteamId, Library>()
      const missing = new Map<SteamId, PlayerWithLibrary>()
      for (const player of of) {
        const cached = wholeLibraries.get(keyOfWhole(player, viewer))
        if (cached && isSameRevision(cached, player) && cached.hidden_appids === hiddenFrom(viewer, player))
          found.set(player.steam_id, cached.library)
        else if (player.library_version !== null) missing.set(player.steam_id, player)
      }
      if (missing.size === 0) return found
      dependsOn('person', missing.keys())
      const rows = await readPackedLibraries(db, [...missing.keys()])
      // In slices, because a hundred large libraries take long to unpack.
      await inSlices(unpackEach())
      return found

      function* unpackEach(): Generator<void, void> {
        for (const { steam_id, packed } of rows) {
          if (packed === null) continue
          const player = missing.get(steam_id)!
          const { library_version, library_synced_at } = player
          const hidden_appids = hiddenFrom(viewer, player)
          const library = withoutGames(unpackLibrary(packed), hiddenAppids(hidden_appids))
          const revision = { library_version, library_synced_at, hidden_appids }
          wholeLibraries.set(keyOfWhole(player, viewer), { ...revision, library })
          found.set(steam_id, library)
          yield
        }
      }
    },
  }
}

/** The games that a viewer does not get, as stored; null for none. */
function hiddenFrom(viewer: 'owner' | 'others', { hidden_appids }: PlayerWithLibrary): string | null {
  return viewer === 'owner' ? null : hidden_appids
}

function keyOfWhole(player: PlayerWithLibrary, viewer: 'owner' | 'others'): string {
  return hiddenFrom(viewer, player) === null ? player.steam_id : `${player.steam_id} for others`
}

/** The games of a row that has them; a damaged library is reported by the request that needs it. */
function unpackReadable({ packed, library_status }: PlayerWithLibrary & { packed: Uint8Array | null }) {
  if (packed === null || library_status !== 'ok') return undefined
  try {
    return unpackPlaytimes(packed)
  } catch (error) {
    if (!(error instanceof PackedError)) throw error
    return undefined
  }
}

function weightOf({ library, libraryForOthers, hidden_appids }: CachedPlayer): number {
  const playtimes = libraryForOthers === library ? [library] : [library, libraryForOthers]
  let bytes = PLAYER_BYTES + (hidden_appids?.length ?? 0)
  for (const columns of playtimes) if (columns) bytes += PLAYTIMES_BYTES + columns.length * BYTES_PER_GAME
  return bytes
}

type Revision = Pick<PlayerWithLibrary, 'library_version' | 'library_synced_at'>
/** `hidden_appids`: the games that were left out. */
type WholeLibrary = Revision & { hidden_appids: string | null; library: Library }

/** Compares the time too, because versions restart at 1 when a deleted account comes back. */
function isSameRevision(a: Revision, b: Revision): boolean {
  return a.library_version === b.library_version && a.library_synced_at === b.library_synced_at
}
