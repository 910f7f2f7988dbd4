/** Distinguishes outages of PostgreSQL from other errors, and logs when one begins and ends (OPS-31). */
import pg from 'pg'
import { type DatabaseLog, DatabaseUnavailableError } from './database.ts'

/**
 * Codes of a server that is starting, stopping or full, or of a former primary that has become read-only after a
 * failover, and of one that has ended a transaction because this server did not go on with it; class 08 is lost
 * connections.
 */
const SERVER_CODES = /^(?:08...|57P0[1235]|53300|25006|25P03)$/
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** The driver reports broken and silent connections without a code. */
const DRIVER_TEXTS = /^(?:Connection terminated|Client has encountered a connection error|Query read timeout)/

/** Whether an error says that the database or the connection is gone, rather than that a statement was wrong. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { code?: string }
  if (error instanceof pg.DatabaseError) return SERVER_CODES.test(code)
  return SOCKET_CODES.has(code) || DRIVER_TEXTS.test(error.message)
}

export type OutageLog = {
  /** The error to throw for `error`: a {@link DatabaseUnavailableError} for an outage, otherwise itself. */
  failed(error: unknown, options?: { isOutcomeUnknown: boolean }): unknown
  /** A statement has succeeded. */
  succeeded(): void
}

/** Logs one line when an outage begins and one when it ends, however many requests fail in between. */
export function createOutageLog(log: DatabaseLog | undefined): OutageLog {
  let isOut = false
  return {
    failed(error, options) {
      if (!isOutage(error)) return error
      if (!isOut) log?.error({ err: error }, 'the database is unavailable')
      isOut = true
      return new DatabaseUnavailableError({ cause: error, ...options })
    },
    succeeded() {
      if (!isOut) return
      isOut = false
      log?.info('the database is available again')
    },
  }
}
