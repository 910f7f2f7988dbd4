/** The stream of changes of a game night (NIGHT-40). */
import type { liveContract } from '#shared/contract/live.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'

/** Handlers of live changes. */
export function liveHandlers({ live }: Deps) {
  return {
    watch: ({ params: { id: nightId }, user, caller: { tokenHash }, stream }) =>
      live.watch({ nightId, user, tokenHash, stream: stream! }),
  } satisfies Handlers<typeof liveContract>
}
