/** Runs long work in slices, so that other requests are served in between. */

/** How long the event loop is blocked by such work, roughly, in milliseconds. */
const SLICE_MS = 5
/** Items handled between two looks at the clock. */
const ITEMS_PER_LOOK = 256

/**
 * One clock for the process: when the first work of this turn of the event loop looked at it. Each turn those that wait go
 * on for one slice, in the order in which they came, so however many there are, others wait no longer.
 */
let turnStartedAt: number | undefined
const waiting: (() => void)[] = []

/** A promise that work which may be long must wait for, when this turn of the event loop has lasted for a slice. */
export function giveWay(): Promise<void> | undefined {
  startTurn()
  if (performance.now() - turnStartedAt! < SLICE_MS) return undefined
  return new Promise((resolve) => waiting.push(resolve))
}

function startTurn(): void {
  if (turnStartedAt !== undefined) return
  turnStartedAt = performance.now()
  setImmediate(nextTurn)
}

function nextTurn(): void {
  turnStartedAt = undefined
  if (waiting.length === 0) return
  startTurn()
  goOn()
}

/** Lets those that wait go on, one after another, until the slice is used up. */
function goOn(): void {
  waiting.shift()?.()
  // A microtask, so that it runs after the work that has just been resumed.
  if (waiting.length > 0)
    queueMicrotask(() => {
      if (performance.now() - turnStartedAt! < SLICE_MS) goOn()
    })
}

/** Runs `work` to its end; it gives way between its steps. */
export async function inSlices<Result>(work: Iterator<void, Result>): Promise<Result> {
  startTurn()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const turn = giveWay()
    if (turn) await turn
  }
}

/** `Array.from(items, map)`, in slices. */
export async function mapInSlices<Item, Result>(
  items: ArrayLike<Item>,
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (let index = 0; index < items.length; index++) {
    if (index % ITEMS_PER_LOOK === ITEMS_PER_LOOK - 1) await giveWay()
    results.push(map(items[index]!, index))
  }
  return results
}

/** `items.toSorted(compare)`, in slices. */
export async function sortInSlices<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<Item[]> {
  if (items.length <= ITEMS_PER_LOOK) return items.toSorted(compare)
  const middle = items.length >>> 1
  const left = await sortInSlices(items.slice(0, middle), compare)
  const right = await sortInSlices(items.slice(middle), compare)
  let [l, r] = [0, 0]
  return mapInSlices(items, () =>
    r === right.length || (l < left.length && compare(left[l]!, right[r]!) <= 0) ? left[l++]! : right[r++]!,
  )
}
