/** Says no in time: a server that is asked for more than it can do refuses the rest at once (CONTRACT.md 'Limits'). */
import type { ServerResponse } from 'node:http'
import { AppError } from '../errors.ts'

export type OverloadLimits = {
  /** Requests that are being worked on, those that wait for the database or the platform included. */
  inFlight: number
  /** How much this process may have worked since a request came before it is refused, in milliseconds of CPU time. */
  workMs: number
  /** How long a request may have waited for this process, whatever else the machine did meanwhile, in milliseconds. */
  waitMs: number
}

/** Measured with `npm run soak` (docs/SECURITY.md): what can be done is done, within two seconds. */
export const defaultOverloadLimits: OverloadLimits = { inFlight: 500, workMs: 150, waitMs: 700 }

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
 * Refuses with 503 and Retry-After what comes on top. Two things are watched: requests in flight, and what happened
 * since the process last came round to its timers. While it works through a crowd of requests it does not come round,
 * so the later ones of a crowd know what was before them, without any of them being measured. Work counts by CPU time:
 * on a machine that others are using, time passes without a crowd getting any longer, and a server that refused for
 * that would do a third of what it can.
 */
export function refuseOverload({ inFlight: most, workMs, waitMs }: OverloadLimits): Overload {
  const busy = () => new AppError('busy', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  let inFlight = 0
  let crowd = 0
  let cameRound = performance.now()
  let workedThen = workedMs()
  const leave = () => void inFlight--
  const timer = setInterval(() => {
    cameRound = performance.now()
    workedThen = workedMs()
    crowd = 0
  }, TICK_MS)
  timer.unref()

  function tooMuchBefore(): boolean {
    const waited = performance.now() - cameRound
    // Nobody works for longer than time passes; the look at the clock of the processor is spared mostly.
    return waited > waitMs || (waited > workMs && workedMs() - workedThen > workMs)
  }

  return {
    admit: (response) => {
      crowd++
      if ((crowd > CROWD && tooMuchBefore()) || inFlight >= most) return busy()
      inFlight++
      // Comes once for every answer, also for one that nobody waited for.
      response.once('close', leave)
      return undefined
    },
    stop: () => clearInterval(timer),
  }
}

/** CPU time of this thread so far. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
