/**
 * What was read lately, kept in this process for as long as the database says that nothing has changed
 * (`Database.state`): sessions, people and their decoded libraries, who is whose friend and in which group. A change made through any server of the same
 * database is therefore seen by the next request, and memory is bounded by configuration.
 */
import type { SteamId } from '#shared/entities.ts'
import type { Library, Playtimes } from '../library/library.ts'
import { unpackLibrary, unpackPlaytimes } from '../library/packed.ts'
import { inSlices } from '../library/slices.ts'
import type { Database, SnapshotToken } from '../database/database.ts'
import { listFriendIds } from '../storage/friends.ts'
import { readPackedLibraries, readPackedLibrary } from '../storage/libraries.ts'
import { listMemberIds } from '../storage/memberships.ts'
import { type PersonWithLibrary, readPeopleWithLibraries } from '../storage/people.ts'
import { createLruCache } from './lru-cache.ts'
import { findSession, type SessionRow } from '../storage/sessions.ts'

/** Somebody, and how their library stands. The same object for as long as nothing has changed. */
export type KnownPerson = PersonWithLibrary & {
  /** Where the database stood before this was read. */
  readonly asOf: SnapshotToken | undefined
  /** How lists show this person, once one did (features/friends.ts): they stand in many. */
  listed: ListedPerson | undefined
  /** The stored games, once {@link ReadCache.loadLibraries} has been asked for them; undefined when there are none. */
  library: Playtimes | undefined
}

/** Somebody as the JSON of lists: a friend whose library may be shown; without its end, an owner of a game. */
export type ListedPerson = { asFriend: string; asOwner: string; order: string }

export type ReadCache = {
  /**
   * Notes where the database stands. Each request does it once, before anything else here. Requests that arrived
   * together share one look: all of them were sent before it, so none can know of a change that came after.
   */
  refresh(): SnapshotToken | Promise<SnapshotToken>
  /** As {@link refresh}, looking anew: for a request that has changed something, or waited, since it began. */
  refreshAnew(): SnapshotToken | Promise<SnapshotToken>
  /** As {@link session}, without asking the database: undefined also when it would have to be asked. */
  knownSession(tokenHash: string, now: number): SessionRow | undefined
  /** The session of a token that has not ended at `now`. */
  session(tokenHash: string, now: number): Promise<SessionRow | undefined>
  /** People in the order of `ids`; undefined where somebody is not known. */
  people(ids: readonly SteamId[]): Promise<(KnownPerson | undefined)[]>
  /** Ids of somebody's friends, in no order. */
  friendIds(steamId: SteamId): Promise<readonly SteamId[]>
  /** Somebody's friends, in no order; those who are not known are missing. */
  friends(steamId: SteamId): Promise<readonly KnownPerson[]>
  /** Ids of a group's members: owner first, then as they were added. */
  memberIds(groupId: number): Promise<readonly SteamId[]>
  /** Gives each of these people their `library`, private ones included. */
  loadLibraries(people: readonly KnownPerson[]): Promise<void>
  /** Everything stored of somebody's games, private ones included; undefined when there is nothing. */
  wholeLibrary(person: KnownPerson): Promise<Library | undefined>
}

/** Shares of the memory that is granted. */
const SHARES = { sessions: 1 / 48, circles: 2 / 48, lists: 4 / 48, people: 35 / 48, wholes: 6 / 48 }
/** What an entry takes besides its text and figures, measured roughly and rounded up. */
const SESSION_BYTES = 700
const PERSON_BYTES = 1800
const LIST_BYTES = 300
/** Here, and once more in the order of their list (features/friends.ts). */
const BYTES_PER_PERSON_LISTED = 16
const BYTES_PER_ID = 48
const PLAYTIMES_BYTES = 600
const BYTES_PER_GAME = 8
/** A whole library, its columns, and its list (features/library.ts). */
const WHOLE_BYTES = 1400
const WHOLE_BYTES_PER_GAME = 40

type AsOf<Row> = { row: Row; state: SnapshotToken }
/** A library, and of which writing of it. */
type Whole = Writing & { row: Library }

/** A memory of at most `bytes`, roughly; 0 remembers nothing. */
export function createReadCache(database: Database, bytes: number): ReadCache {
  const { queries } = database
  const sessions = createLruCache<string, AsOf<SessionRow>>(bytes * SHARES.sessions, () => SESSION_BYTES)
  // Looking up 150 people takes longer than listing them. Goes with the older half of them, so that nobody is held on
  // to whom the memory of people has let go.
  const circles = createLruCache<SteamId, AsOf<readonly KnownPerson[]>>(
    bytes * SHARES.circles,
    ({ row }) => LIST_BYTES + row.length * BYTES_PER_PERSON_LISTED,
  )
  const people = createLruCache<SteamId, KnownPerson>(
    bytes * SHARES.people,
    ({ library }) => PERSON_BYTES + (library ? PLAYTIMES_BYTES + library.length * BYTES_PER_GAME : 0),
    () => circles.clear(),
  )
  /** Whole libraries of those who look at them, mostly their owners: most people are only compared with. */
  const wholes = createLruCache<SteamId, Whole>(
    bytes * SHARES.wholes,
    ({ row }) => WHOLE_BYTES + row.length * WHOLE_BYTES_PER_GAME,
  )
  /** Lists of people: friends by a steam id, members by the number of a group. */
  const lists = createLruCache<SteamId | number, AsOf<readonly SteamId[]>>(
    bytes * SHARES.lists,
    ({ row }) => LIST_BYTES + row.length * BYTES_PER_ID,
  )
  let state: SnapshotToken | undefined

  /** The look that requests of this turn of the event loop share. */
  let shared: SnapshotToken | Promise<SnapshotToken> | undefined

  let looks = 0
  let noted = 0

  /** Of looks that overlap an earlier one may come back later; it says nothing any more. */
  function note(look: number, found: SnapshotToken): SnapshotToken {
    if (look > noted) {
      noted = look
      // What lists name are people as they were: others take their places, and these are not to be held on to.
      if (found !== state) circles.clear()
      state = found
    }
    return found
  }

  const current = <Row>(entry: AsOf<Row> | undefined) => (entry?.state === state ? entry?.row : undefined)

  /** Remembers rows by the state before they were read: they may be newer than it, never older. */
  function keeper<Key, Row>(memory: { set(key: Key, value: AsOf<Row>): void }) {
    const before = state
    return (key: Key, row: Row) => {
      if (before !== undefined) memory.set(key, { row, state: before })
    }
  }

  function refreshAnew(): SnapshotToken | Promise<SnapshotToken> {
    const look = ++looks
    const found = database.state()
    return found instanceof Promise ? found.then((later) => note(look, later)) : note(look, found)
  }

  function knownSession(tokenHash: string, now: number): SessionRow | undefined {
    const known = current(sessions.get(tokenHash))
    return known !== undefined && known.expires_at > now ? known : undefined
  }

  async function list(
    key: SteamId | number,
    read: () => Promise<readonly SteamId[]>,
  ): Promise<readonly SteamId[]> {
    const known = current(lists.get(key))
    if (known) return known
    const keep = keeper(lists)
    const row = await read()
    keep(key, row)
    return row
  }

  const readCache: ReadCache = {
    refresh: () => {
      if (shared === undefined) {
        shared = refreshAnew()
        setImmediate(() => (shared = undefined))
      }
      return shared
    },

    refreshAnew,

    knownSession,

    async session(tokenHash, now) {
      const known = knownSession(tokenHash, now)
      if (known) return known
      const keep = keeper(sessions)
      const row = await findSession(queries, tokenHash, now)
      if (row) keep(tokenHash, row)
      return row
    },

    async people(ids) {
      const found: (KnownPerson | undefined)[] = []
      const missing: number[] = []
      for (let index = 0; index < ids.length; index++) {
        const known = people.get(ids[index]!)
        if (known?.asOf === state) found.push(known)
        else {
          missing.push(index)
          found.push(undefined)
        }
      }
      if (missing.length === 0) return found
      const before = state
      const rows = await readPeopleWithLibraries(
        queries,
        missing.map((index) => ids[index]!),
      )
      const byId = new Map<SteamId, KnownPerson>()
      for (const row of rows) {
        // Spread, because objects as the driver makes them are slow to read from.
        const library = stillTrue(people.get(row.steam_id), row)
        const person: KnownPerson = { ...row, library, asOf: before, listed: undefined }
        if (before !== undefined) people.set(row.steam_id, person)
        byId.set(row.steam_id, person)
      }
      for (const index of missing) found[index] = byId.get(ids[index]!)
      return found
    },

    friendIds: (steamId) => list(steamId, () => listFriendIds(queries, steamId)),

    async friends(steamId) {
      const known = current(circles.get(steamId))
      if (known) return known
      const keep = keeper(circles)
      const found = await readCache.people(await readCache.friendIds(steamId))
      const row = found.filter((person) => person !== undefined)
      keep(steamId, row)
      return row
    },

    memberIds: (groupId) => list(groupId, () => listMemberIds(queries, groupId)),

    async loadLibraries(of) {
      const missing = new Map<SteamId, KnownPerson>()
      for (const person of of)
        if (!person.library && person.library_version !== null) missing.set(person.steam_id, person)
      if (missing.size === 0) return
      const rows = await readPackedLibraries(queries, [...missing.keys()])
      // A hundred large libraries take long to unpack.
      await inSlices(unpackEach())
      function* unpackEach(): Generator<void, void> {
        for (const { steam_id, packed } of rows) {
          const person = missing.get(steam_id)!
          if (packed === null) continue
          // Kept anew, because it weighs more with its library; unless it was replaced meanwhile.
          const isKept = people.get(steam_id) === person
          if (isKept) people.delete(steam_id)
          person.library = unpackPlaytimes(packed)
          if (isKept) people.set(steam_id, person)
          yield
        }
      }
    },

    async wholeLibrary(person) {
      const { steam_id, library_version, library_synced_at } = person
      const known = wholes.get(steam_id)
      if (known && sameWriting(known, person)) return known.row
      const packed = await readPackedLibrary(queries, steam_id)
      if (packed === null) return undefined
      const row = unpackLibrary(packed)
      wholes.set(steam_id, { library_version, library_synced_at, row })
      return row
    },
  }
  return readCache
}

/** The library of an earlier reading of somebody, if it is still theirs. */
function stillTrue(before: KnownPerson | undefined, now: PersonWithLibrary): Playtimes | undefined {
  return before && sameWriting(before, now) ? before.library : undefined
}

type Writing = Pick<PersonWithLibrary, 'library_version' | 'library_synced_at'>

/** An account that was deleted and came back counts its versions anew; the time tells them apart. */
function sameWriting(before: Writing, now: Writing): boolean {
  return before.library_version === now.library_version && before.library_synced_at === now.library_synced_at
}
