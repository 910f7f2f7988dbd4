/** Runs long work in slices, so that other requests are served in between. */

/** How long a slice blocks the event loop, roughly, in milliseconds. */
const SLICE_MS = 10

/** Runs `work` to its end; after each slice it lets the event loop continue. */
export async function inSlices<Result>(work: Iterator<void, Result>): Promise<Result> {
  let step = work.next()
  // Most work takes a single step.
  if (step.done) return step.value
  let since = performance.now()
  while (!step.done) {
    if (performance.now() - since > SLICE_MS) {
      await new Promise(setImmediate)
      since = performance.now()
    }
    step = work.next()
  }
  return step.value
}
