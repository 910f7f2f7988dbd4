/** Work that goes on by itself until it is stopped. */
import type { Log } from './log.ts'

/** Pause after a turn that failed for a reason of ours, such as a database that does not answer. */
const AFTER_FAILURE_MS = 30_000

export type Loop = {
  /** Begins the next turn now rather than after its pause. */
  wake(): void
  /** Lets the running turn finish and begins no other. */
  stop(): Promise<void>
}

/** Runs `turn` again and again; each says how many milliseconds to pause after it. Keeps no process alive. */
export function startLoop(name: string, turn: () => Promise<number>, log: Log): Loop {
  let stopped = false
  let woken = false
  let wakeUp: (() => void) | undefined

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false
      const ms = await turn().catch((error: unknown) => {
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
  const ended = run()
  return {
    wake,
    stop: () => {
      stopped = true
      wake()
      return ended
    },
  }
}
