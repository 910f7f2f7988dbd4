/** How many of the calls at once one person may have, so that their syncs leave room for everybody's (LIM-29). */
import PQueue from 'p-queue'
import type { SteamId } from '#shared/entities.ts'
import { SteamError } from '../steam/port.ts'

/** Of the client's four calls at once: somebody else's click finds one free, however many syncs one person starts. */
export const CALLS_OF_A_PERSON = 3

/** The turns of everybody on one server. */
export function createTurns() {
  const queues = new Map<SteamId, PQueue>()

  /**
   * Does some work when it is its turn among what the same person started before.
   * @throws SteamError timeout when the turn comes too late
   */
  return async function inTurn<T>(steamId: SteamId, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const queue = queues.get(steamId) ?? new PQueue({ concurrency: CALLS_OF_A_PERSON })
    queues.set(steamId, queue)
    try {
      // What is ahead began earlier and so ends before this time is over: the wait needs no limit of its own.
      return await queue.add(() => {
        if (signal.aborted) throw new SteamError('timeout', 'not asked: its turn came too late')
        return work()
      })
    } finally {
      if (queue.size === 0 && queue.pending === 0) queues.delete(steamId)
    }
  }
}
