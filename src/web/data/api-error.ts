/** Failed requests, and questions about them. Requirements: LANG-6. */
import type { ErrorBody, ErrorCode } from '#shared/errors.ts'
import { messages, loadErrors, type ErrorTexts } from 'virtual:texts'

let texts: ErrorTexts | undefined

/** Loads the texts of failures in the language of the pages; where they cannot be had, the server's English stands in. */
export async function loadErrorTexts(): Promise<void> {
  texts ??= await loadErrors?.().catch(() => undefined)
}

type FailedRequest = Pick<ErrorBody, 'reason' | 'values'> & {
  status: number
  /** 'foreign': something in front of the server responded; its status says nothing of this product. */
  code: ErrorCode | 'network' | 'foreign' | 'unknown'
  /** The server's, in English. */
  text: string
  retryAfter?: number | undefined
}

/** The reason in the language of the pages, else what its code says. */
function translated({ code, reason, values, text }: FailedRequest): string {
  const because = reason && texts?.reasons[reason]
  if (typeof because === 'function') return (because as (values: object) => string)(values ?? {})
  return because ?? texts?.codes[code as ErrorCode] ?? text
}

/**
 * A failed request. `text` is shown to the user: the server's error text if there is one, 'Network error.' if no response
 * arrived. `retryAfter` is in seconds.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: FailedRequest['code']
  readonly text: string
  readonly retryAfter: number | undefined

  constructor(failure: FailedRequest) {
    const text = translated(failure)
    super(text)
    this.name = 'ApiError'
    this.status = failure.status
    this.code = failure.code
    this.text = text
    this.retryAfter = failure.retryAfter
  }
}

/** Whether no response arrived: no connection, or a timeout (PAGE-4). */
export function isNetworkError(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'network'
}

/** Whether the server refused the request for good: a 4xx status except a rate limit's. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
}

/** Whether the resource does not exist, or is hidden from me; the server does not say which (ERR-9). */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Whether the server responded with this error code. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof ApiError && error.code === code
}

/**
 * The text to show for a failure: the server's error text, 'Network error.' if no response arrived, otherwise `fallback`
 * (GLIST-3).
 */
export function failureText(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError) || error.code === 'foreign' || error.text === messages.somethingWrong)
    return fallback
  return error.text
}

/** Whether the token was refused: the session has ended or never existed. */
export function isUnauthorised(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Whether the same request may succeed a moment later. */
export function isRetryable(error: unknown): boolean {
  return error instanceof ApiError && (['network', 'foreign'].includes(error.code) || error.status >= 500)
}
