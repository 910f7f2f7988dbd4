/** Expected errors; `http/failures.ts` renders them, and any other error becomes a 500. */
import type { ErrorTexts } from 'virtual:texts'
import { readCatalogue, usable } from '#locales/catalogues.ts'
import type { Values } from '#locales/message.ts'
import { errorStatuses, type ErrorCode, type Reason, type ReasonGiven } from '#shared/errors.ts'

/** In English; pages translate them by their code. */
export const errorTexts = usable('en', readCatalogue('en').errors!) as ErrorTexts

/** Why, more specifically than the code says. Both are sent, so they must not contain secrets or internals. */
type Because =
  | ReasonGiven
  | {
      /** In English, for developers: a request that no page sends. Pages show the code's text. */
      problem?: string
      reason?: undefined
      values?: undefined
    }

type Detail = ErrorOptions &
  Because & {
    /** Name in the contract of the invalid input. */
    field?: string
    /** Seconds until a retry makes sense, whole; sent as the header Retry-After. */
    retryAfterSeconds?: number
  }

/** An expected error, whose text is safe to show. Other errors are logged and become a 500. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly reason: Reason | undefined
  readonly values: Values | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, detail: Detail = {}) {
    const { field, reason, values, retryAfterSeconds, cause } = detail
    super(textOf(code, detail), cause === undefined ? {} : { cause })
    this.name = 'AppError'
    this.code = code
    this.field = field
    this.reason = reason
    this.values = values
    this.retryAfterSeconds = retryAfterSeconds
  }

  get status(): number {
    return errorStatuses[this.code]
  }
}

function textOf(code: ErrorCode, because: Because): string {
  if (because.reason === undefined) return because.problem ?? errorTexts.codes[code]
  const text = errorTexts.reasons[because.reason]
  return typeof text === 'string' ? text : (text as (values: Values) => string)(because.values ?? {})
}
