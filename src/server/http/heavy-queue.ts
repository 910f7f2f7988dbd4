/** A queue per person for heavy requests (LIM-22), so that one account does not keep all others waiting. */
import type { ServerResponse } from 'node:http'
import { AppError } from '../errors.ts'

/** A larger response holds its slot until the client has received it; the slot then rests before its next use. */
export const LARGE_BYTES = 1024 * 1024
/**
 * Rest per megabyte, in milliseconds. Building a megabyte takes about twenty, so a person who requests large responses
 * continuously gets about a seventh of the process.
 */
const REST_MS_PER_MEGABYTE = 250
const REST_MAX_MS = 2000

export type HeavyLimits = {
  /** Heavy requests of a person that run at a time. */
  atOnce: number
  /** Heavy requests of a person that may wait. */
  waiting: number
  /** How long a request may wait, in milliseconds. */
  waitMs: number
}

/** Two at a time, so that one long list does not delay the others on the same page. */
export const defaultHeavyLimits: HeavyLimits = { atOnce: 2, waiting: 40, waitMs: 10_000 }

const RETRY_AFTER_SECONDS = 2

/** A slot in use; call `release` exactly once, when the work is done or has failed. */
export type HeavySlot = {
  /** @param bytes of the response that was built, 0 for none */
  release(bytes: number): void
}

export type HeavyQueue = {
  /**
   * Gets a slot of a person for a response; a promise when it has to wait.
   * @throws AppError too_many_requests when too many requests are waiting, or it has waited too long
   */
  enter(person: string, response: ServerResponse): HeavySlot | Promise<HeavySlot>
}

type PersonQueue = { running: number; waiting: Set<() => void> | undefined }

/** The queues of one server. */
export function createHeavyQueue({ atOnce, waiting: waitingMax, waitMs }: HeavyLimits): HeavyQueue {
  const queues = new Map<string, PersonQueue>()

  /** Resolves when a slot was passed on to this request. */
  function waitForSlot(waiting: Set<() => void>, response: ServerResponse): Promise<void> {
    return new Promise((resolve, reject) => {
      const leaveQueue = () => {
        waiting.delete(go)
        response.off('close', giveUp)
        clearTimeout(timer)
      }
      const go = () => {
        leaveQueue()
        resolve()
      }
      const giveUp = () => {
        leaveQueue()
        reject(tooMany())
      }
      const timer = setTimeout(giveUp, waitMs)
      response.once('close', giveUp)
      waiting.add(go)
    })
  }

  function slotOf(queue: PersonQueue, person: string, response: ServerResponse): HeavySlot {
    // Passes the slot on to the next waiting request, or frees it.
    const passOn = () => {
      const next = queue.waiting?.values().next().value
      if (next) next()
      else if (--queue.running === 0) queues.delete(person)
    }
    return {
      release: (bytes) => {
        const rest = () => {
          if (bytes <= LARGE_BYTES) return passOn()
          setTimeout(passOn, Math.min(REST_MAX_MS, (bytes / LARGE_BYTES) * REST_MS_PER_MEGABYTE)).unref()
        }
        const isReceived = response.writableEnded && response.writableLength <= LARGE_BYTES
        if (isReceived || response.destroyed) rest()
        else response.once('close', rest)
      },
    }
  }

  return {
    enter(person, response) {
      let queue = queues.get(person)
      if (!queue) queues.set(person, (queue = { running: 0, waiting: undefined }))
      if (queue.running < atOnce) {
        queue.running++
        return slotOf(queue, person, response)
      }
      queue.waiting ??= new Set()
      if (queue.waiting.size >= waitingMax || response.destroyed) throw tooMany()
      const own = queue
      return waitForSlot(queue.waiting, response).then(() => slotOf(own, person, response))
    },
  }
}

function tooMany(): AppError {
  return new AppError('too_many_requests', {
    text: 'Too many large requests at once. Try again in a moment.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
