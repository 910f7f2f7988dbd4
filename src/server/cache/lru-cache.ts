/** A cache of bounded size that evicts the least recently used entries. */

/**
 * Holds entries that weigh between half of `limit` and `limit` together. `weigh` gives the weight of an entry with its
 * key, 1 by default; `onEvict` is called with the older half when that is evicted. There are two generations instead of an
 * ordered list: an entry that is read moves to the young one, and when that is full the old one is dropped. A hit
 * therefore costs one lookup.
 */
export function createLruCache<Key, Value extends object | string>(
  limit: number,
  weigh: (value: Value, key: Key) => number = () => 1,
  onEvict: (evicted: Iterable<Value>) => void = () => {},
) {
  // Values are stored without a wrapper object, because some are read a hundred times in one request.
  let young = new Map<Key, Value>()
  let old = new Map<Key, Value>()
  let total = 0

  function add(key: Key, value: Value, weight: number): void {
    if (total + weight > limit / 2) {
      const evicted = old
      old = young
      young = new Map()
      total = 0
      onEvict(evicted.values())
    }
    deleteYoung(key)
    total += weight
    young.set(key, value)
  }

  function deleteYoung(key: Key): void {
    const before = young.get(key)
    if (before === undefined) return
    total -= weigh(before, key)
    young.delete(key)
  }

  return {
    /** Stores a value. Its weight must not change while it is stored. */
    set(key: Key, value: Value): void {
      const weight = weigh(value, key)
      if (weight <= limit / 2) return add(key, value, weight)
      // One entry must not evict all others; the value it replaces is out of date.
      this.delete(key)
    },
    get(key: Key): Value | undefined {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older === undefined) return undefined
      // Removed from the old generation, so that a stale value cannot resurface.
      old.delete(key)
      add(key, older, weigh(older, key))
      return older
    },
    delete(key: Key): void {
      deleteYoung(key)
      old.delete(key)
    },
    clear(): void {
      young = new Map()
      old = new Map()
      total = 0
    },
  }
}

/**
 * A copy of bytes that shares no memory with others. Node cuts small buffers out of slabs of 64 kB: a cached body of a
 * hundred bytes would keep a whole slab alive.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  own.set(bytes)
  return own
}
