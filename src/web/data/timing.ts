/** Waiting for a delay, a connection or an abort. */

/** Resolves after `ms` milliseconds, or as soon as `stop` is aborted. */
export function delay(ms: number, stop?: AbortSignal): Promise<void> {
  if (stop?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    stop?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Like {@link delay}, but also resolves when the connection is back. */
export async function delayOrOnline(ms: number, ended?: AbortSignal): Promise<void> {
  const online = new AbortController()
  const stop = () => online.abort()
  window.addEventListener('online', stop)
  await delay(ms, ended ? AbortSignal.any([ended, online.signal]) : online.signal)
  window.removeEventListener('online', stop)
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
