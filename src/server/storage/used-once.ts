/**
 * Values that may be used only once on all servers together, such as OpenID nonces, and limits on how often an account may
 * do something (LIM-46, LIM-48, NIGHT-72, DEL-1, OPER-13, PUSH-10). Each use takes one of the account's slots until the
 * window is over. Slots have a keyed hash of the steam id, so that deleting the account frees none of them and does not
 * leave its id behind.
 */
import type { Database } from '../database/database.ts'
import type { Queries, Tx, UsedOnceTable } from '../database/schema.ts'
import type { SteamId } from '#shared/entities.ts'
import {
  NIGHT_ASKED_AGAIN_MAX,
  NIGHT_STARTS_PER_DAY,
  PUSH_SUBSCRIPTIONS_PER_DAY,
  REPORTS_PER_DAY,
  WEBHOOKS_SET_PER_DAY,
} from '#shared/limits.ts'
import { keyedHasher } from './installation.ts'

/** Uses a value: true for the first caller only. The value is stored until `expiresAt`. */
export async function useOnce(
  db: Queries | Tx,
  kind: UsedOnceTable['kind'],
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

/** Whether a value was used. */
export async function isUsedOnce(
  db: Queries | Tx,
  kind: UsedOnceTable['kind'],
  value: string,
): Promise<boolean> {
  const query = db.selectFrom('used_once').select('value').where('kind', '=', kind).where('value', '=', value)
  return (await query.executeTakeFirst()) !== undefined
}

/** Thrown to roll back the transaction when one of several values was used before. */
class UsedBefore extends Error {}

/** Uses several values or none of them: true only when none was used before. */
export async function useAllOnce(
  database: Database,
  uses: readonly { kind: UsedOnceTable['kind']; value: string; expiresAt: number }[],
): Promise<boolean> {
  try {
    await database.transaction(async (tx) => {
      for (const { kind, value, expiresAt } of uses)
        if (!(await useOnce(tx, kind, value, expiresAt))) throw new UsedBefore()
    })
    return true
  } catch (error) {
    if (error instanceof UsedBefore) return false
    throw error
  }
}

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
