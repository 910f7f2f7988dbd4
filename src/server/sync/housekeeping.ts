/**
 * Background work: deleting expired data.
 * Requirements: PIC-7, SYNC-22.
 */
import { scrubDeletedAccounts } from '../storage/accounts/accounts.ts'
import type { Database } from '../database/database.ts'
import { expiredRows } from '../storage/expired.ts'
import { deleteExpiredSessions } from '../storage/accounts/sessions.ts'
import { failAbandonedSyncs } from '../storage/players/syncs.ts'
import { createRowByRow, type RowByRow } from './loop.ts'

export type PurgeOptions = {
  database: Database
  /** Deletes pictures that no group shows. */
  pictures: { removeUnused(): Promise<number> }
  clock: () => number
  /** What has failed before; without it, a failure is thrown. */
  rows?: RowByRow
}

/**
 * Deletes expired sessions and nonces, old history, unused pictures and the remains of deleted accounts
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
