/**
 * How often each account did something lately, on all servers together (LIM-38, DEL-7). Each time takes one of the
 * account's places for a while. Places are rows of `used_once` that are named by a keyed hash of the steam id: so
 * deleting the account frees none of them, and its id stands nowhere.
 */
import type { SteamId } from '#shared/entities.ts'
import { SIGN_INS_MAX, SIGN_INS_WINDOW_MS } from '#shared/limits.ts'
import type { Database } from '../database/database.ts'
import type { Queries, Tx, UsedOnceTable } from '../database/schema.ts'
import { keyedHasher } from './installation.ts'

const limits = {
  sign_in: { max: SIGN_INS_MAX, windowMs: SIGN_INS_WINDOW_MS },
  first_read: { max: 3, windowMs: 24 * 60 * 60 * 1000 },
}
type Limited = keyof typeof limits

/** Whether an account has done something as often as it may at the time `now`. */
export async function isUsedUp(
  db: Queries | Tx,
  what: Limited,
  steamId: SteamId,
  now: number,
): Promise<boolean> {
  return (await takenPlaces(db, await kindOf(db, what, steamId), now)).size >= limits[what].max
}

/**
 * Counts one use; how many came before it, or undefined, and nothing is counted, when the account has had all it may.
 * Exact, however many servers count at once.
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
  const taken = await takenPlaces(tx, kind, now)
  const value = Array.from({ length: max }, (_, nth) => String(nth)).find((place) => !taken.has(place))
  if (value === undefined) return undefined
  const expires_at = now + windowMs
  await tx
    .insertInto('used_once')
    .values({ kind, value, expires_at })
    .onConflict((conflict) => conflict.columns(['kind', 'value']).doUpdateSet({ expires_at }))
    .execute()
  return taken.size
}

async function takenPlaces(db: Queries | Tx, kind: UsedOnceTable['kind'], now: number): Promise<Set<string>> {
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
