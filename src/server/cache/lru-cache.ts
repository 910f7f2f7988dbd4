/** A memory with a bound: what was used lately stays. */

/**
 * Keeps entries that weigh between half of `limit` and `limit` together; `weigh` says what one weighs, its key
 * included, 1 unless told. `letGo` is told when the older half goes. Two generations instead of an ordered list: an entry that is used moves to the young one, and when that
 * is full the old one goes; reading costs one look-up on the hot path.
 */
export function createLruCache<Key, Value extends object | string>(
  limit: number,
  weigh: (value: Value, key: Key) => number = () => 1,
  letGo: () => void = () => {},
) {
  // Values alone: what is asked for a hundred times a request is not to lie behind another object.
  let young = new Map<Key, Value>()
  let old = new Map<Key, Value>()
  let total = 0

  function add(key: Key, value: Value, weight: number): void {
    if (total + weight > limit / 2) {
      old = young
      young = new Map()
      total = 0
      letGo()
    }
    forgetYoung(key)
    total += weight
    young.set(key, value)
  }

  function forgetYoung(key: Key): void {
    const before = young.get(key)
    if (before === undefined) return
    total -= weigh(before, key)
    young.delete(key)
  }

  return {
    /** Keeps a value, which must not come to weigh another amount while it is kept. */
    set(key: Key, value: Value): void {
      const weight = weigh(value, key)
      if (weight <= limit / 2) return add(key, value, weight)
      // One entry may not push out everything else; what it replaces is not true any more.
      this.delete(key)
    },
    get(key: Key): Value | undefined {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older === undefined) return undefined
      // Its place among the old would otherwise show later what was there before.
      old.delete(key)
      add(key, older, weigh(older, key))
      return older
    },
    delete(key: Key): void {
      forgetYoung(key)
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
 * Bytes in memory of their own, for whoever keeps them. Node cuts small buffers out of slabs of 64 kB: a kept answer
 * of a hundred bytes would hold on to a whole slab, and be weighed as a hundred bytes.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  own.set(bytes)
  return own
}
