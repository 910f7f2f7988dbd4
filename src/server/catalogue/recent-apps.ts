/** A bounded memory of apps: what was used lately stays. */

/**
 * Keeps between half of `limit` and `limit` entries. Two generations instead of an ordered list: an entry that is
 * used moves to the young one, and when that is full the old one goes; reading costs one look-up on the hot path.
 */
export function createRecent<Value>(limit: number) {
  let young = new Map<number, Value>()
  let old = new Map<number, Value>()

  const set = (key: number, value: Value) => {
    if (young.size >= limit / 2) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }

  return {
    set,
    get(key: number): Value | undefined {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
  }
}
