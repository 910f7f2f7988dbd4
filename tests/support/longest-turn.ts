/** How long the event loop of this process is held up at most. */
import { setImmediate } from 'node:timers/promises'

/**
 * Runs `work` and returns with its result the most CPU time, in milliseconds, that the main thread spent in one turn of
 * the event loop for it: for as long no other request is served. CPU time, because a busy machine lets every turn wait.
 */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  let isRunning = true
  let longest = 0
  const watch = async () => {
    let before = process.threadCpuUsage()
    while (isRunning) {
      await setImmediate()
      const { user, system } = process.threadCpuUsage(before)
      before = process.threadCpuUsage()
      longest = Math.max(longest, user + system)
    }
  }
  const watching = watch()
  try {
    const result = await work()
    return { result, ms: longest / 1000 }
  } finally {
    isRunning = false
    await watching
  }
}
