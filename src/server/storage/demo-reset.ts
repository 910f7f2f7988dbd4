/** Deletes what players have done in a public demo (DEMO-10). */
import type { Database } from '../database/database.ts'
import type { Schema, Tx } from '../database/schema.ts'
import { changedEverything } from '../database/cache-tags.ts'
import { readValue, writeValue } from './installation.ts'

/** Deletes all rows of a table. */
const all = (table: keyof Schema) => (tx: Tx) => tx.deleteFrom(table).execute()
const none = async () => {}

/** What goes at a reset, rows that refer to others first; complete by its type. */
const resets: Record<keyof Schema, (tx: Tx) => Promise<unknown>> = {
  push_messages: all('push_messages'),
  push_subscriptions: all('push_subscriptions'),
  night_reminders: all('night_reminders'),
  messages: all('messages'),
  webhooks: all('webhooks'),
  invites: all('invites'),
  night_draws: all('night_draws'),
  night_series_left_out: all('night_series_left_out'),
  night_series_nights: all('night_series_nights'),
  night_series: all('night_series'),
  night_date_answers: all('night_date_answers'),
  night_dates: all('night_dates'),
  night_people: all('night_people'),
  nights: all('nights'),
  calendar_feeds: all('calendar_feeds'),
  group_reports: all('group_reports'),
  group_departures: all('group_departures'),
  group_game_players: all('group_game_players'),
  group_members: all('group_members'),
  groups: all('groups'),
  pictures: all('pictures'),
  picture_changes: all('picture_changes'),
  syncs: all('syncs'),
  refreshes: all('refreshes'),
  library_changes: all('library_changes'),
  playtime_months: all('playtime_months'),
  libraries: all('libraries'),
  friend_lists: all('friend_lists'),
  sessions: all('sessions'),
  deleted_accounts: all('deleted_accounts'),
  people: all('people'),
  // Assertions and states stay used, and sign-ins stay counted; daily limits begin again.
  used_once: (tx) =>
    tx
      .deleteFrom('used_once')
      .where('kind', 'not in', ['nonce', 'state'])
      .where('kind', 'not like', 'sign_in:%')
      .execute(),
  // A public demo has no operators.
  blocked_accounts: none,
  operator_log: none,
  // Nothing in these is written by players.
  servers: none,
  apps: none,
  platform_hosts: none,
  platform_days: none,
  installation: none,
  changes: none,
}

/**
 * Resets a demo in one transaction, unless a server has done so in this period already.
 * @param period when the current period began, in milliseconds since 1970
 * @param refill writes what a new demo begins with
 * @returns whether this call did it
 */
export function resetDemo(
  database: Database,
  period: number,
  refill: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await database.lock(tx, 'demo reset')
    if ((await lastReset(tx)) === period) return false
    for (const reset of Object.values(resets)) await reset(tx)
    await refill(tx)
    await writeValue(tx, 'demo_reset_at', String(period))
    changedEverything(tx)
    return true
  })
}

/** Writes what a demo begins with, unless it has players from an earlier run or another server. */
export function fillNewDemo(database: Database, fill: (tx: Tx) => Promise<void>): Promise<void> {
  return database.transaction(async (tx) => {
    await database.lock(tx, 'demo reset')
    const player = await tx.selectFrom('people').select('steam_id').limit(1).executeTakeFirst()
    if (!player) await fill(tx)
  })
}

/** When the period of the last reset began; undefined when there was none. */
export async function lastReset(db: Database['queries'] | Tx): Promise<number | undefined> {
  const value = await readValue(db, 'demo_reset_at')
  return value === undefined ? undefined : Number(value)
}
