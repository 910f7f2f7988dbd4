/** What is stored for a time only (SYNC-22). */
import { PLAYTIME_HISTORY_MONTHS, SYNC_WINDOW_MS } from '#shared/limits.ts'
import type { Queries } from '../database/schema.ts'
import { monthAfter, monthOf } from '../library/months.ts'
import { NO_USES } from './players/players.ts'
import { dayOf } from './players/steam-hosts.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
/** How long syncs and library changes are stored. */
const HISTORY_MS = 30 * DAY_MS

/** Deletes rows that only count, or are only shown, for a time; a step for each table. */
export function expiredRows(db: Queries, now: number): Record<string, () => Promise<unknown>> {
  const history = now - HISTORY_MS
  const firstMonth = monthAfter(monthOf(now), 1 - PLAYTIME_HISTORY_MONTHS)
  // Sent or given up, and counted for an hour (NIGHT-72, PUSH-10).
  const sent = (outbox: 'messages' | 'push_messages') => () =>
    db
      .deleteFrom(outbox)
      .where('done_at', 'is not', null)
      .where('created_at', '<=', now - HOUR_MS)
      .execute()
  return {
    'used once': () => db.deleteFrom('used_once').where('expires_at', '<=', now).execute(),
    invites: () => db.deleteFrom('invites').where('expires_at', '<=', now).execute(),
    'old syncs': () => db.deleteFrom('syncs').where('started_at', '<', history).execute(),
    'library changes': () => db.deleteFrom('library_changes').where('at', '<', history).execute(),
    'playtime months': () => db.deleteFrom('playtime_months').where('month', '<', firstMonth).execute(),
    prices: () =>
      db
        .deleteFrom('prices')
        .where('asked_at', '<', now - DAY_MS)
        .execute(),
    'platform days': () => db.deleteFrom('platform_days').where('day', '<', dayOf(history)).execute(),
    messages: sent('messages'),
    'push messages': sent('push_messages'),
    // OPER-17
    'operator log': () =>
      db
        .deleteFrom('operator_log')
        .where('at', '<', now - 365 * DAY_MS)
        .execute(),
    // The daily limits that deleted accounts had used (DEL-1).
    'uses of deleted accounts': () =>
      db
        .updateTable('deleted_accounts')
        .set({ recent_uses: NO_USES })
        .where('deleted_at', '<=', now - SYNC_WINDOW_MS)
        .where('recent_uses', '!=', NO_USES)
        .execute(),
  }
}
