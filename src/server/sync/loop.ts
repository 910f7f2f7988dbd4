/** Background loops that run until they are stopped. */
import { DatabaseUnavailableError } from '../database/database.ts'
import type { Log } from './log.ts'

/** Pause after a run that threw an unexpected error, such as a database failure. */
const AFTER_FAILURE_MS = 30_000

export type Loop = {
  /** Skips the current or next pause. */
  wake(): void
  /** Waits for the current run and starts no other. */
  stop(): Promise<void>
}

/** Calls `run` repeatedly, pausing for the milliseconds it returns. Its timers do not keep the process alive. */
export function startLoop(name: string, run: () => Promise<number>, log: Log): Loop {
  let stopped = false
  let woken = false
  let wakeUp: (() => void) | undefined

  async function repeat(): Promise<void> {
    while (!stopped) {
      woken = false
      const ms = await run().catch((error: unknown) => {
        // Outages are logged where they begin and end (`database/outages.ts`).
        if (!(error instanceof DatabaseUnavailableError))
          log.error({ err: error, loop: name }, 'background work failed')
        return AFTER_FAILURE_MS
      })
      if (ms > 0 && !stopped && !woken) await pauseFor(ms)
    }
  }

  function pauseFor(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      timer.unref()
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const wake = () => {
    woken = true
    wakeUp?.()
  }
  const ended = repeat()
  return {
    wake,
    stop: () => {
      stopped = true
      wake()
      return ended
    },
  }
}
