/** Failed calls, and what can be asked about them. */
import type { ErrorCode } from '#shared/errors.ts'
import { messages } from '../messages.ts'

/**
 * A failed call. `text` is for people: the server's own where it gave one, 'Network error.' where nothing arrived.
 * `retryAfter` is in seconds.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | 'network' | 'unknown'
  readonly text: string
  readonly retryAfter: number | undefined

  constructor(failure: { status: number; code: ApiError['code']; text: string; retryAfter?: number }) {
    super(failure.text)
    this.name = 'ApiError'
    this.status = failure.status
    this.code = failure.code
    this.text = failure.text
    this.retryAfter = failure.retryAfter
  }
}

/** Whether nothing arrived: no connection, or no answer in time (PAGE-4). */
export function isNetworkError(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'network'
}

/** Whether the server knows nothing of what was asked for, or does not show it to me: to ask again gives the same. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
}

/** Whether what was asked for is not there, or not there for me; the server tells nobody which. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Whether the server gave this reason. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof ApiError && error.code === code
}

/**
 * What went wrong, in words: the server's own where it gave some, 'Network error.' where nothing arrived, otherwise
 * `fallback` (GLIST-9).
 */
export function failureText(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.text !== messages.somethingWrong ? error.text : fallback
}

/** Whether the token is refused: the session has ended, or never was. */
export function isUnauthorised(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Whether the same call may be answered well a moment later. */
export function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'network' || error.status >= 500)
}
