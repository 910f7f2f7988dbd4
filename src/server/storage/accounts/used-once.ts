/**
 * Values that may be used only once on all servers together, such as OpenID nonces, and limits on how often an account may
 * do something (LIM-11, LIM-46, LIM-48, NIGHT-72, DEL-1, OPER-13, PUSH-10). Each use takes one of the account's slots until the
 * window is over. Slots have a keyed hash of the steam id, so that deleting the account frees none of them and does not
 * leave its id behind.
 */
import type { Database } from '../../database/database.ts'
import { upsert } from '../../database/chunks.ts'
import type { Queries, Schema, Tx } from '../../database/schema.ts'
import type { SteamId } from '#shared/entities.ts'
import {
  NIGHT_ASKED_AGAIN_MAX,
  NIGHT_STARTS_PER_DAY,
  PICTURE_CHANGES_PER_DAY,
  PUSH_SUBSCRIPTIONS_PER_DAY,
  REPORTS_PER_DAY,
  WEBHOOKS_SET_PER_DAY,
} from '#shared/limits.ts'
import { keyedHasher } from '../installation.ts'

/** Uses a value: true for the first caller only. The value is stored until `expiresAt`. */
export async function useOnce(
  db: Queries | Tx,
  kind: Schema['used_once']['kind'],
  value: string,
  expiresAt: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_once')
    .values({ kind, value, expires_at: expiresAt })
    .onConflict((conflict) => conflict.columns(['kind', 'value']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function isUsedOnce(
  db: Queries | Tx,
  kind: Schema['used_once']['kind'],
  value: string,
): Promise<boolean> {
  const query = db.selectFrom('used_once').select('value').where('kind', '=', kind).where('value', '=', value)
  return (await query.executeTakeFirst()) !== undefined
}

const DAY_MS = 24 * 60 * 60_000
/** How often in 24 hours. */
const LIMITS = {
  first_read: 3,
  night: NIGHT_STARTS_PER_DAY,
  /** Of a user in one night. */
  asked_again: NIGHT_ASKED_AGAIN_MAX,
  picture: PICTURE_CHANGES_PER_DAY,
  webhook: WEBHOOKS_SET_PER_DAY,
  push: PUSH_SUBSCRIPTIONS_PER_DAY,
  report: REPORTS_PER_DAY,
}
type Limited = keyof typeof LIMITS

/** Counts one use; false, with nothing counted, when the limit is reached. Exact even when several servers count at once. */
export async function countUse(
  database: Database,
  tx: Tx,
  what: Limited,
  steamId: SteamId,
  now: number,
): Promise<boolean> {
  const kind = await kindOf(tx, what, steamId)
  await database.lock(tx, kind)
  const used = await usedSlots(tx, kind, now)
  const value = Array.from({ length: LIMITS[what] }, (_, nth) => String(nth)).find((slot) => !used.has(slot))
  if (value === undefined) return false
  await upsert(tx, 'used_once', { kind, value }, { expires_at: now + DAY_MS })
  return true
}

/** Seconds until an account that has reached a limit may do it again; undefined while uses are left. */
export async function secondsToNextUse(db: Queries | Tx, what: Limited, steamId: SteamId, now: number) {
  const used = await usedSlots(db, await kindOf(db, what, steamId), now)
  if (used.size < LIMITS[what]) return undefined
  return Math.max(1, Math.ceil((Math.min(...used.values()) - now) / 1000))
}

/** When each slot in use becomes free. */
async function usedSlots(db: Queries | Tx, kind: Schema['used_once']['kind'], now: number) {
  const rows = await db
    .selectFrom('used_once')
    .select(['value', 'expires_at'])
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .execute()
  return new Map(rows.map((row) => [row.value, row.expires_at]))
}

async function kindOf(db: Queries | Tx, what: Limited, steamId: SteamId) {
  const hash = await keyedHasher(db, 'account use')
  return `${what}:${hash(steamId)}` as const
}
