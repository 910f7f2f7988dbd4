/** What is kept of answers, and for how long (UI.md 'Fast to the eye'). */
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './http.ts'

/** An answer younger than this is not asked for again when a screen opens. */
const FRESH_MS = 30_000
/** Answers stay in memory for a day: what was seen before is shown at once and refreshed behind. */
const KEPT_MS = 24 * 60 * 60 * 1000

/** The store of all answers. Retries are `load`'s own, because they share one deadline. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
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
}
