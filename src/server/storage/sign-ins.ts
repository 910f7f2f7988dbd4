/**
 * How often each account signed in lately, on all servers together (LIM-38). A sign-in takes one of its account's places
 * for ten minutes. Places are rows of `used_once` that are named by a keyed hash of the steam id: so deleting the
 * account frees none of them, and its id stands nowhere.
 */
import { SIGN_INS_MAX, SIGN_INS_WINDOW_MS } from '#shared/limits.ts'
import type { Database } from '../database/database.ts'
import type { Queries, Tx } from '../database/schema.ts'

const KIND = 'sign_in'

/** How many sign-ins of an account, by its keyed hash, count at the time `now`. */
export async function recentSignIns(db: Queries | Tx, account: string, now: number): Promise<number> {
  return (await takenPlaces(db, account, now)).size
}

/**
 * Counts a sign-in; how many came before it, or undefined, and nothing is counted, when the account has had all of its
 * sign-ins. Exact, however many servers count at once.
 */
export function countSignIn(database: Database, account: string, now: number): Promise<number | undefined> {
  return database.transaction(async (tx) => {
    await database.lock(tx, `${KIND}:${account}`)
    const taken = await takenPlaces(tx, account, now)
    const free = placesOf(account).find((place) => !taken.has(place))
    if (free === undefined) return undefined
    const expiresAt = now + SIGN_INS_WINDOW_MS
    await tx
      .insertInto('used_once')
      .values({ kind: KIND, value: free, expires_at: expiresAt })
      .onConflict((conflict) => conflict.columns(['kind', 'value']).doUpdateSet({ expires_at: expiresAt }))
      .execute()
    return taken.size
  })
}

async function takenPlaces(db: Queries | Tx, account: string, now: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('used_once')
    .select('value')
    .where('kind', '=', KIND)
    .where('value', 'in', placesOf(account))
    .where('expires_at', '>', now)
    .execute()
  return new Set(rows.map((row) => row.value))
}

function placesOf(account: string): string[] {
  return Array.from({ length: SIGN_INS_MAX }, (_, nth) => `${account}.${nth}`)
}
