/** Work that is asked for more often than it needs to be done. */

/**
 * A function that starts `work`. Calls while it is running have it done once more afterwards, because what it read may be
 * older than they are.
 */
export function coalesced(work: () => Promise<unknown>): () => void {
  let isRunning = false
  let isWantedAgain = false
  const run = async (): Promise<void> => {
    isRunning = true
    do {
      isWantedAgain = false
      await work().catch(() => undefined)
    } while (isWantedAgain)
    isRunning = false
  }
  return () => {
    if (isRunning) isWantedAgain = true
    else void run()
  }
}
