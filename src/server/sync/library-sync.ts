/** Reading one library: fetch, validate (the client does), compare, one write. */
import type { SteamId } from '#shared/entities.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { diffLibraries } from '../library/algebra.ts'
import { type Library, libraryFrom, totalMinutes } from '../library/library.ts'
import { packLibrary, PackedLibraryError, unpackLibrary } from '../library/packed.ts'
import type { PlatformGame, SteamPort } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import {
  addLibraryChanges,
  type LibraryChange,
  markLibraryPrivate,
  readLibrary,
  writeLibrary,
} from '../storage/libraries.ts'
import { isNotDeleted, lockPeople } from '../storage/people.ts'
import type { Tx } from '../database/schema.ts'
import type { Log } from './log.ts'
import type { Fetch, ReadPlan } from './platform-read.ts'

type LibraryFetchOptions = {
  database: Database
  steam: SteamPort
  catalogue: Catalogue
  clock: () => number
  log: Log
}

/** Makes the fetching of libraries; a private one leaves the games that are stored. */
export function createLibraryFetch({ database, steam, catalogue, clock, log }: LibraryFetchOptions): Fetch {
  const { queries } = database

  return async function fetchLibrary(steamId, { urgency, signal }) {
    if (!(await isNotDeleted(queries, steamId))) return undefined
    const games = await steam.ownedGames(steamId, urgency, signal)
    return games.status === 'ok' ? planLibrary(steamId, games.games) : planPrivate(steamId)
  }

  function planPrivate(steamId: SteamId): ReadPlan {
    return {
      kind: 'games',
      steamId,
      outcome: { status: 'private', count: 0 },
      write: async (tx) => {
        if (!(await lockPerson(tx, steamId))) return false
        await markLibraryPrivate(tx, steamId, clock())
        return true
      },
    }
  }

  /** Does everything that needs no transaction, so that the transaction is short. */
  async function planLibrary(steamId: SteamId, games: readonly PlatformGame[]): Promise<ReadPlan> {
    const library = libraryFrom(games)
    const packed = packLibrary(library)
    const names = await catalogue.findNewNames(games)
    return {
      kind: 'games',
      steamId,
      outcome: { status: 'ok', count: games.length },
      write: async (tx) => {
        if (!(await lockPerson(tx, steamId))) return false
        const at = clock()
        const before = await storedLibrary(tx, steamId)
        await writeLibrary(tx, steamId, {
          packed,
          gameCount: library.length,
          totalMinutes: totalMinutes(library),
          at,
        })
        await addLibraryChanges(tx, steamId, at, newsBetween(before, library))
        await names.write(tx)
        return true
      },
      afterCommit: () => names.updateCache(),
    }
  }

  /**
   * Locks a person; false when the account was deleted. Waits for friend lists that name this person and are being
   * stored: what they put on the refresh list goes with this read, and those stored later see its library.
   */
  async function lockPerson(tx: Tx, steamId: SteamId): Promise<boolean> {
    const person = (await lockPeople(tx, [steamId])).get(steamId)
    return person?.deleted_at === null
  }

  async function storedLibrary(tx: Tx, steamId: SteamId): Promise<Library | undefined> {
    const row = await readLibrary(tx, steamId)
    try {
      return row?.packed ? unpackLibrary(row.packed) : undefined
    } catch (error) {
      // A damaged row is no reason to keep it: what was just read takes its place.
      if (!(error instanceof PackedLibraryError)) throw error
      log.error({ err: error, steamId }, 'a stored library is damaged and is replaced')
      return undefined
    }
  }
}

/**
 * What changed, for Recent Activity. A library without any minutes says nothing of what is new: its owner may have
 * kept playtimes private until now (PLAT-14).
 */
function newsBetween(
  before: Library | undefined,
  after: Library,
): Pick<LibraryChange, 'appid' | 'kind' | 'minutes'>[] {
  const { added, started } = diffLibraries(before, after)
  const firstPlayed = before && totalMinutes(before) > 0 ? started : []
  return [
    ...added.map((appid) => ({ appid, kind: 'added' as const, minutes: 0 })),
    ...firstPlayed.map(({ appid, minutes }) => ({ appid, kind: 'started' as const, minutes })),
  ]
}
