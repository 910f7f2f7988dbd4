/** Limits how many of the platform calls that run at a time one person may have (LIM-29). */
import PQueue from 'p-queue'
import type { SteamId } from '#shared/entities.ts'
import { SteamError } from '../steam/port.ts'

/** Of the client's four concurrent calls, so that one is left for other people. */
export const CALLS_PER_PERSON = 3

/** The limiter of one server. */
export function createPersonLimiter() {
  const queues = new Map<SteamId, PQueue>()

  /**
   * Runs `work` after the person's earlier work, a few at a time.
   * @throws SteamError timeout when `signal` has aborted before the work could start
   */
  return async function limited<T>(
    steamId: SteamId,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    const queue = queues.get(steamId) ?? new PQueue({ concurrency: CALLS_PER_PERSON })
    queues.set(steamId, queue)
    try {
      // The wait needs no limit of its own: earlier work has an earlier deadline.
      return await queue.add(() => {
        if (signal.aborted)
          throw new SteamError('timeout', 'not sent: the time limit was over before it could start')
        return work()
      })
    } finally {
      if (queue.size === 0 && queue.pending === 0) queues.delete(steamId)
    }
  }
}
