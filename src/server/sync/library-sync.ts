/** Reading one library: fetch, validate (the client does), compare, one write. */
import type { SteamId } from '#shared/entities.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { diffLibraries } from '../library/algebra.ts'
import { type Library, libraryFrom, totalMinutes } from '../library/library.ts'
import { packLibrary, PackedLibraryError, unpackLibrary } from '../library/packed.ts'
import type { OwnedGames, SteamPort, Urgency } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import {
  addLibraryChanges,
  type LibraryChange,
  markLibraryPrivate,
  readLibrary,
  writeLibrary,
} from '../storage/libraries.ts'
import { lockAccounts } from '../storage/accounts.ts'
import { isStillHere, lockPeople } from '../storage/people.ts'
import { dropRefresh } from '../storage/refreshes.ts'
import type { Tx } from '../database/schema.ts'
import type { Log } from './log.ts'

/**
 * How a library or friend list was read; `count` is the number of games or friends that the platform gave, none when it is private.
 * 'deleted': nothing of a deleted account is read or stored (DEL-2).
 */
export type ReadOutcome = Answered | typeof ofDeletedAccount
export type Answered = { status: 'ok' | 'private'; count: number }
export const ofDeletedAccount = { status: 'deleted' } as const

type LibrarySyncParts = {
  database: Database
  steam: SteamPort
  catalogue: Catalogue
  clock: () => number
  log: Log
}

/** Reads libraries from the platform into the database. */
export function createLibrarySync({ database, steam, catalogue, clock, log }: LibrarySyncParts) {
  const { queries } = database

  /**
   * Asks for a library and stores it: whole or not at all (DATA-2). A failure, and
   * a private answer, leave the games that are stored. `alsoWrite` runs in the same transaction, if anything is stored.
   * @throws SteamError
   */
  return async function readLibraryNow(
    steamId: SteamId,
    {
      urgency,
      signal,
      alsoWrite,
    }: {
      urgency: Urgency
      signal?: AbortSignal
      alsoWrite?: (tx: Tx, outcome: Answered) => Promise<void>
    },
  ): Promise<ReadOutcome> {
    if (!(await isStillHere(queries, steamId))) return ofDeletedAccount
    const answer = await steam.ownedGames(steamId, urgency, signal)
    const store = answer.status === 'ok' ? await prepareGames(answer, steamId) : undefined
    const outcome = { status: answer.status, count: answer.status === 'ok' ? answer.games.length : 0 }
    const isStored = await database.transaction(async (tx) => {
      await lockAccounts(database, tx, [steamId])
      // Waits for friend lists that name this person and are being stored: what they put on the refresh list goes with
      // this read, and those stored later see its library.
      const person = (await lockPeople(tx, [steamId])).get(steamId)
      if (!person || person.deleted_at !== null) return false
      if (store) await store.write(tx, clock())
      else await markLibraryPrivate(tx, steamId, clock())
      await dropRefresh(tx, steamId, 'games')
      await alsoWrite?.(tx, outcome)
      return true
    })
    if (!isStored) return ofDeletedAccount
    store?.keep()
    return outcome
  }

  /** Everything that needs no transaction, so that the transaction is short. */
  async function prepareGames({ games }: Extract<OwnedGames, { status: 'ok' }>, steamId: SteamId) {
    const library = libraryFrom(games)
    const packed = packLibrary(library)
    const names = await catalogue.findNewNames(games)
    return {
      write: async (tx: Tx, at: number) => {
        const before = await storedLibrary(tx, steamId)
        await writeLibrary(tx, steamId, {
          packed,
          gameCount: library.length,
          totalMinutes: totalMinutes(library),
          at,
        })
        await addLibraryChanges(tx, steamId, at, newsBetween(before, library))
        await names.write(tx)
      },
      keep: () => names.updateCache(),
    }
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
