/**
 * Reading a library or a friend list in two phases: it is fetched and prepared without any transaction, then stored in
 * one short transaction, whole or not at all (DATA-2).
 */
import type { SteamId } from '#shared/entities.ts'
import type { Urgency } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import { lockAccounts } from '../storage/accounts.ts'
import { dropRefresh } from '../storage/refreshes.ts'

/** What the platform gave; `count` is the number of games or friends, 0 when they are private. */
export type Answered = { status: 'ok' | 'private'; count: number }
/** 'deleted': nothing of a deleted account is read or stored (DEL-2). */
export type ReadOutcome = Answered | { status: 'deleted' }

/** What was fetched, ready to be stored. */
export type ReadPlan = {
  kind: 'games' | 'friends'
  steamId: SteamId
  outcome: Answered
  /** Stores everything; false, with nothing written, when the account was deleted meanwhile. */
  write(tx: Tx): Promise<boolean>
  /** Called once the transaction has succeeded. */
  afterCommit?(): void
}

/**
 * Fetches; undefined for a deleted account.
 * @throws SteamError; what is stored then stays
 */
export type Fetch = (
  steamId: SteamId,
  options: { urgency: Urgency; signal: AbortSignal },
) => Promise<ReadPlan | undefined>

/** Stores what was fetched. `alsoWrite` runs in the same transaction, if anything is stored. */
export async function commitRead(
  database: Database,
  plan: ReadPlan | undefined,
  alsoWrite?: (tx: Tx, outcome: Answered) => Promise<void>,
): Promise<ReadOutcome> {
  if (!plan) return { status: 'deleted' }
  const { kind, steamId, outcome } = plan
  const isStored = await database.transaction(async (tx) => {
    await lockAccounts(database, tx, [steamId])
    if (!(await plan.write(tx))) return false
    await dropRefresh(tx, steamId, kind)
    await alsoWrite?.(tx, outcome)
    return true
  })
  if (!isStored) return { status: 'deleted' }
  plan.afterCommit?.()
  return outcome
}
