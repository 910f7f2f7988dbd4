/** Expected failures as values to throw; `http/failures.ts` renders them, and everything else becomes a plain 500. */
import { errorCatalogue, type ErrorCode } from '#shared/errors.ts'

type Detail = ErrorOptions & {
  /** A text more particular than the catalogue's; shown to people, so never a secret or an internal. */
  text?: string
  /** The input at fault, by its name in the contract. */
  field?: string
  /** When to try again, in whole seconds; becomes the header Retry-After. */
  retryAfterSeconds?: number
}

/** An expected failure whose text is safe to show. Anything else that is thrown is logged and becomes a 500. */
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
