/**
 * Reads a library or friend list in two phases: it is fetched and prepared without a transaction, then stored in one
 * short transaction, completely or not at all (DATA-2).
 */
import type { SteamId } from '#shared/entities.ts'
import type { Urgency } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import { lockAccounts } from '../storage/accounts.ts'
import { dropRefresh } from '../storage/refreshes.ts'

/** Steam's response; `count`: number of games or friends, 0 when they are private. */
export type SteamResult = { status: 'ok' | 'private'; count: number }
/** 'deleted': the account is deleted, so nothing was read or stored (DEL-2). */
export type ReadOutcome = SteamResult | { status: 'deleted' }

/** Fetched data, ready to be stored. */
export type ReadPlan = {
  kind: 'games' | 'friends'
  steamId: SteamId
  outcome: SteamResult
  /**
   * Stores everything and returns `outcome`. Nothing is written when a later request has been stored, whose
   * outcome it returns then (SYNC-25), or when the account has been deleted: undefined.
   */
  write(tx: Tx): Promise<SteamResult | undefined>
}

/**
 * Fetches a library or friend list; undefined for a deleted account.
 * @throws SteamError; stored data is unchanged
 */
export type Fetch = (
  steamId: SteamId,
  options: { urgency: Urgency; signal: AbortSignal },
) => Promise<ReadPlan | undefined>

/** Stores fetched data. `alsoWrite` runs in the same transaction if anything is stored. */
export async function commitRead(
  database: Database,
  plan: ReadPlan | undefined,
  alsoWrite?: (tx: Tx, outcome: SteamResult) => Promise<void>,
): Promise<ReadOutcome> {
  if (!plan) return { status: 'deleted' }
  const { kind, steamId } = plan
  const stored = await database.transaction(async (tx) => {
    await lockAccounts(database, tx, [steamId])
    const outcome = await plan.write(tx)
    if (!outcome) return undefined
    // Another read may have been requested since the one that is stored instead.
    if (outcome === plan.outcome) await dropRefresh(tx, steamId, kind)
    await alsoWrite?.(tx, outcome)
    return outcome
  })
  return stored ?? { status: 'deleted' }
}
