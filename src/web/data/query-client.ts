/** What is kept of answers, and for how long (LOOK-9). */
import { QueryCache, QueryClient, type Query } from '@tanstack/react-query'
import { ApiError, isRefused } from './api-error.ts'

/** An answer younger than this is not asked for again when a screen opens. */
const FRESH_MS = 30_000
/** Answers stay in memory for a day: what was seen before is shown at once and refreshed behind. */
const KEPT_MS = 24 * 60 * 60 * 1000

let kept: { steamId: string; client: QueryClient } | undefined

/** One person's answers; they stay while that person is at public pages. Nobody else ever sees them. */
export function answersOf(steamId: string): QueryClient {
  if (kept?.steamId !== steamId) {
    forgetAnswers()
    kept = { steamId, client: createQueryClient() }
  }
  return kept.client
}

/** Forgets all answers; for when nobody is signed in any more. */
export function forgetAnswers(): void {
  kept?.client.clear()
  kept = undefined
}

/**
 * Loads what failed and is on the screen again when the connection or the person is back (PAGE-19).
 * @returns what ends it
 */
export function recoverWhenBack(client: QueryClient): () => void {
  const recover = () => void loadFailedAgain(client)
  const ways = [
    [window, 'online'],
    [window, 'focus'],
    // Where other apps cover the page, such as on telephones.
    [document, 'visibilitychange'],
  ] as const
  for (const [target, event] of ways) target.addEventListener(event, recover)
  return () => {
    for (const [target, event] of ways) target.removeEventListener(event, recover)
  }
}

function loadFailedAgain(client: QueryClient): Promise<void> {
  return client.refetchQueries(
    { type: 'active', predicate: ({ state }) => state.status === 'error' && !isRefused(state.error) },
    { cancelRefetch: false },
  )
}

/** The store of all answers. Retries are `load`'s own, because they share one deadline. */
function createQueryClient(): QueryClient {
  const failed = new WeakSet<Query<unknown, unknown>>()
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // One that works again says that the server is back: one 'Try again' is enough for all (PAGE-19).
      onSuccess: (_data, query) => {
        if (failed.delete(query)) void loadFailedAgain(client)
      },
      onError: (error, query) => {
        failed.add(query)
        // What one may not see any more, or is gone, does not stay on the screen below the refusal.
        if (error instanceof ApiError && [403, 404].includes(error.status))
          query.setState({ data: undefined })
      },
    }),
    defaultOptions: {
      // 'always': without a connection a call fails and says so, instead of waiting silently for one.
      queries: { staleTime: FRESH_MS, gcTime: KEPT_MS, retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
