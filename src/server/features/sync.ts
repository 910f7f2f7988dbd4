/** What is left of today's syncs, how far reading has come, and what happened lately. */
import type { syncContract } from '#shared/contract/sync.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../http/handlers.ts'

/** Handlers of sync status and Recent Activity. */
export function syncHandlers({ sync }: Deps) {
  return {
    status: ({ params }) => sync.status(params.steamId),
    activity: ({ params }) => sync.activity(params.steamId),
  } satisfies Handlers<typeof syncContract>
}
