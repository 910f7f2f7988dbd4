/** Steam's failures as errors of the API, and as codes of one library in a group sync. */
import type { LibrarySyncCode } from '#shared/contract/groups.ts'
import { AppError } from '../errors.ts'
import { SteamError } from '../steam/port.ts'

/**
 * Turns a SteamError into an AppError (SYNC-12: 502, 503 or 504, and 429 for its 429); returns other errors unchanged.
 */
export function appErrorFor(error: unknown): unknown {
  if (!(error instanceof SteamError)) return error
  const detail = { cause: error, retryAfterSeconds: error.retryAfterSeconds }
  switch (error.failure) {
    case 'unavailable':
      return new AppError('steam_unavailable', detail)
    case 'timeout':
      return new AppError('steam_timeout', detail)
    case 'forbidden':
      return new AppError('steam_unavailable', {
        ...detail,
        reason: 'steam_refuses',
      })
    case 'invalid_key':
      return new AppError('steam_key_refused', detail)
    case 'rate_limited':
    case 'throttled':
      return new AppError('steam_rate_limited', detail)
  }
}

/** The error for a library that its owner hides, or whose owner has deleted their account. */
export function libraryHidden(): AppError {
  return new AppError('forbidden', { reason: 'library_not_shown' })
}

/** Why a library could not be read in a group sync. */
export function failureCode({ failure }: SteamError): LibrarySyncCode {
  switch (failure) {
    case 'unavailable':
      return 'steam_unavailable'
    case 'timeout':
      return 'steam_timeout'
    case 'forbidden':
      return 'steam_refuses'
    case 'invalid_key':
      return 'steam_key_refused'
    case 'rate_limited':
    case 'throttled':
      return 'steam_rate_limited'
  }
}
