/** The cache of responses: what it stores and for how long (LOOK-4). */
import { QueryCache, QueryClient, type Query } from '@tanstack/react-query'
import { ApiError, isRefused } from './api-error.ts'
import { isOffline } from './offline.ts'

/** A response younger than this is not refetched when a screen opens. */
const FRESH_MS = 30_000
/** Cached data stays in memory for a day, so that it is shown at once and refreshed in the background. */
const CACHED_MS = 24 * 60 * 60 * 1000

/** How often what failed is asked for again, so that an outage ends on the screen when it has ended (PAGE-37). */
const RECOVER_EVERY_MS = 15_000

let current: { steamId: string; client: QueryClient } | undefined

/** The query client of one user; no other user ever sees its data. It survives visits to public pages. */
export function queryClientFor(steamId: string): QueryClient {
  if (current?.steamId !== steamId) {
    clearQueryClient()
    current = { steamId, client: createQueryClient() }
  }
  return current.client
}

/** Drops all cached data, after sign-out. */
export function clearQueryClient(): void {
  current?.client.clear()
  current = undefined
}

/**
 * Refetches failed queries of the screen, and where none failed, any of them while the server does not answer (PAGE-19).
 * @returns a function that stops it
 */
export function recoverWhenBack(client: QueryClient): () => void {
  return whenTryingIsWorthwhile(async () => {
    await refetchFailed(client)
    const [any] = client.getQueryCache().findAll({ type: 'active' })
    if (isOffline() && any) await client.refetchQueries(any, { cancelRefetch: false })
  })
}

/**
 * Calls this when the connection is back or the user returns to the window, and now and then.
 * @returns a function that stops it
 */
export function whenTryingIsWorthwhile(tryAgain: () => unknown): () => void {
  const recover = () => void tryAgain()
  const events = [
    [window, 'online'],
    [window, 'focus'],
    // Phones send no focus event when the user returns from another app.
    [document, 'visibilitychange'],
  ] as const
  for (const [target, event] of events) target.addEventListener(event, recover)
  const timer = setInterval(recover, RECOVER_EVERY_MS)
  return () => {
    clearInterval(timer)
    for (const [target, event] of events) target.removeEventListener(event, recover)
  }
}

function refetchFailed(client: QueryClient): Promise<void> {
  return client.refetchQueries(
    { type: 'active', predicate: ({ state }) => state.status === 'error' && !isRefused(state.error) },
    { cancelRefetch: false },
  )
}

/** Without retries: `query` of http.ts does them, because they share one deadline. */
function createQueryClient(): QueryClient {
  const failed = new WeakSet<Query<unknown, unknown>>()
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // A query that succeeds again means that the server is back, so one 'Try again' is enough for all (PAGE-19).
      onSuccess: (_data, query) => {
        if (failed.delete(query)) void refetchFailed(client)
      },
      onError: (error, query) => {
        failed.add(query)
        // Data that the user may no longer see, or that is gone, must not stay on the screen.
        if (error instanceof ApiError && [403, 404].includes(error.status))
          query.setState({ data: undefined })
      },
    }),
    defaultOptions: {
      // 'always': without a connection a request fails with a text instead of waiting silently.
      queries: { staleTime: FRESH_MS, gcTime: CACHED_MS, retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
