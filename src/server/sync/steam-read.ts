/**
 * Reads a library or friend list in two phases: it is fetched and prepared without a transaction, then stored in one
 * short transaction, completely or not at all (DATA-2).
 */
import type { SteamId } from '#shared/entities.ts'
import { SteamError, type SteamFailure, type Urgency } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { lockAccounts, preventDeletions } from '../storage/accounts/accounts.ts'
import { listFriendIds } from '../storage/players/friends.ts'
import { finishRefresh } from '../storage/players/refreshes.ts'
import type { LibrarySyncCode } from '#shared/contract/groups.ts'
import { AppError } from '../errors.ts'
import { hiddenAppids, withoutGames } from '../library/library.ts'
import { unpackLibrary } from '../library/packed.ts'
import { readLibrary } from '../storage/players/libraries.ts'
import { findPlayer, isFromLaterRequest, lockPlayers } from '../storage/players/players.ts'

/** Steam's response; `count`: number of games or friends, 0 when they are private. */
export type SteamResult = { status: 'ok' | 'private'; count: number }
/** 'deleted': the account is deleted, so nothing was read or stored (DEL-2). */
export type ReadOutcome = SteamResult | { status: 'deleted' }

/** Fetched data, ready to be stored. */
export type ReadPlan = {
  kind: 'games' | 'friends'
  steamId: SteamId
  /** When it was requested. */
  at: number
  outcome: SteamResult
  write(tx: Tx): Promise<void>
}

/**
 * Fetches a library or friend list; undefined for a deleted account.
 * @throws SteamError; stored data is unchanged
 */
export type Fetch = (
  steamId: SteamId,
  options: { urgency: Urgency; signal: AbortSignal },
) => Promise<ReadPlan | undefined>

/**
 * Stores fetched data, unless the account has been deleted or a later request is stored, whose outcome it returns then
 * (SYNC-25). `alsoWrite` runs in the same transaction, unless the account has been deleted.
 */
export function commitRead(
  { database, clock }: { database: Database; clock: () => number },
  plan: ReadPlan | undefined,
  alsoWrite?: (tx: Tx, outcome: SteamResult) => Promise<void>,
): Promise<ReadOutcome> {
  if (!plan) return Promise.resolve({ status: 'deleted' })
  const { kind, steamId, at } = plan
  return database.transaction(async (tx) => {
    await lockAccounts(database, tx, [steamId])
    if (kind === 'friends') await preventDeletions(database, tx)
    const stored = await storedResult[kind](tx, steamId)
    if (!stored) return { status: 'deleted' }
    const isLate = isFromLaterRequest(stored.at, at, clock())
    const outcome = isLate ? await stored.result() : plan.outcome
    if (!isLate) {
      await plan.write(tx)
      // A late read leaves the refresh list alone: another may have been requested since.
      await finishRefresh(tx, steamId, kind === 'games' ? { games_due: 1 } : { friends_due: 1 })
    }
    await alsoWrite?.(tx, outcome)
    return outcome
  })
}

/** When what is stored was requested, and what came of it; undefined when the account has been deleted. */
const storedResult = {
  async games(tx: Tx, steamId: SteamId) {
    // Waits for transactions that are storing friend lists with this player: what they put on the refresh list is taken
    // off by this read, and later ones see its library.
    if (!(await lockPlayers(tx, [steamId])).has(steamId)) return undefined
    const row = await readLibrary(tx, steamId)
    return {
      at: row?.checked_at ?? null,
      result: () => resultOf(row!.status, row!.game_count),
    }
  },
  async friends(tx: Tx, steamId: SteamId) {
    const player = await findPlayer(tx, steamId)
    return (
      player && {
        at: player.friends_checked_at,
        result: async () => resultOf(player.friends_status, (await listFriendIds(tx, steamId)).length),
      }
    )
  },
}

function resultOf(status: string, count: number): SteamResult {
  return status === 'private' ? { status: 'private', count: 0 } : { status: 'ok', count }
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
