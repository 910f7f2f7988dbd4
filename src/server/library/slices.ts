/** Runs long work in slices, so that other requests are served in between. */

/** How long a slice blocks the event loop, roughly, in milliseconds. */
const SLICE_MS = 10

/** Runs `work` to its end; after each slice it lets the event loop continue. */
export async function inSlices<Result>(work: Iterator<void, Result>): Promise<Result> {
  let step = work.next()
  // Most work takes a single step.
  if (step.done) return step.value
  const rest = restBetweenSlices()
  while (!step.done) {
    await rest()
    step = work.next()
  }
  return step.value
}

/** For the steps of one piece of work: a function that, after each slice, waits until the event loop has continued. */
export function restBetweenSlices(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since <= SLICE_MS) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now()
        resolve()
      })
    })
  }
}
