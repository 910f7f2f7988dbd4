/**
 * What was read lately, kept in this process for as long as the database says that nothing has changed
 * (`Database.state`): sessions, people and their decoded libraries. A change made through any server of the same
 * database is therefore seen by the next request, and memory is bounded by configuration.
 */
import type { SteamId } from '#shared/entities.ts'
import type { Library } from '../library/library.ts'
import { unpackLibrary } from '../library/packed.ts'
import type { Database, DatabaseState } from './database.ts'
import { readPackedLibraries } from './libraries.ts'
import { type PersonWithLibrary, readPeopleWithLibraries } from './people.ts'
import { createRecent } from './recent.ts'
import { findSession, type SessionRow } from './sessions.ts'

/** Somebody, and how their library stands. The same object for as long as nothing has changed. */
export type KnownPerson = PersonWithLibrary

export type Recall = {
  /**
   * Notes where the database stands. Each request does it once, before anything else here. Requests that arrived
   * together share one look: all of them were sent before it, so none can know of a change that came after.
   */
  refresh(): DatabaseState | Promise<DatabaseState>
  /** As {@link refresh}, looking anew: for a request that has changed something, or waited, since it began. */
  refreshAnew(): DatabaseState | Promise<DatabaseState>
  /** As {@link session}, without asking the database: undefined also when it would have to be asked. */
  knownSession(tokenHash: string, now: number): SessionRow | undefined
  /** The session of a token that has not ended at `now`. */
  session(tokenHash: string, now: number): Promise<SessionRow | undefined>
  /** Those of `ids` who are known, by id and in the order of `ids`. */
  people(ids: readonly SteamId[]): Promise<Map<SteamId, KnownPerson>>
  /** Stored libraries of people, decoded, private ones included; those without one are missing. */
  libraries(people: Iterable<KnownPerson>): Promise<Map<SteamId, Library>>
}

/** Shares of the memory that is granted. */
const SHARES = { sessions: 1 / 8, people: 1 / 4, libraries: 5 / 8 }
/** What an entry takes besides its text and figures, measured roughly and rounded up. */
const SESSION_BYTES = 700
const PERSON_BYTES = 900
const LIBRARY_BYTES = 700
const BYTES_PER_GAME = 16

type AsOf<Row> = { row: Row; state: DatabaseState }
type Decoded = { version: number; syncedAt: number | null; library: Library }

/** A memory of at most `bytes`, roughly; 0 remembers nothing. */
export function createRecall(database: Database, bytes: number): Recall {
  const { queries } = database
  const sessions = createRecent<string, AsOf<SessionRow>>(bytes * SHARES.sessions, () => SESSION_BYTES)
  const people = createRecent<SteamId, AsOf<KnownPerson>>(bytes * SHARES.people, () => PERSON_BYTES)
  const decoded = createRecent<SteamId, Decoded>(
    bytes * SHARES.libraries,
    ({ library }) => LIBRARY_BYTES + library.length * BYTES_PER_GAME,
  )
  let state: DatabaseState | undefined

  /** The look that requests of this turn of the event loop share. */
  let shared: DatabaseState | Promise<DatabaseState> | undefined

  let looks = 0
  let noted = 0

  /** Of looks that overlap an earlier one may come back later; it says nothing any more. */
  function note(look: number, found: DatabaseState): DatabaseState {
    if (look > noted) {
      noted = look
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

  function refreshAnew(): DatabaseState | Promise<DatabaseState> {
    const look = ++looks
    const found = database.state()
    return found instanceof Promise ? found.then((later) => note(look, later)) : note(look, found)
  }

  function knownSession(tokenHash: string, now: number): SessionRow | undefined {
    const known = current(sessions.get(tokenHash))
    return known !== undefined && known.expires_at > now ? known : undefined
  }

  return {
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
      const found = new Map<SteamId, KnownPerson>()
      const missing: SteamId[] = []
      for (const id of ids) {
        const known = current(people.get(id))
        if (known) found.set(id, known)
        else missing.push(id)
      }
      if (missing.length === 0) return found
      const keep = keeper(people)
      const rows = new Map(
        (await readPeopleWithLibraries(queries, missing)).map((row) => [row.steam_id, row]),
      )
      for (const [id, row] of rows) keep(id, row)
      for (const [id, row] of rows) found.set(id, row)
      return inOrder(ids, found)
    },

    async libraries(of) {
      const found = new Map<SteamId, Library>()
      const missing: SteamId[] = []
      for (const person of of) {
        if (person.library_version === null) continue
        const known = decoded.get(person.steam_id)
        // An account that was deleted and came back counts its versions anew; the time tells them apart.
        if (known?.version === person.library_version && known.syncedAt === person.library_synced_at)
          found.set(person.steam_id, known.library)
        else missing.push(person.steam_id)
      }
      if (missing.length === 0) return found
      for (const { steam_id, version, synced_at, packed } of await readPackedLibraries(queries, missing)) {
        if (packed === null) continue
        const library = unpackLibrary(packed)
        decoded.set(steam_id, { version, syncedAt: synced_at, library })
        found.set(steam_id, library)
      }
      return found
    },
  }
}

function inOrder<Row>(ids: readonly SteamId[], rows: Map<SteamId, Row>): Map<SteamId, Row> {
  const ordered = new Map<SteamId, Row>()
  for (const id of ids) {
    const row = rows.get(id)
    if (row !== undefined) ordered.set(id, row)
  }
  return ordered
}
