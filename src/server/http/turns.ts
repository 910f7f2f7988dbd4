/** Turns for one person's heavy requests (LIM-22), so that one account does not keep all others waiting. */
import type { ServerResponse } from 'node:http'
import { AppError } from '../errors.ts'

/** A larger response holds its turn until the client has taken it, and the turn rests before it is passed on. */
export const LARGE_BYTES = 1024 * 1024
/**
 * How long a turn rests after each megabyte, in milliseconds: building one takes some twenty, so that a person who
 * requests large responses without end has about a seventh of the process.
 */
const REST_MS_A_MEGABYTE = 250
const REST_MAX_MS = 2000

export type TurnLimits = {
  /** Turns that a person has at a time. */
  atOnce: number
  /** Requests of a person that may wait for a turn. */
  waiting: number
  /** How long each of them waits, in milliseconds. */
  waitMs: number
}

/** Two, so that a page does not wait for a long list that it shows beside others. */
export const defaultTurnLimits: TurnLimits = { atOnce: 2, waiting: 40, waitMs: 10_000 }

const RETRY_AFTER_SECONDS = 2

/** A turn that was taken; it is to end exactly once, when the work is done or has failed. */
export type Turn = {
  /** @param bytes of the response that was built, 0 for none */
  end(bytes: number): void
}

export type Turns = {
  /**
   * Takes a turn of a person for a response; a promise where it has to wait.
   * @throws AppError too_many_requests when too many wait already, or it waited for too long
   */
  take(person: string, response: ServerResponse): Turn | Promise<Turn>
}

type Line = { running: number; waiting: Set<() => void> | undefined }

/** The turns of one server. */
export function createTurns({ atOnce, waiting: mostWaiting, waitMs }: TurnLimits): Turns {
  const lines = new Map<string, Line>()

  /** Resolves when it is this request's turn. */
  function turnIn(waiting: Set<() => void>, response: ServerResponse): Promise<void> {
    return new Promise((resolve, reject) => {
      const leaveLine = () => {
        waiting.delete(go)
        response.off('close', giveUp)
        clearTimeout(timer)
      }
      const go = () => {
        leaveLine()
        resolve()
      }
      const giveUp = () => {
        leaveLine()
        reject(tooMany())
      }
      const timer = setTimeout(giveUp, waitMs)
      response.once('close', giveUp)
      waiting.add(go)
    })
  }

  function turnOf(line: Line, person: string, response: ServerResponse): Turn {
    // The turn is handed to the next in line as it is, or ends.
    const pass = () => {
      const next = line.waiting?.values().next().value
      if (next) next()
      else if (--line.running === 0) lines.delete(person)
    }
    return {
      end: (bytes) => {
        const rest = () => {
          if (bytes <= LARGE_BYTES) return pass()
          setTimeout(pass, Math.min(REST_MAX_MS, (bytes / LARGE_BYTES) * REST_MS_A_MEGABYTE)).unref()
        }
        const isTaken = response.writableEnded && response.writableLength <= LARGE_BYTES
        if (isTaken || response.destroyed) rest()
        else response.once('close', rest)
      },
    }
  }

  return {
    take(person, response) {
      let line = lines.get(person)
      if (!line) lines.set(person, (line = { running: 0, waiting: undefined }))
      if (line.running < atOnce) {
        line.running++
        return turnOf(line, person, response)
      }
      line.waiting ??= new Set()
      if (line.waiting.size >= mostWaiting || response.destroyed) throw tooMany()
      const mine = line
      return turnIn(line.waiting, response).then(() => turnOf(mine, person, response))
    },
  }
}

function tooMany(): AppError {
  return new AppError('too_many_requests', {
    text: 'Too many large answers at once. Try again in a moment.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
