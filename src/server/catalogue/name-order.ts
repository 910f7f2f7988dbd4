/**
 * Names in the order of lists, as numbers: a list sorts what is equally long played by name, and comparing two names
 * as people read them takes as long as writing a game down.
 */

/** The order of lists: 'half-life 2' before 'Half-Life 10'. */
const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** The rank of a name among all names met so far. Values may be spread again; their order never changes. */
export type NameRank = { readonly name: string; value: number }

/** The order of all names one server has met, which are about as many as there are apps. */
export function createNameOrder() {
  const ranks: NameRank[] = []

  /** Where a name stands, or would. */
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
    /** The rank of a name; names that lists do not tell apart ('DOOM', 'Doom') share one. */
    rankOf(name: string): NameRank {
      const index = indexOf(name)
      const found = ranks[index]
      if (found && collator.compare(found.name, name) === 0) return found
      const below = ranks[index - 1]?.value ?? 0
      const above = found?.value ?? below + 2
      const rank: NameRank = { name, value: (below + above) / 2 }
      ranks.splice(index, 0, rank)
      // A gap that was halved some fifty times is too small for a number between.
      if (rank.value <= below || rank.value >= above)
        for (let next = 0; next < ranks.length; next++) ranks[next]!.value = next + 1
      return rank
    },
  }
}
