/** Expected errors; `http/failures.ts` renders them, and any other error becomes a 500. */
import { errorCatalogue, type ErrorCode } from '#shared/errors.ts'

type Detail = ErrorOptions & {
  /** A more specific text than the catalogue's. It is shown to people, so it must not contain secrets or internals. */
  text?: string
  /** Name in the contract of the invalid input. */
  field?: string
  /** Seconds until a retry makes sense, whole; sent as the header Retry-After. */
  retryAfterSeconds?: number
}

/** An expected error, whose text is safe to show. Other errors are logged and become a 500. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, { text, field, retryAfterSeconds, ...options }: Detail = {}) {
    super(text ?? errorCatalogue[code].text, options)
    this.name = 'AppError'
    this.code = code
    this.field = field
    this.retryAfterSeconds = retryAfterSeconds
  }

  get status(): number {
    return errorCatalogue[this.code].status
  }
}
