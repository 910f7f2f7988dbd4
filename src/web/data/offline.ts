/** Whether what is on the screen may be out of date, because the server cannot be reached (PAGE-29). */
import type { QueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { isNetworkError } from './api-error.ts'

/**
 * Whether data is on the screen and the browser has no connection, or the server did not answer when it was asked for
 * it again or, later than for any of it, for something else.
 */
export function useOffline(client: QueryClient): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const stop = client.getQueryCache().subscribe(listener)
      window.addEventListener('online', listener)
      window.addEventListener('offline', listener)
      return () => {
        stop()
        window.removeEventListener('online', listener)
        window.removeEventListener('offline', listener)
      }
    },
    [client],
  )
  return useSyncExternalStore(subscribe, () => isOffline(client))
}

function isOffline(client: QueryClient): boolean {
  const states = client
    .getQueryCache()
    .findAll({ type: 'active' })
    .map(({ state }) => state)
  const known = states.filter(({ data }) => data !== undefined)
  if (known.length === 0) return false
  if (!navigator.onLine || known.some(({ error }) => isNetworkError(error))) return true
  // A request for something else, such as who is online, may have been the last that the server did not answer.
  const unanswered = states.filter(({ error }) => isNetworkError(error))
  const lastAnswer = Math.max(...known.map(({ dataUpdatedAt }) => dataUpdatedAt))
  return unanswered.some(({ errorUpdatedAt }) => errorUpdatedAt > lastAnswer)
}
