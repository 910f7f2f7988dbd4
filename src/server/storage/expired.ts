/** What is stored for a time only (SYNC-24). */
import { PLAYTIME_HISTORY_MONTHS, SYNC_WINDOW_MS } from '#shared/limits.ts'
import type { Queries } from '../database/schema.ts'
import { monthAfter, monthOf } from '../library/months.ts'
import { NO_USES } from './deleted-accounts.ts'
import { PICTURE_WINDOW_MS } from './pictures.ts'
import { dayOf } from './steam-hosts.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
/** How long syncs and library changes are stored, and cancelled game nights that nobody answered (NIGHT-13). */
export const HISTORY_MS = 30 * DAY_MS

/** Deletes rows that only count, or are only shown, for a time. */
export async function deleteExpired(db: Queries, now: number): Promise<void> {
  const history = now - HISTORY_MS
  const firstMonth = monthAfter(monthOf(now), 1 - PLAYTIME_HISTORY_MONTHS)
  await db.deleteFrom('used_once').where('expires_at', '<=', now).execute()
  await db.deleteFrom('syncs').where('started_at', '<', history).execute()
  await db.deleteFrom('library_changes').where('at', '<', history).execute()
  await db.deleteFrom('playtime_months').where('month', '<', firstMonth).execute()
  await db.deleteFrom('platform_days').where('day', '<', dayOf(history)).execute()
  const changesUntil = now - PICTURE_WINDOW_MS
  await db.deleteFrom('picture_changes').where('at', '<=', changesUntil).execute()
  // Sent or given up, and counted for an hour (NIGHT-72).
  const done = db.deleteFrom('messages').where('done_at', 'is not', null)
  await done.where('created_at', '<=', now - HOUR_MS).execute()
  // The operators' log is stored for a year (OPER-17), servers for a day after their last heartbeat (OPER-6).
  await db
    .deleteFrom('operator_log')
    .where('at', '<', now - 365 * DAY_MS)
    .execute()
  await db
    .deleteFrom('servers')
    .where('seen_at', '<', now - DAY_MS)
    .execute()
  // The daily limits that deleted accounts had used (DEL-7).
  await db
    .updateTable('deleted_accounts')
    .set({ recent_uses: NO_USES })
    .where('deleted_at', '<=', now - SYNC_WINDOW_MS)
    .where('recent_uses', '!=', NO_USES)
    .execute()
}
