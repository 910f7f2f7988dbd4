/** The server's log: JSON lines on standard output (OPS-42). */
import { constants, fstatSync, openSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import sonicBoom, { type SonicBoom, type SonicBoomOpts } from 'sonic-boom'

/** The package is a class; its types say so only to bundlers. */
const Output = sonicBoom as unknown as new (options: SonicBoomOpts) => SonicBoom

const STDOUT = 1
/** Bytes of lines that wait while they cannot be written; further lines are dropped. */
const WAITING_MAX = 1_000_000

/**
 * Creates the log. Where it cannot be written, because a disk is full, a pipe was closed or nobody reads it, lines wait
 * and then are dropped, and nothing else is affected; later lines say how many were. pino's own destination would end
 * the process at such an error, and wait for ever at its exit.
 */
export function createLogger(): Logger {
  // A `minLength` is what makes `flush` work; every line is longer.
  const output = new Output({ fd: withoutWaiting(STDOUT), minLength: 1, maxLength: WAITING_MAX })
  const logger = pino({ redact: ['req.headers.authorization', 'req.headers.cookie'] }, output)
  let dropped = 0
  // What could not be written is tried again with the next line.
  output.on('error', () => {})
  output.on('drop', () => {
    dropped++
    output.flush()
  })
  output.on('drain', () => {
    if (dropped === 0) return
    const lines = dropped
    dropped = 0
    logger.warn({ lines }, 'lines of the log were dropped, because they could not be written')
  })
  return logger
}

/**
 * A non-blocking descriptor of the same pipe or terminal: a thread that waits for a reader would keep the process from
 * ending. Files keep their own, which shares its position with other processes, and so do sockets, which cannot be
 * reopened.
 */
function withoutWaiting(fd: number): number {
  if (fstatSync(fd).isFile()) return fd
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return fd
  }
}
