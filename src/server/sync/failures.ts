/** Steam's failures as errors of the API, and as codes of one library in a group sync. */
import type { LibrarySyncCode } from '#shared/contract/groups.ts'
import { AppError } from '../errors.ts'
import { SteamError, type SteamFailure } from '../steam/port.ts'

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
