/**
 * What several libraries have in common and add up to. Libraries are sorted by appid, so everything here is a
 * merge; sums are exact beyond 2^32.
 */
import { indexOfGame, type Library, type Playtimes } from './library.ts'
import { MinutesTable } from './minutes-table.ts'

/** Games both own, with both figures in minutes; largest sum first, ties by appid (API-12). */
export function compareLibraries(
  mine: Playtimes,
  theirs: Playtimes,
): { appid: number; mine: number; theirs: number }[] {
  const common: { appid: number; mine: number; theirs: number }[] = []
  let a = 0
  let b = 0
  while (a < mine.length && b < theirs.length) {
    const appid = mine.appids[a]!
    const other = theirs.appids[b]!
    if (appid < other) a++
    else if (appid > other) b++
    else common.push({ appid, mine: mine.minutes[a++]!, theirs: theirs.minutes[b++]! })
  }
  return common.sort((x, y) => y.mine + y.theirs - (x.mine + x.theirs) || x.appid - y.appid)
}

export type SharedMinutes = {
  appid: number
  total: number
  /** In the order of the libraries that were given. */
  minutes: number[]
}

/**
 * Games that every library holds, largest total first, ties by appid. Walks the smallest library and lets the
 * others follow, so it costs as much as all libraries are long together. No library: nothing is shared.
 */
export function sharedGames(libraries: Iterable<Playtimes>): SharedMinutes[] {
  const { walk, shared } = intersection([...libraries])
  walk(Infinity)
  return shared.sort(byTotal)
}

/** Entries that are walked past between two yields: a millisecond or two. */
const WALKED_AT_ONCE = 50_000

/** As {@link sharedGames}, yielding now and then: a hundred large libraries take long. */
export function* sharedGamesInSteps(libraries: Iterable<Playtimes>): Generator<void, SharedMinutes[]> {
  const { walk, shared } = intersection([...libraries])
  while (!walk(WALKED_AT_ONCE)) yield
  return shared.sort(byTotal)
}

/** `walk` walks past about so many entries and says whether all is done; then `shared` has the games, by appid. */
function intersection(all: readonly Playtimes[]): {
  walk: (most: number) => boolean
  shared: SharedMinutes[]
} {
  const shared: SharedMinutes[] = []
  const [first] = all
  if (!first) return { walk: () => true, shared }
  const smallest = all.reduce((least, library) => (library.length < least.length ? library : least), first)
  const cursors = new Uint32Array(all.length)
  let next = 0

  function walk(most: number): boolean {
    let walked = 0
    for (; next < smallest.length; next++) {
      if (walked > most) return false
      const appid = smallest.appids[next]!
      const minutes: number[] = []
      for (let index = 0; index < all.length; index++) {
        const library = all[index]!
        const before = cursors[index]!
        let cursor = before
        while (cursor < library.length && library.appids[cursor]! < appid) cursor++
        cursors[index] = cursor
        walked += cursor - before
        if (library.appids[cursor] !== appid) break
        minutes.push(library.minutes[cursor]!)
      }
      if (minutes.length === all.length) shared.push({ appid, total: sum(minutes), minutes })
    }
    return true
  }
  return { walk, shared }
}

type Total = { appid: number; total: number }

function byTotal(x: Total, y: Total): number {
  return y.total - x.total || x.appid - y.appid
}

/**
 * Games with the largest sum of minutes over all libraries, at most `limit`, ties by appid; games nobody played
 * are no top games, and `excludedAppid` is left out.
 */
export function topGames(
  libraries: Iterable<Playtimes>,
  { limit, excludedAppid }: { limit: number; excludedAppid?: number },
): { appid: number; total: number }[] {
  if (limit < 1) return []
  try {
    for (const library of libraries) totals.add(library)
    const top: Total[] = []
    totals.forEach((appid, total) => {
      if (appid === excludedAppid) return
      const last = top.length === limit ? top.at(-1)! : undefined
      if (last && (total < last.total || (total === last.total && appid > last.appid))) return
      if (last) top.pop()
      top.push({ appid, total })
      top.sort(byTotal)
    })
    return top
  } finally {
    totals.clear()
  }
}

/** Serves one call after another, and is empty between them. */
const totals = new MinutesTable()

/** Who owns a game, never-played included; most played first, ties by id (API-18). */
export function ownersOf<Person extends { steam_id: string }>(
  libraries: Iterable<{ person: Person; library: Playtimes }>,
  appid: number,
): { person: Person; minutes: number }[] {
  const owners: { person: Person; minutes: number }[] = []
  for (const { person, library } of libraries) {
    const index = indexOfGame(library, appid)
    if (index !== -1) owners.push({ person, minutes: library.minutes[index]! })
  }
  return owners.sort((x, y) => y.minutes - x.minutes || (x.person.steam_id < y.person.steam_id ? -1 : 1))
}

export type LibraryDifference = {
  added: number[]
  removed: number[]
  /** Games with minutes now that had none before, new or long owned. */
  started: { appid: number; minutes: number }[]
}

/** What changed between two readings. A first reading is no news: everything is as it was found. */
export function diffLibraries(before: Library | undefined, after: Library): LibraryDifference {
  const difference: LibraryDifference = { added: [], removed: [], started: [] }
  if (!before) return difference
  let a = 0
  let b = 0
  while (a < before.length || b < after.length) {
    const old = before.appids[a] ?? Infinity
    const now = after.appids[b] ?? Infinity
    if (old < now) {
      difference.removed.push(old)
      a++
      continue
    }
    const hadMinutes = old === now ? before.minutes[a]! : 0
    if (now < old) difference.added.push(now)
    else a++
    const minutes = after.minutes[b++]!
    if (minutes > 0 && hadMinutes === 0) difference.started.push({ appid: now, minutes })
  }
  return difference
}

function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}
