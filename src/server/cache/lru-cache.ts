/** A cache of bounded size that evicts the least recently used entries. */

/** Share of the limit that is evicted at a time. */
const EVICTED_SHARE = 1 / 16

/**
 * Holds entries that weigh up to `limit` together. `weigh` gives the weight of an entry with its key, 1 by default; it
 * must not change while the entry is stored. When there is no room, a sixteenth of the limit is evicted, and `onEvict` called
 * with that.
 *
 * There are two generations instead of an ordered list, so that most hits cost one lookup. From half of the limit on, the
 * young generation becomes the old one as soon as that is empty. An entry of the old generation that is read moves to
 * the young one; those that were not read since are evicted.
 */
export function createLruCache<Key, Value extends object | string>(
  limit: number,
  weigh: (value: Value, key: Key) => number = () => 1,
  onEvict: (evicted: Iterable<Value>) => void = () => {},
) {
  // Values are stored without a wrapper object, because some are read a hundred times in one request.
  let young = new Map<Key, Value>()
  let old = new Map<Key, Value>()
  /** Where the eviction of the old generation is: looking for its first entry each time would pass all deleted ones. */
  let nextOld = old.entries()
  let total = 0

  function remove(key: Key): void {
    const value = young.get(key) ?? old.get(key)
    if (value === undefined) return
    total -= weigh(value, key)
    young.delete(key)
    old.delete(key)
  }

  function startGeneration(): void {
    old = young
    nextOld = old.entries()
    young = new Map()
  }

  function makeRoom(): void {
    const evicted: Value[] = []
    while (total > limit * (1 - EVICTED_SHARE)) {
      const { done, value: entry } = nextOld.next()
      if (done) {
        if (young.size === 0) break
        startGeneration()
        // Those of the new generation are evicted next time, unless they are read until then.
        if (total <= limit) break
        continue
      }
      const [key, value] = entry
      old.delete(key)
      total -= weigh(value, key)
      evicted.push(value)
    }
    onEvict(evicted)
  }

  return {
    /** Stores a value. */
    set(key: Key, value: Value): void {
      remove(key)
      const weight = weigh(value, key)
      // One entry must not evict all others; the value it replaces is out of date.
      if (weight > limit / 2) return
      total += weight
      young.set(key, value)
      if (old.size === 0 && total > limit / 2) startGeneration()
      if (total > limit) makeRoom()
    },
    get(key: Key): Value | undefined {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older === undefined) return undefined
      old.delete(key)
      young.set(key, older)
      return older
    },
    delete: remove,
    clear(): void {
      young = new Map()
      old = new Map()
      nextOld = old.entries()
      total = 0
    },
  }
}
