/** Long work in slices: others are answered in between. */

/** How long a slice keeps the process, roughly, in milliseconds. */
const SLICE_MS = 10

/** Does work that yields now and then, letting others have their turn whenever it has kept the process for a slice. */
export async function inSlices<Result>(work: Iterator<void, Result>): Promise<Result> {
  for (;;) {
    const until = performance.now() + SLICE_MS
    do {
      const step = work.next()
      if (step.done) return step.value
    } while (performance.now() < until)
    await new Promise(setImmediate)
  }
}

/** As {@link inSlices}, all at once. */
export function atOnce<Result>(work: Iterator<void, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
