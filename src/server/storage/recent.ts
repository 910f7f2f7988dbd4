/** A memory with a bound: what was used lately stays. */

/**
 * Keeps entries that weigh between half of `limit` and `limit` together; `weigh` says what one weighs, 1 unless
 * told. Two generations instead of an ordered list: an entry that is used moves to the young one, and when that
 * is full the old one goes; reading costs one look-up on the hot path.
 */
export function createRecent<Key, Value>(limit: number, weigh: (value: Value) => number = () => 1) {
  let young = new Map<Key, Value>()
  let old = new Map<Key, Value>()
  let weight = 0

  const set = (key: Key, value: Value) => {
    const added = weigh(value)
    // One entry may not push out everything else; what it replaces is not true any more.
    if (added > limit / 2) {
      young.delete(key)
      old.delete(key)
      return
    }
    if (weight + added > limit / 2) {
      old = young
      young = new Map()
      weight = 0
    }
    const replaced = young.get(key)
    weight += added - (replaced === undefined ? 0 : weigh(replaced))
    young.set(key, value)
  }

  return {
    set,
    get(key: Key): Value | undefined {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older !== undefined) {
        // Its place among the old would otherwise count twice, and show what was there before.
        old.delete(key)
        set(key, older)
      }
      return older
    },
  }
}
