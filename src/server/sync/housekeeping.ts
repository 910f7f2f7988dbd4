/**
 * Background work: reading store details, and deleting expired data.
 * Requirements: PIC-7, SYNC-22.
 */
import type { Catalogue } from '../catalogue/catalogue.ts'
import { SteamError } from '../steam/port.ts'
import { scrubDeletedAccounts } from '../storage/accounts.ts'
import type { Database } from '../database/database.ts'
import { expiredRows, HISTORY_MS } from '../storage/expired.ts'
import { deleteExpiredInvites } from '../storage/invites.ts'
import { deleteOldNights, endOverNights } from '../storage/night-departures.ts'
import { createRowByRow, type RowByRow } from '../storage/row-by-row.ts'
import { deleteExpiredSessions } from '../storage/sessions.ts'
import { failAbandonedSyncs } from '../storage/syncs.ts'
import type { Log } from './log.ts'
import { type Loop, startLoop } from './loop.ts'

export const HOUR_MS = 60 * 60_000
/** How long past game nights are stored (NIGHT-13). */
const NIGHTS_MS = 400 * 24 * HOUR_MS
/** Pauses between two calls, so that libraries come first, and after a failure. */
const STORE_PAUSE_MS = 2_000
const STORE_FAILED_MS = 10 * 60_000

/** Reads the store details of synced games, a hundred at a time. */
export function startStoreReading(catalogue: Catalogue, log: Log): Loop {
  return startLoop(
    'store details',
    async () => {
      try {
        await catalogue.readStoreDetails()
        return STORE_PAUSE_MS
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
  /** Deletes pictures that no group shows. */
  pictures: { removeUnused(): Promise<number> }
  clock: () => number
  /** What has failed before; without it, a failure is thrown. */
  rows?: RowByRow
}

/**
 * Deletes expired sessions and nonces, old history and game nights, unused pictures and the remains of deleted accounts
 * in the database files, and ends syncs that killed servers left running. A step that fails does not stop the next one.
 */
export async function purgeExpired({
  database,
  pictures,
  clock,
  rows = createRowByRow(),
}: PurgeOptions): Promise<void> {
  const { queries } = database
  const now = clock()
  const steps: Record<string, () => Promise<unknown>> = {
    sessions: () => database.transaction((tx) => deleteExpiredSessions(tx, now)),
    syncs: () => database.transaction((tx) => failAbandonedSyncs(tx, now)),
    'nights that are over': () => endOverNights(database, rows, now),
    'old nights': () =>
      deleteOldNights(database, rows, {
        now,
        startedBefore: now - NIGHTS_MS,
        cancelledBefore: now - HISTORY_MS,
      }),
    invites: () => deleteExpiredInvites(queries, now),
    pictures: () => pictures.removeUnused(),
    ...expiredRows(queries, now),
    'deleted accounts': () => scrubDeletedAccounts(database, now),
  }
  await rows.each<string>('housekeeping', {
    now,
    due: () => Object.keys(steps),
    work: (step) => steps[step]!(),
  })
}
