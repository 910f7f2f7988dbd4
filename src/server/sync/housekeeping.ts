/**
 * Background work: reading store details, and deleting expired data.
 * Requirements: PIC-7, SYNC-22.
 */
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import { SteamError } from '../steam/port.ts'
import { scrubDeletedAccounts } from '../storage/accounts/accounts.ts'
import type { Database } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import { expiredRows } from '../storage/expired.ts'
import { changeNight, deleteNights, type NightRow } from '../storage/nights/nights.ts'
import { deleteExpiredSessions } from '../storage/accounts/sessions.ts'
import { failAbandonedSyncs } from '../storage/players/syncs.ts'
import { eachDueNight } from './due-nights.ts'
import { createRowByRow, type Log, type Loop, type RowByRow, startLoop } from './loop.ts'

export const HOUR_MS = 60 * 60_000
/** Pauses between two calls, so that libraries come first, and after a failure. */
const STORE_PAUSE_MS = 2_000
const STORE_FAILED_MS = 10 * 60_000

/** Reads what is due piece by piece: store details of synced games and prices, a hundred games at a time, or wishlists. */
export function startStoreReading(what: string, read: () => Promise<unknown>, log: Log): Loop {
  return startLoop(
    what,
    async () => {
      try {
        await read()
        return STORE_PAUSE_MS
      } catch (error) {
        if (!(error instanceof SteamError)) throw error
        log.warn({ failure: error.failure }, `${what} could not be read`)
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
    'nights that are over': () =>
      eachNight('end', (tx, { night_id, starts_at }) =>
        changeNight(tx, night_id, { status: 'over', ended_at: starts_at + NIGHT_LENGTH_MS }),
      ),
    'old nights': () => eachNight('deletion', (tx, { night_id }) => deleteNights(tx, [night_id])),
    pictures: () => pictures.removeUnused(),
    ...expiredRows(queries, now),
    'deleted accounts': () => scrubDeletedAccounts(database, now),
  }
  await rows.each<string>('housekeeping', {
    now,
    due: () => Object.keys(steps),
    work: (step) => steps[step]!(),
  })

  async function eachNight(due: 'end' | 'deletion', work: (tx: Tx, night: NightRow) => Promise<void>) {
    while (await eachDueNight(database, rows, { work: due, now }, work));
  }
}
