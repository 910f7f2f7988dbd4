/** Whether what is on the screen may be out of date, because the server cannot be reached (PAGE-29). */
import type { QueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { isNetworkError } from './api-error.ts'

/**
 * Whether data is on the screen and the browser has no connection, or the server did not answer when it was asked again.
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
  return client
    .getQueryCache()
    .findAll({ type: 'active' })
    .some(({ state }) => state.data !== undefined && (!navigator.onLine || isNetworkError(state.error)))
}
