/**
 * Background work: deleting expired data.
 * Requirements: PIC-7, SYNC-22.
 */
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import { scrubDeletedAccounts } from '../storage/accounts/accounts.ts'
import type { Database } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import { expiredRows } from '../storage/expired.ts'
import { changeNight, deleteNights, type NightRow } from '../storage/nights/nights.ts'
import { deleteExpiredSessions } from '../storage/accounts/sessions.ts'
import { failAbandonedSyncs } from '../storage/players/syncs.ts'
import { eachDueNight } from './due-nights.ts'
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
