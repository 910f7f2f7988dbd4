/** Background work that nobody waits for: store details, and clearing away what has run out. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import { SteamError } from '../steam/port.ts'
import { SYNC_WINDOW_MS } from '#shared/limits.ts'
import { removeUnreferencedAccounts, scrubDeletedAccounts } from '../storage/accounts.ts'
import type { Database } from '../database/database.ts'
import { clearOldUses } from '../storage/deleted-accounts.ts'
import { deleteOldLibraryChanges } from '../storage/libraries.ts'
import { deleteOldDays } from '../storage/platform.ts'
import { deleteExpiredSessions } from '../storage/sessions.ts'
import { deleteOldSyncs, failAbandonedSyncs } from '../storage/syncs.ts'
import { deleteExpiredUses } from '../storage/used-once.ts'
import { dayOf } from './budget.ts'
import type { Log } from './log.ts'
import { type Loop, startLoop } from './loop.ts'

const HOUR_MS = 60 * 60_000
/** How long syncs and changes in libraries are kept. */
const HISTORY_MS = 30 * 24 * HOUR_MS
/** Pause while no app is due, and between two calls so that libraries come first. */
const STORE_IDLE_MS = 60_000
const STORE_PAUSE_MS = 2_000
const STORE_FAILED_MS = 10 * 60_000

/** Asks the store for details of the games that somebody synced, a hundred at a time. */
export function startStoreReading(catalogue: Catalogue, log: Log): Loop {
  return startLoop(
    'store details',
    async () => {
      try {
        return (await catalogue.readStoreDetails()) === 0 ? STORE_IDLE_MS : STORE_PAUSE_MS
      } catch (error) {
        if (!(error instanceof SteamError)) throw error
        log.warn({ failure: error.failure }, 'store details could not be read')
        return Math.min(1000 * (error.retryAfterSeconds ?? STORE_FAILED_MS / 1000), HOUR_MS)
      }
    },
    log,
  )
}

export type PurgeOptions = {
  database: Database
  /** Whoever keeps pictures knows best which of them nobody shows. */
  pictures: { removeUnused(): Promise<number> }
  clock: () => number
}

/** Clears away what has run out, at start and every hour. */
export function startHousekeeping(parts: PurgeOptions, log: Log): Loop {
  return startLoop(
    'housekeeping',
    async () => {
      await purgeExpired(parts)
      return HOUR_MS
    },
    log,
  )
}

/**
 * Removes ended sessions, used-up nonces, old history, pictures that no group shows and what is left of deleted
 * accounts, and ends syncs that killed servers left running.
 */
export async function purgeExpired({ database, pictures, clock }: PurgeOptions): Promise<void> {
  const { queries } = database
  const now = clock()
  await deleteExpiredSessions(queries, now)
  await deleteExpiredUses(queries, now)
  await failAbandonedSyncs(queries, now)
  await deleteOldSyncs(queries, now - HISTORY_MS)
  await deleteOldLibraryChanges(queries, now - HISTORY_MS)
  await deleteOldDays(queries, dayOf(now - HISTORY_MS))
  await pictures.removeUnused()
  await clearOldUses(queries, now - SYNC_WINDOW_MS)
  await removeUnreferencedAccounts(database)
  await scrubDeletedAccounts(database, now)
}
