/**
 * Reads a library or friend list in two phases: it is fetched and prepared without a transaction, then stored in one
 * short transaction, completely or not at all (DATA-2).
 */
import type { SteamId } from '#shared/entities.ts'
import { SteamError, type SteamFailure, type Urgency } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { lockAccounts } from '../storage/accounts.ts'
import { dropRefresh } from '../storage/refreshes.ts'
import type { LibrarySyncCode } from '#shared/contract/groups.ts'
import { AppError } from '../errors.ts'
import { hiddenAppids, withoutGames } from '../library/library.ts'
import { unpackLibrary } from '../library/packed.ts'
import { readLibrary } from '../storage/libraries.ts'
import { findPlayer } from '../storage/players.ts'

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

const codes = {
  unavailable: 'steam_unavailable',
  timeout: 'steam_timeout',
  forbidden: 'steam_refuses',
  invalid_key: 'steam_key_refused',
  rate_limited: 'steam_rate_limited',
  throttled: 'steam_rate_limited',
} as const satisfies Record<SteamFailure, LibrarySyncCode>

/**
 * Turns a SteamError into an AppError (SYNC-12: 502, 503 or 504, and 429 for its 429); returns other errors unchanged.
 */
export function appErrorFor(error: unknown): unknown {
  if (!(error instanceof SteamError)) return error
  const detail = { cause: error, retryAfterSeconds: error.retryAfterSeconds }
  const code = codes[error.failure]
  return code === 'steam_refuses'
    ? new AppError('steam_unavailable', { ...detail, reason: code })
    : new AppError(code, detail)
}

/** The error for a library that its owner hides, or whose owner has deleted their account. */
export function libraryHidden(): AppError {
  return new AppError('forbidden', { reason: 'library_not_shown' })
}

/** Why a library could not be read in a group sync. */
export function failureCode({ failure }: SteamError): LibrarySyncCode {
  return codes[failure]
}

/**
 * The number of games that `viewer` sees in the stored library of `steamId`: in libraries of others the hidden ones do
 * not count.
 */
export async function countGamesShown(db: Queries | Tx, viewer: SteamId, steamId: SteamId): Promise<number> {
  const [player, row] = await Promise.all([findPlayer(db, steamId), readLibrary(db, steamId)])
  if (!row?.packed) return 0
  const library = unpackLibrary(row.packed)
  return withoutGames(library, viewer === steamId ? [] : hiddenAppids(player?.hidden_appids)).length
}
