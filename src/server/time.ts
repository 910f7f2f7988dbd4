/** Helpers for times, used by features, sync and pictures. */
import { setTimeout as pause } from 'node:timers/promises'

const DAY_MS = 24 * 60 * 60 * 1000
/** The dates of days since 1970, each as ISO 8601 with the T that follows it. */
const dates = new Map<number, string>()
const two = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))

/**
 * A stored time (milliseconds since 1970) as the contract writes it: ISO 8601, UTC. Dates are kept, because calling
 * `toISOString` for each game takes a seventh of the time of a library's response.
 */
export function isoTime(time: number | null | undefined): string | null {
  if (time === null || time === undefined) return null
  const day = Math.floor(time / DAY_MS)
  let date = dates.get(day)
  if (date === undefined) {
    // Thirty years have 11,000 days.
    if (dates.size > 20_000) dates.clear()
    dates.set(day, (date = new Date(time).toISOString().slice(0, -13)))
  }
  const ms = time - day * DAY_MS
  const seconds = Math.floor(ms / 1000)
  const [hour, minute, second] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${date}${two[hour]}:${two[minute]}:${two[second]}.${String(ms % 1000).padStart(3, '0')}Z`
}

/**
 * The result of `work`, or undefined when it takes longer than `ms` milliseconds; it is not cancelled then.
 * @throws whatever `work` rejects with in time
 */
export function withinMs<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  return Promise.race([work, pause(ms, undefined, { ref: false })])
}
