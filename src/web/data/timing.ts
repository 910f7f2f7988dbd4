/** Waiting for a time, a connection or an abort. */

/** Resolves after so many milliseconds, or at once when `stop` is aborted. */
export function passed(ms: number, stop?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    stop?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** As {@link passed}, but no longer than until the connection is back. */
export async function passedOrOnline(ms: number): Promise<void> {
  const online = new AbortController()
  const back = () => online.abort()
  window.addEventListener('online', back)
  await passed(ms, online.signal)
  window.removeEventListener('online', back)
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
