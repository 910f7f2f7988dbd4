/**
 * Background work: reading store details, and deleting expired data.
 * Requirements: PIC-7, SYNC-24.
 */
import type { Catalogue } from '../catalogue/catalogue.ts'
import { SteamError } from '../steam/port.ts'
import { PLAYTIME_HISTORY_MONTHS, SYNC_WINDOW_MS } from '#shared/limits.ts'
import { monthAfter, monthOf } from '../library/months.ts'
import { scrubDeletedAccounts } from '../storage/accounts.ts'
import type { Database } from '../database/database.ts'
import { clearOldUses } from '../storage/deleted-accounts.ts'
import { deleteExpiredInvites } from '../storage/invites.ts'
import { deleteOldLibraryChanges } from '../storage/libraries.ts'
import { deleteOldMessages } from '../storage/messages.ts'
import { deleteOldNights, endOverNights } from '../storage/night-departures.ts'
import { deleteOldLogEntries } from '../storage/operator-log.ts'
import { deleteOldPlaytimeMonths } from '../storage/playtime-months.ts'
import { deleteOldDays } from '../storage/steam-hosts.ts'
import { deleteGoneServers } from '../storage/servers.ts'
import { deleteExpiredSessions } from '../storage/sessions.ts'
import { deleteOldSyncs, failAbandonedSyncs } from '../storage/syncs.ts'
import { deleteExpiredUses } from '../storage/used-once.ts'
import { dayOf } from './budget.ts'
import type { Log } from './log.ts'
import { type Loop, startLoop } from './loop.ts'

const HOUR_MS = 60 * 60_000
/** How long syncs and library changes are stored, and cancelled game nights that nobody answered (NIGHT-13). */
const HISTORY_MS = 30 * 24 * HOUR_MS
/** How long past game nights are stored (NIGHT-13). */
const NIGHTS_MS = 400 * 24 * HOUR_MS
/** How long the operators' log is stored (OPER-17), and servers after their last heartbeat (OPER-6). */
const OPERATOR_LOG_MS = 365 * 24 * HOUR_MS
const SERVERS_MS = 24 * HOUR_MS
/** Pauses between two calls, so that libraries come first, and after a failure. */
const STORE_PAUSE_MS = 2_000
const STORE_FAILED_MS = 10 * 60_000
const CHANGES_PAUSE_MS = 60_000

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
}

/** Deletes old changes, of which there are many more than of anything else. */
export function startDeletingChanges(database: Database, log: Log): Loop {
  return startLoop(
    'old changes',
    async () => {
      await database.deleteOldChanges()
      return CHANGES_PAUSE_MS
    },
    log,
  )
}

/** Deletes expired data at start and every hour. */
export function startHousekeeping(options: PurgeOptions, log: Log): Loop {
  return startLoop(
    'housekeeping',
    async () => {
      await purgeExpired(options)
      return HOUR_MS
    },
    log,
  )
}

/**
 * Deletes expired sessions and nonces, old history and game nights, unused pictures and the remains of deleted accounts
 * in the database files, and ends syncs that killed servers left running.
 */
export async function purgeExpired({ database, pictures, clock }: PurgeOptions): Promise<void> {
  const { queries } = database
  const now = clock()
  await database.transaction((tx) => deleteExpiredSessions(tx, now))
  await deleteExpiredUses(queries, now)
  await failAbandonedSyncs(queries, now)
  await deleteOldSyncs(queries, now - HISTORY_MS)
  await deleteOldLibraryChanges(queries, now - HISTORY_MS)
  await deleteOldPlaytimeMonths(queries, monthAfter(monthOf(now), 1 - PLAYTIME_HISTORY_MONTHS))
  await deleteOldDays(queries, dayOf(now - HISTORY_MS))
  await endOverNights(database, now)
  await deleteOldMessages(queries, now)
  await deleteOldNights(database, { startedBefore: now - NIGHTS_MS, cancelledBefore: now - HISTORY_MS })
  await deleteExpiredInvites(queries, now)
  await deleteOldLogEntries(queries, now - OPERATOR_LOG_MS)
  await deleteGoneServers(queries, now - SERVERS_MS)
  await pictures.removeUnused()
  await clearOldUses(queries, now - SYNC_WINDOW_MS)
  await scrubDeletedAccounts(database, now)
}
