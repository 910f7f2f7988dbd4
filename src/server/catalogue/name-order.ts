/**
 * Ranks of game names, so that lists sort by name by comparing numbers: comparing two names with a collator takes as
 * long as serialising a game.
 */

/** Ignores case and compares digits as numbers: 'half-life 2' before 'Half-Life 10'. */
const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** Rank of a name among all names added so far. Values may be renumbered; their order never changes. */
export type NameRank = { readonly name: string; value: number }

/** Ranks of all names that one server has seen, about as many as there are apps. */
export function createNameOrder() {
  const ranks: NameRank[] = []

  /** Index of a name in `ranks`, or the index to insert it at. */
  function indexOf(name: string): number {
    let low = 0
    let high = ranks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (collator.compare(ranks[middle]!.name, name) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    /** Rank of a name; names that compare as equal ('DOOM', 'Doom') share one. */
    rankOf(name: string): NameRank {
      const index = indexOf(name)
      const found = ranks[index]
      if (found && collator.compare(found.name, name) === 0) return found
      const below = ranks[index - 1]?.value ?? 0
      const above = found?.value ?? below + 2
      const rank: NameRank = { name, value: (below + above) / 2 }
      ranks.splice(index, 0, rank)
      // After about fifty halvings the gap is too small for another number, so renumber all ranks.
      if (rank.value <= below || rank.value >= above)
        for (let next = 0; next < ranks.length; next++) ranks[next]!.value = next + 1
      return rank
    },
  }
}
