/**
 * Names in the order of lists, as numbers: a list sorts what is equally long played by name, and comparing two names
 * as people read them takes as long as writing a game down.
 */

/** The order of lists: 'half-life 2' before 'Half-Life 10'. */
const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** The place of a name among all that were asked for; it moves when room runs out between two, their order never. */
export type NamePlace = { readonly name: string; rank: number }

/** The order of all names one server has met, which are about as many as there are apps. */
export function createNameOrder() {
  const places: NamePlace[] = []

  /** Where a name stands, or would. */
  function indexOf(name: string): number {
    let low = 0
    let high = places.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (collator.compare(places[middle]!.name, name) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    /** The place of a name; names that lists do not tell apart ('DOOM', 'Doom') share one. */
    placeOf(name: string): NamePlace {
      const index = indexOf(name)
      const found = places[index]
      if (found && collator.compare(found.name, name) === 0) return found
      const below = places[index - 1]?.rank ?? 0
      const above = found?.rank ?? below + 2
      const place: NamePlace = { name, rank: (below + above) / 2 }
      places.splice(index, 0, place)
      // Halved some fifty times over, a gap is none any more.
      if (place.rank <= below || place.rank >= above)
        for (let next = 0; next < places.length; next++) places[next]!.rank = next + 1
      return place
    },
  }
}
