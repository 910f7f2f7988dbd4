/** Helpers for times, used by features, sync and pictures. */

/** A stored time (milliseconds since 1970) as the contract writes it: ISO 8601, UTC. */
export function isoTime(time: number | null | undefined): string | null {
  return time === null || time === undefined ? null : new Date(time).toISOString()
}

/**
 * The result of `work`, or undefined when it takes longer than `ms` milliseconds; it is not cancelled then.
 * @throws whatever `work` rejects with in time
 */
export async function withinMs<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
