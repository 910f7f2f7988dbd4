/** Failures of the platform, as the answer to a click and as a sentence about one library. */
import { AppError } from '../errors.ts'
import { SteamError } from '../steam/port.ts'

/** The platform's failure as an answer (SYNC-12: 502, 503 or 504, and 429 for its 429); else as it is. */
export function answerFor(error: unknown): unknown {
  if (!(error instanceof SteamError)) return error
  const detail = { cause: error, retryAfterSeconds: error.retryAfterSeconds }
  switch (error.failure) {
    case 'unavailable':
      return new AppError('steam_unavailable', detail)
    case 'timeout':
      return new AppError('steam_timeout', detail)
    case 'forbidden':
      return new AppError('steam_unavailable', { ...detail, text: 'Steam turns this server away for now.' })
    case 'invalid_key':
      return new AppError('steam_key_refused', detail)
    case 'rate_limited':
    case 'throttled':
      return new AppError('steam_rate_limited', detail)
  }
}

/** What everybody is told who asks for a library that its owner, or a deleted account, does not show. */
export function libraryHidden(): AppError {
  return new AppError('forbidden', { text: 'This player does not show their library here.' })
}

/** As {@link answerFor}, for one library of several. */
export function sentenceFor(error: SteamError, name: string): string {
  switch (error.failure) {
    case 'unavailable':
      return `Steam did not give ${name}'s games.`
    case 'timeout':
      return `Steam took too long to give ${name}'s games; they are read in the background.`
    case 'forbidden':
      return `Steam turns this server away for now; ${name}'s games were not read.`
    case 'invalid_key':
      return 'Steam refused this server’s key.'
    case 'rate_limited':
    case 'throttled':
      return `Steam is limiting requests; ${name}'s games were not read.`
  }
}
