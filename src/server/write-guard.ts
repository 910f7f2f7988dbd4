/**
 * Two rules for requests that write. A server that was suspended (a paused machine, SIGSTOP, swapping) and goes on must
 * not write what a client wanted that has left since and may have changed the same through another server (OPS-36). And
 * once something is stored, the response is no refusal (OPS-31).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import { type Database, DatabaseBusyError, DatabaseUnavailableError } from './database/database.ts'
import { AppError } from './errors.ts'

const TICK_MS = 200
/** A process whose timers were late by this much was suspended, or as good as that. */
const FROZEN_MS = 1000
/** Requests that waited in the machine's buffers are read so soon afterwards. */
const READ_AFTER_MS = 1000

export type WriteGuard = {
  /**
   * Runs the handler of a request that writes.
   * @throws Error when the database fails after something was stored, for which a refusal would be wrong
   */
  serve<Result>(response: Pick<ServerResponse, 'destroyed'>, work: () => Promise<Result>): Promise<Result>
  /**
   * The same database, but a transaction of a request whose client has left is rolled back if the server was suspended
   * since the request came. Otherwise it is completed: players close a page right after they have clicked.
   */
  guard(database: Database): Database
  stop: () => void
}

/** The guard of one server. */
export function createWriteGuard(): WriteGuard {
  const serving = new AsyncLocalStorage<{
    response: Pick<ServerResponse, 'destroyed'>
    since: number
    hasStored: boolean
  }>()
  let lastTickAt = performance.now()
  let suspendedUntil = -Infinity
  const timer = setInterval(() => {
    const now = performance.now()
    if (now - lastTickAt > FROZEN_MS) suspendedUntil = now
    lastTickAt = now
  }, TICK_MS)
  timer.unref()

  /** @throws AppError busy, which nobody receives */
  function requireWanted(): void {
    const request = serving.getStore()
    if (!request?.response.destroyed) return
    if (suspendedUntil + READ_AFTER_MS >= request.since || performance.now() - lastTickAt > FROZEN_MS)
      throw new AppError('busy')
  }

  return {
    serve: (response, work) => {
      const request = { response, since: performance.now(), hasStored: false }
      return serving.run(request, async () => {
        try {
          return await work()
        } catch (error) {
          if (!request.hasStored || !isRefusal(error)) throw error
          throw new Error('the database failed after a write was stored', { cause: error })
        }
      })
    },
    guard: (database) => ({
      ...database,
      transaction: async (work) => {
        const result = await database.transaction(async (tx) => {
          const made = await work(tx)
          // Last, while its locks are held: what others write now comes after it.
          requireWanted()
          return made
        })
        const request = serving.getStore()
        if (request) request.hasStored = true
        return result
      },
    }),
    stop: () => clearInterval(timer),
  }
}

/** Whether an error would be a 503, after which programs try again. */
function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError || error instanceof DatabaseBusyError
}
