/** The order of names, found once for each name: comparing text as people sort it costs more than the rest of a list. */

/** Names that are kept; the whole store has fewer than this. */
const NAMES_KEPT = 250_000

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** Gives names numbers that sort as the names do; names that sort alike have the same number. */
export function createNameOrder(): (name: string) => number {
  let ranks = new Map<string, number>()
  /** One name for each rank, in their order. */
  let sorted: string[] = []

  /** Where a name stands, or belongs, among the sorted ones. */
  function placeOf(name: string): number {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (collator.compare(sorted[middle]!, name) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  function numberAnew(): void {
    const renumbered = new Map(sorted.map((name, index) => [name, index]))
    for (const name of ranks.keys()) if (!renumbered.has(name)) renumbered.set(name, placeOf(name))
    ranks = renumbered
  }

  return function rankOf(name) {
    const known = ranks.get(name)
    if (known !== undefined) return known
    if (ranks.size >= NAMES_KEPT) {
      ranks = new Map()
      sorted = []
    }
    const place = placeOf(name)
    const next = sorted[place]
    if (next !== undefined && collator.compare(next, name) === 0) {
      const alike = ranks.get(next)!
      ranks.set(name, alike)
      return alike
    }
    const below = place === 0 ? undefined : ranks.get(sorted[place - 1]!)!
    const above = next === undefined ? undefined : ranks.get(next)!
    const rank =
      below === undefined ? (above ?? 1) - 1 : above === undefined ? below + 1 : (below + above) / 2
    sorted.splice(place, 0, name)
    ranks.set(name, rank)
    // Between two neighbours there is room for some fifty names; then all get whole numbers again.
    if (rank === below || rank === above) numberAnew()
    return ranks.get(name)!
  }
}
