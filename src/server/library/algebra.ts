/**
 * Set operations on libraries: intersections, sums and differences. Libraries are sorted by appid, so most of them are
 * merges. Sums are exact, also beyond 2^32.
 */
import { indexOfGame, type Playtimes } from './library.ts'
import { inSlices, sortInSlices } from './slices.ts'

export type SharedMinutes = {
  appid: number
  total: number
  /** Minutes per library, in the order of the libraries. */
  minutes: number[]
}

/**
 * Games that are in every library, largest total first, ties by appid; none when there are no libraries. In slices,
 * because a hundred large libraries take long.
 */
export async function sharedGames(libraries: Iterable<Playtimes>): Promise<SharedMinutes[]> {
  const shared = await inSlices(gamesLackedBy([...libraries], { least: 0, most: 0 }))
  return (await sortInSlices(shared, byTotal)) as SharedMinutes[]
}

export type NearMiss = {
  appid: number
  total: number
  /** Minutes per library, in the order of the libraries; undefined where the game is missing. */
  minutes: (number | undefined)[]
  missing: number
}

/**
 * Games that one to `maxMissing` of the libraries lack, but not more than have them: fewest missing first, then largest total,
 * ties by appid. In slices.
 */
export async function nearMisses(libraries: Iterable<Playtimes>, maxMissing: number): Promise<NearMiss[]> {
  const all = [...libraries]
  const found = await inSlices(gamesLackedBy(all, { least: 1, most: mostLacking(all, maxMissing) }))
  return sortInSlices(found, (x, y) => x.missing - y.missing || byTotal(x, y))
}

/** Common games of the libraries (`missing` is 0) and near misses, by appid; yields regularly. */
export const commonAndNearInSteps = (libraries: readonly Playtimes[], maxMissing: number) =>
  gamesLackedBy(libraries, { least: 0, most: mostLacking(libraries, maxMissing) })

const mostLacking = ({ length }: readonly unknown[], maxMissing: number) =>
  Math.min(maxMissing, Math.floor(length / 2))

/** Entries compared between two yields, which takes a millisecond or two. */
const ENTRIES_PER_STEP = 5000

/** Games that `least` to `most` of the libraries lack, by appid: a merge, which yields between its steps. */
function* gamesLackedBy(
  all: readonly Playtimes[],
  { least, most }: { least: number; most: number },
): Generator<void, NearMiss[]> {
  if (most < least) return []
  // A game that `most` libraries lack is in one of any `most + 1` of them: the smallest have the fewest games.
  const smallest = all.toSorted((a, b) => a.length - b.length).slice(0, most + 1)
  const found: NearMiss[] = []
  const cursors = new Uint32Array(all.length)
  let passed = 0
  for (const appid of ascending(smallest)) {
    const minutes: (number | undefined)[] = []
    let total = 0
    let missing = 0
    for (let index = 0; index < all.length; index++) {
      const library = all[index]!
      let cursor = cursors[index]!
      while (cursor < library.length && library.appids[cursor]! < appid) cursor++
      passed += cursor - cursors[index]!
      cursors[index] = cursor
      const isOwned = library.appids[cursor] === appid
      if (!isOwned && ++missing > most) break
      minutes.push(isOwned ? library.minutes[cursor] : undefined)
      if (isOwned) total += library.minutes[cursor]!
    }
    if (missing >= least && missing <= most) found.push({ appid, total, minutes, missing })
    if (passed > ENTRIES_PER_STEP) {
      yield
      passed = 0
    }
  }
  return found
}

/** All appids of a few libraries, ascending. */
function* ascending(libraries: readonly Playtimes[]): Generator<number> {
  const cursors = libraries.map(() => 0)
  for (;;) {
    const next = Math.min(...libraries.map(({ appids }, nth) => appids[cursors[nth]!] ?? Infinity))
    if (next === Infinity) return
    for (const [nth, { appids }] of libraries.entries()) if (appids[cursors[nth]!] === next) cursors[nth]!++
    yield next
  }
}

type Total = { appid: number; total: number }

function byTotal(x: Total, y: Total): number {
  return y.total - x.total || x.appid - y.appid
}

/** How many games both libraries have. */
export function countCommon(a: Playtimes, b: Playtimes): number {
  let common = 0
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [one, other] = [a.appids[i]!, b.appids[j]!]
    // Branches in this loop take three times as long, because the processor cannot predict which library is ahead.
    common += Number(one === other)
    i += Number(one <= other)
    j += Number(other <= one)
  }
  return common
}

/**
 * At most `limit` games with the largest sum of minutes over all libraries, ties by appid. Games without playtime and
 * `excludedAppid` are left out.
 */
export function topGames(
  libraries: readonly Playtimes[],
  { limit, excludedAppid }: { limit: number; excludedAppid?: number },
): { appid: number; total: number }[] {
  const others = new Map<number, number>()
  for (const { length, appids, minutes } of libraries)
    for (let index = 0; index < length; index++) {
      const appid = appids[index]!
      const added = minutes[index]!
      if (appid < sums.length) sums[appid]! += added
      else others.set(appid, (others.get(appid) ?? 0) + added)
    }
  const top: Total[] = []
  // What a game must reach once the list is full; nearly all games fall short of it.
  let least = 1
  const add = (appid: number, total: number) => {
    if (total < least || appid === excludedAppid) return
    top.push({ appid, total })
    top.sort(byTotal)
    top.length = Math.min(top.length, limit)
    if (top.length === limit) least = top.at(-1)?.total ?? Infinity
  }
  for (const { length, appids } of libraries)
    for (let index = 0; index < length; index++) {
      const appid = appids[index]!
      if (appid >= sums.length) continue
      add(appid, sums[appid]!)
      sums[appid] = 0
    }
  for (const [appid, total] of others) add(appid, total)
  return top
}
/**
 * Sums by appid, all zero between calls. An array takes half the time of a map; only the few appids beyond its end go to
 * one.
 */
const sums = new Float64Array(2 ** 22)

/** Players who own a game, with or without playtime; most played first, ties by steam id (API-18). */
export function ownersOf<Player extends { steam_id: string }>(
  libraries: Iterable<{ player: Player; library: Playtimes }>,
  appid: number,
): { player: Player; minutes: number }[] {
  const owners: { player: Player; minutes: number }[] = []
  for (const { player, library } of libraries) {
    const index = indexOfGame(library, appid)
    if (index !== -1) owners.push({ player, minutes: library.minutes[index]! })
  }
  return owners.sort((x, y) => y.minutes - x.minutes || (x.player.steam_id < y.player.steam_id ? -1 : 1))
}
