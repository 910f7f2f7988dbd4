/** A memory with a bound: what was used lately stays. */

/**
 * Keeps entries that weigh between half of `limit` and `limit` together; `weigh` says what one weighs, its key
 * included, 1 unless told. Two generations instead of an ordered list: an entry that is used moves to the young one, and when that
 * is full the old one goes; reading costs one look-up on the hot path.
 */
export function createRecent<Key, Value>(limit: number, weigh: (value: Value, key: Key) => number = () => 1) {
  type Entry = { value: Value; weight: number }
  let young = new Map<Key, Entry>()
  let old = new Map<Key, Entry>()
  let total = 0

  function add(key: Key, entry: Entry): void {
    if (total + entry.weight > limit / 2) {
      old = young
      young = new Map()
      total = 0
    }
    total += entry.weight - (young.get(key)?.weight ?? 0)
    young.set(key, entry)
  }

  return {
    /** Keeps a value, or weighs it anew. */
    set(key: Key, value: Value): void {
      const weight = weigh(value, key)
      if (weight <= limit / 2) return add(key, { value, weight })
      // One entry may not push out everything else; what it replaces is not true any more.
      total -= young.get(key)?.weight ?? 0
      young.delete(key)
      old.delete(key)
    },
    get(key: Key): Value | undefined {
      const entry = young.get(key)
      if (entry !== undefined) return entry.value
      const older = old.get(key)
      if (older === undefined) return undefined
      // Its place among the old would otherwise show later what was there before.
      old.delete(key)
      add(key, older)
      return older.value
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
