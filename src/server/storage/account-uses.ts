/**
 * Limits on how often an account may do something, on all servers together (LIM-46, LIM-48, NIGHT-72, DEL-1, OPER-13,
 * PUSH-10). Each use takes one of the account's slots until the window is over. Slots are rows of `used_once` with a keyed
 * hash of the steam id, so that deleting the account frees none of them and does not leave its id behind.
 */
import type { SteamId } from '#shared/entities.ts'
import {
  NIGHT_ASKED_AGAIN_MAX,
  NIGHT_STARTS_PER_DAY,
  PUSH_SUBSCRIPTIONS_PER_DAY,
  REPORTS_PER_DAY,
  WEBHOOKS_SET_PER_DAY,
} from '#shared/limits.ts'
import type { Database } from '../database/database.ts'
import type { Queries, Tx, UsedOnceTable } from '../database/schema.ts'
import { keyedHasher } from './installation.ts'

const limits = {
  first_read: { max: 3, windowMs: 24 * 60 * 60 * 1000 },
  night: { max: NIGHT_STARTS_PER_DAY, windowMs: 24 * 60 * 60 * 1000 },
  /** Of a user in one night. */
  asked_again: { max: NIGHT_ASKED_AGAIN_MAX, windowMs: 24 * 60 * 60 * 1000 },
  webhook: { max: WEBHOOKS_SET_PER_DAY, windowMs: 24 * 60 * 60 * 1000 },
  push: { max: PUSH_SUBSCRIPTIONS_PER_DAY, windowMs: 24 * 60 * 60 * 1000 },
  report: { max: REPORTS_PER_DAY, windowMs: 24 * 60 * 60 * 1000 },
}
type Limited = keyof typeof limits

/**
 * Counts one use. Returns the number of earlier uses in the window, or undefined, with nothing counted, when the limit
 * is reached. Exact even when several servers count at once.
 */
export async function countUse(
  database: Database,
  tx: Tx,
  what: Limited,
  steamId: SteamId,
  now: number,
): Promise<number | undefined> {
  const { max, windowMs } = limits[what]
  const kind = await kindOf(tx, what, steamId)
  await database.lock(tx, kind)
  const used = await usedSlots(tx, kind, now)
  const value = Array.from({ length: max }, (_, nth) => String(nth)).find((slot) => !used.has(slot))
  if (value === undefined) return undefined
  const expires_at = now + windowMs
  await tx
    .insertInto('used_once')
    .values({ kind, value, expires_at })
    .onConflict((conflict) => conflict.columns(['kind', 'value']).doUpdateSet({ expires_at }))
    .execute()
  return used.size
}

/** When an account that has reached a limit may do it again, in milliseconds since 1970. */
export async function nextUseAt(
  db: Queries | Tx,
  what: Limited,
  steamId: SteamId,
  now: number,
): Promise<number> {
  const row = await db
    .selectFrom('used_once')
    .select((eb) => eb.fn.min<number | null>('expires_at').as('at'))
    .where('kind', '=', await kindOf(db, what, steamId))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.at ?? now
}

async function usedSlots(db: Queries | Tx, kind: UsedOnceTable['kind'], now: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('used_once')
    .select('value')
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .execute()
  return new Set(rows.map((row) => row.value))
}

async function kindOf(db: Queries | Tx, what: Limited, steamId: SteamId) {
  const hash = await keyedHasher(db, 'account use')
  return `${what}:${hash(steamId)}` as const
}
