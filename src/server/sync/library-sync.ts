/**
 * Fetching one library from Steam, and storing it with its changes.
 * Requirements: REF-5, SYNC-10.
 */
import type { SteamId } from '#shared/entities.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { hiddenAppids, type Library, libraryFrom, totalMinutes } from '../library/library.ts'
import { addMinutes, gainsByMonth, newsBetween, type SyncedLibrary } from '../library/months.ts'
import { PackedError, packLibrary, unpackLibrary } from '../library/packed.ts'
import { giveWay } from '../library/slices.ts'
import type { SteamGame, SteamPort } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import { saveAppNames } from '../storage/players/apps.ts'
import {
  addLibraryChanges,
  type LibraryRow,
  markLibraryPrivate,
  readLibrary,
  readPlaytimeMonths,
  startTracking,
  writeLibrary,
  writePlaytimeMonth,
} from '../storage/players/libraries.ts'
import { findPlayer } from '../storage/players/players.ts'
import type { Tx } from '../database/schema.ts'
import type { Log } from './loop.ts'
import type { Fetch, ReadPlan } from './steam-read.ts'

type LibraryFetchOptions = {
  database: Database
  steam: SteamPort
  catalogue: Catalogue
  clock: () => number
  log: Log
}

/** Creates the function that fetches libraries. For a private one, the stored games stay. */
export function createLibraryFetch({ database, steam, catalogue, clock, log }: LibraryFetchOptions): Fetch {
  const { queries } = database

  return async function fetchLibrary(steamId, { urgency, signal }) {
    // A deleted account has no row (DEL-2).
    if (!(await findPlayer(queries, steamId))) return undefined
    // Stored as the time of the library: what Steam returns is at least as new.
    const at = clock()
    const games = await steam.ownedGames(steamId, urgency, signal)
    if (games.status === 'ok') return planLibrary(steamId, games.games, at)
    return {
      kind: 'games',
      steamId,
      at,
      outcome: { status: 'private', count: 0 },
      write: (tx) => markLibraryPrivate(tx, steamId, at),
    }
  }

  /** Prepares everything that needs no transaction, to keep the transaction short. */
  async function planLibrary(steamId: SteamId, games: readonly SteamGame[], at: number): Promise<ReadPlan> {
    const library = libraryFrom(games)
    await giveWay()
    const packed = packLibrary(library)
    await giveWay()
    const names = await catalogue.findNewNames(games)
    return {
      kind: 'games',
      steamId,
      at,
      outcome: { status: 'ok', count: games.length },
      write: async (tx) => {
        const player = (await findPlayer(tx, steamId))!
        const row = await readLibrary(tx, steamId)
        await giveWay()
        const before = storedLibrary(steamId, row)
        await giveWay()
        await writeLibrary(tx, steamId, {
          packed,
          gameCount: library.length,
          totalMinutes: totalMinutes(library),
          at,
        })
        // Friends' libraries are read for comparisons only.
        if (player.signed_in_at !== null) {
          await trackPlaytime(tx, steamId, before, { library, at })
        }
        await giveWay()
        const news = newsBetween(before, { library, at }, hiddenAppids(player.hidden_appids))
        await addLibraryChanges(tx, steamId, at, news)
        await giveWay()
        await saveAppNames(tx, names, player.signed_in_at !== null)
      },
    }
  }

  function storedLibrary(steamId: SteamId, row: LibraryRow | undefined): SyncedLibrary | undefined {
    const library = unpackStored(steamId, row?.packed)
    return library && { library, at: row?.synced_at ?? 0 }
  }

  /** Adds the minutes gained since the library `before` to their months (SYNC-22). */
  async function trackPlaytime(
    tx: Tx,
    steamId: SteamId,
    before: SyncedLibrary | undefined,
    after: SyncedLibrary,
  ): Promise<void> {
    await startTracking(tx, steamId, before?.at ?? after.at)
    if (!before) return
    const gains = gainsByMonth(before, after)
    if (gains.size === 0) return
    const stored = await readPlaytimeMonths(tx, steamId, Math.min(...gains.keys()))
    const packedByMonth = new Map(stored.map(({ month, packed }) => [month, packed]))
    for (const [month, gained] of gains) {
      const known = unpackStored(steamId, packedByMonth.get(month))
      const all = known ? addMinutes(known, gained) : gained
      await writePlaytimeMonth(tx, { steam_id: steamId, month, packed: packLibrary(all) })
    }
  }

  function unpackStored(steamId: SteamId, packed: Uint8Array | null | undefined): Library | undefined {
    try {
      return packed ? unpackLibrary(packed) : undefined
    } catch (error) {
      // A damaged row is simply replaced by what was just read.
      if (!(error instanceof PackedError)) throw error
      log.error({ err: error, steamId }, 'a stored library is damaged and is replaced')
      return undefined
    }
  }
}
