/** Counts failed responses of the last hour by status, code and route (OPER-4). */
import type { ErrorCount } from '../storage/operator.ts'

const MINUTE_MS = 60_000
const MINUTES = 60
/** Kinds of failures that are reported; the rarest are left out. */
const REPORTED_MAX = 50

export type ErrorCounts = {
  note(failure: Pick<ErrorCount, 'status' | 'code' | 'route'>): void
  /** Unexpected failures first, then the most frequent. */
  lastHour(): ErrorCount[]
}

/** The failures of one server. */
export function createErrorCounts(clock: () => number): ErrorCounts {
  /** Counts of a minute by what failed, by the number of the minute. */
  const minutes = new Map<number, Map<string, ErrorCount>>()

  function forget(now: number): void {
    for (const minute of minutes.keys()) if (minute <= now - MINUTES) minutes.delete(minute)
  }

  return {
    note({ status, code, route }) {
      const last_at = clock()
      const now = Math.floor(last_at / MINUTE_MS)
      let counts = minutes.get(now)
      if (!counts) {
        forget(now)
        minutes.set(now, (counts = new Map<string, ErrorCount>()))
      }
      const key = `${status} ${code} ${route}`
      const counted = counts.get(key)
      if (counted) Object.assign(counted, { count: counted.count + 1, last_at })
      else counts.set(key, { status, code, route, count: 1, last_at })
    },

    lastHour() {
      forget(Math.floor(clock() / MINUTE_MS))
      return sumErrors([...minutes.values()].map((counts) => [...counts.values()]))
    },
  }
}

/** Adds up counts of several minutes or servers, in the order of {@link ErrorCounts.lastHour}. */
export function sumErrors(lists: readonly (readonly ErrorCount[])[]): ErrorCount[] {
  const sums = new Map<string, ErrorCount>()
  for (const one of lists.flat()) {
    const key = `${one.status} ${one.code} ${one.route}`
    const sum = sums.get(key)
    if (sum) {
      sum.count += one.count
      sum.last_at = Math.max(sum.last_at, one.last_at)
    } else sums.set(key, { ...one })
  }
  const isServerError = ({ status }: ErrorCount) => Number(status >= 500)
  return [...sums.values()]
    .sort((a, b) => isServerError(b) - isServerError(a) || b.count - a.count)
    .slice(0, REPORTED_MAX)
}
