/** Says no in time: a server that is asked for more than it can do refuses the rest at once (CONTRACT.md 'Limits'). */
import type { ServerResponse } from 'node:http'
import { AppError } from '../errors.ts'

export type OverloadLimits = {
  /** Requests that are being worked on, those that wait for the database or the platform included. */
  inFlight: number
  /** How long a request may have waited for this process before it is refused, in milliseconds. */
  waitMs: number
}

/** Measured with `npm run soak` (docs/SECURITY.md): accepted requests stay well under a second. */
export const defaultOverloadLimits: OverloadLimits = { inFlight: 500, waitMs: 150 }

const TICK_MS = 20
/** A single long pause, such as a collection of garbage, is no overload: it takes this many requests at once. */
const CROWD = 32
const RETRY_AFTER_SECONDS = 2

export type Overload = {
  /** Takes a request in, until its response closes; returns the refusal when there is no place for it. */
  admit: (response: Pick<ServerResponse, 'once'>) => AppError | undefined
  stop: () => void
}

/**
 * Refuses with 503 and Retry-After what comes on top. Two things are watched: requests in flight, and
 * how long ago the process last came round to its timers. While it works through a crowd of requests it does not
 * come round, so the later ones of a crowd know how long they have waited, without any of them being measured.
 */
export function refuseOverload({ inFlight: most, waitMs }: OverloadLimits): Overload {
  const busy = () => new AppError('busy', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  let inFlight = 0
  let crowd = 0
  let cameRound = performance.now()
  const leave = () => void inFlight--
  const timer = setInterval(() => {
    cameRound = performance.now()
    crowd = 0
  }, TICK_MS)
  timer.unref()

  return {
    admit: (response) => {
      crowd++
      const waited = crowd > CROWD && performance.now() - cameRound > waitMs
      if (waited || inFlight >= most) return busy()
      inFlight++
      // Comes once for every answer, also for one that nobody waited for.
      response.once('close', leave)
      return undefined
    },
    stop: () => clearInterval(timer),
  }
}
