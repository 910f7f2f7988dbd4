/** Long work in slices: others are answered in between. */

/** How long a slice keeps the process, roughly, in milliseconds. */
const SLICE_MS = 10

/** Does work that yields now and then, letting others have their turn whenever it has kept the process for a slice. */
export async function inSlices<Result>(work: Iterator<void, Result>): Promise<Result> {
  let step = work.next()
  // Most work is done by then.
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
