/** A queue per user for heavy requests (LIM-22), so that one account does not keep all others waiting. */
import type { ServerResponse } from 'node:http'
import { type GiveBack, type SlotLimits, slotLimits, Slots } from '../slots.ts'

/** A larger response holds its slot until the client has received it; the slot then rests before its next use. */
export const LARGE_BYTES = 1024 * 1024
/**
 * Rest per megabyte, in milliseconds. Building a megabyte takes about twenty, so a user who requests large responses
 * continuously gets about a seventh of the process.
 */
const REST_MS_PER_MEGABYTE = 250
const REST_MAX_MS = 2000

/** A slot in use; call `release` exactly once, when the work is done or has failed. */
export type HeavySlot = {
  /** @param bytes of the response that was built, 0 for none */
  release(bytes: number): void
}

export type HeavyQueue = {
  /**
   * Gets a slot of a user for a response; a promise when it has to wait.
   * @throws AppError too_many_requests when too many requests are waiting, or it has waited too long
   */
  enter(user: string, response: ServerResponse): HeavySlot | Promise<HeavySlot>
}

/** The queues of one server. */
export function createHeavyQueue(limits: Partial<SlotLimits> = {}): HeavyQueue {
  const slots = new Slots({ ...slotLimits.heavyRequests, ...limits })

  function slotOf(giveBack: GiveBack, response: ServerResponse): HeavySlot {
    return {
      release: (bytes) => {
        const rest = () => {
          if (bytes <= LARGE_BYTES) return giveBack()
          setTimeout(giveBack, Math.min(REST_MAX_MS, (bytes / LARGE_BYTES) * REST_MS_PER_MEGABYTE)).unref()
        }
        const isReceived = response.writableEnded && response.writableLength <= LARGE_BYTES
        if (isReceived || response.destroyed) rest()
        else response.once('close', rest)
      },
    }
  }

  return {
    enter(user, response) {
      const slot = slots.enter(user, response)
      return slot instanceof Promise
        ? slot.then((giveBack) => slotOf(giveBack, response))
        : slotOf(slot, response)
    },
  }
}
