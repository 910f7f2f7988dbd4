/** Platform failures as errors of the API, and as messages about one library of a group sync. */
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

/** The message about one library whose read failed in a group sync. */
export function failureMessage(error: SteamError, name: string): string {
  switch (error.failure) {
    case 'unavailable':
      return `Steam did not return ${name}'s games.`
    case 'timeout':
      return `Steam took too long to return ${name}'s games; they are read in the background.`
    case 'forbidden':
      return `Steam is refusing requests from this server for now; ${name}'s games were not read.`
    case 'invalid_key':
      return 'Steam rejected this server’s API key.'
    case 'rate_limited':
    case 'throttled':
      return `Steam is limiting requests; ${name}'s games were not read.`
  }
}
