/**
 * What several libraries have in common and add up to. Libraries are sorted by appid, so everything here is a
 * merge; sums are exact beyond 2^32.
 */
import { indexOfGame, type Library, type Playtimes } from './library.ts'

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

function byTotal(x: SharedMinutes, y: SharedMinutes): number {
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
    for (const library of libraries) addPlayed(library)
    const top: { appid: number; total: number }[] = []
    for (let taken = 0; taken < totals.used; taken++) {
      const slot = totals.taken[taken]!
      const appid = totals.appids[slot]!
      const total = totals.sums[slot]!
      if (appid === excludedAppid) continue
      const last = top.length === limit ? top.at(-1)! : undefined
      if (last && (total < last.total || (total === last.total && appid > last.appid))) continue
      if (last) top.pop()
      top.push({ appid, total })
      top.sort((x, y) => y.total - x.total || x.appid - y.appid)
    }
    return top
  } finally {
    clearTotals()
  }
}

/**
 * Sums by appid, in slots found by hashing: a Map costs three times as much over a hundred libraries. `taken` lists the
 * slots in use, so that one table serves every call: a new one each time, looked through as a whole, cost a sixth more.
 */
type Totals = { appids: Uint32Array; sums: Float64Array; taken: Uint32Array; used: number }

/** Slots of the table, a power of two; it grows when half of them are taken. */
const SLOTS = 8192

let totals = blankTotals(SLOTS)

function blankTotals(slots: number): Totals {
  // No game has the appid 0: it marks a free slot.
  return {
    appids: new Uint32Array(slots),
    sums: new Float64Array(slots),
    taken: new Uint32Array(slots / 2),
    used: 0,
  }
}

function addPlayed({ length, appids: owned, minutes }: Playtimes): void {
  // What a library could add at most is made room for before, so that the table does not change on the way.
  while (totals.used + length > totals.taken.length) grow()
  const { appids, sums, taken } = totals
  let { used } = totals
  const mask = appids.length - 1
  for (let index = 0; index < length; index++) {
    const played = minutes[index]!
    if (played === 0) continue
    const appid = owned[index]!
    const slot = slotOf(appids, mask, appid)
    if (appids[slot] === 0) {
      appids[slot] = appid
      taken[used++] = slot
    }
    sums[slot]! += played
  }
  totals.used = used
}

/** Where an appid stands, or would. */
function slotOf(appids: Uint32Array, mask: number, appid: number): number {
  // Appids are multiples of ten; the multiplication spreads them.
  let slot = (Math.imul(appid, 0x9e3779b1) >>> 12) & mask
  for (;;) {
    const found = appids[slot]!
    if (found === appid || found === 0) return slot
    slot = (slot + 1) & mask
  }
}

function grow(): void {
  const { appids, sums, taken, used } = totals
  totals = blankTotals(2 * appids.length)
  for (let index = 0; index < used; index++) {
    const appid = appids[taken[index]!]!
    const slot = slotOf(totals.appids, totals.appids.length - 1, appid)
    totals.appids[slot] = appid
    totals.sums[slot] = sums[taken[index]!]!
    totals.taken[totals.used++] = slot
  }
}

function clearTotals(): void {
  if (totals.appids.length > SLOTS) {
    totals = blankTotals(SLOTS)
    return
  }
  const { appids, sums, taken, used } = totals
  for (let index = 0; index < used; index++) appids[taken[index]!] = sums[taken[index]!] = 0
  totals.used = 0
}

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
