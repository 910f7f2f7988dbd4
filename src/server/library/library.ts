/** A library in memory, the type shared by packing, set operations and sync. Pure functions only. */
import type { ElsewherePlace } from '#shared/entities.ts'

/** One game of a library. All are whole numbers of 32 bits, the appid from 1; `lastPlayed` is seconds since 1970, 0 when never or unknown. */
export type OwnedGame = { appid: number; minutes: number; recentMinutes: number; lastPlayed: number }

/**
 * Columns of equal length, by ascending appid without duplicates. Two libraries are compared by a merge, without
 * creating an object per game.
 */
export type Library = {
  readonly length: number
  readonly appids: Uint32Array
  readonly minutes: Uint32Array
  readonly recentMinutes: Uint32Array
  readonly lastPlayed: Uint32Array
}

/** The columns that operations on several libraries need. */
export type Playtimes = Pick<Library, 'length' | 'appids' | 'minutes'>

/** A library of `length` games with all columns zero, for the caller to fill. */
export function blankLibrary(length: number): Library {
  return {
    length,
    appids: new Uint32Array(length),
    minutes: new Uint32Array(length),
    recentMinutes: new Uint32Array(length),
    lastPlayed: new Uint32Array(length),
  }
}

/** Builds a library from games in any order, each of which is there once. */
export function libraryFrom(games: Iterable<OwnedGame>): Library {
  const sorted = [...games].sort((a, b) => a.appid - b.appid)
  const library = blankLibrary(sorted.length)
  for (const [index, game] of sorted.entries()) {
    library.appids[index] = game.appid
    library.minutes[index] = game.minutes
    library.recentMinutes[index] = game.recentMinutes
    library.lastPlayed[index] = game.lastPlayed
  }
  return library
}

/** Index of a game in a library, or -1. */
export function indexOfGame({ appids }: Playtimes, appid: number): number {
  return indexIn(appids, appid)
}

/** Index of a number among ascending ones, or -1. */
export function indexIn(numbers: Uint32Array, wanted: number): number {
  let low = 0
  let high = numbers.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = numbers[middle]!
    if (found === wanted) return middle
    if (found < wanted) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** A game of a library; undefined when the library does not have it. */
export function findGame(library: Library, appid: number): OwnedGame | undefined {
  const index = indexOfGame(library, appid)
  return index === -1 ? undefined : gameAt(library, index)
}

/** A library without some games; the same object when it has none of them. */
export function withoutGames(library: Library, appids: readonly number[]): Library {
  const removed = new Set(appids.map((appid) => indexOfGame(library, appid)))
  removed.delete(-1)
  if (removed.size === 0) return library
  const without = (column: Uint32Array) => column.filter((_, index) => !removed.has(index))
  return {
    length: library.length - removed.size,
    appids: without(library.appids),
    minutes: without(library.minutes),
    recentMinutes: without(library.recentMinutes),
    lastPlayed: without(library.lastPlayed),
  }
}

/** All games, by ascending appid. */
export function* gamesIn(library: Library): Generator<OwnedGame> {
  for (let index = 0; index < library.length; index++) yield gameAt(library, index)
}

/** Sum of the minutes of all games; exact, also beyond 2^32. */
export function totalMinutes(library: Playtimes): number {
  let total = 0
  for (const minutes of library.minutes) total += minutes
  return total
}

function gameAt(library: Library, index: number): OwnedGame {
  return {
    appid: library.appids[index]!,
    minutes: library.minutes[index]!,
    recentMinutes: library.recentMinutes[index]!,
    lastPlayed: library.lastPlayed[index]!,
  }
}

/** The appids in `people.hidden_appids`, ascending. */
export function hiddenAppids(column: string | null | undefined): readonly number[] {
  return column ? column.split(',').map(Number) : []
}

/** The games in `people.elsewhere` and where they are owned. */
export function elsewhereIn(column: string | null | undefined): ReadonlyMap<number, ElsewherePlace> {
  const games = column ? column.split(',').map((text) => text.split(':')) : []
  return new Map(games.map(([appid, where]) => [Number(appid), where as ElsewherePlace]))
}

/** A library with more games, without playtime; the same object when it has all of them. */
export function withGames(library: Library, appids: Iterable<number>): Library {
  const added = [...appids].filter((appid) => indexOfGame(library, appid) === -1)
  if (added.length === 0) return library
  return libraryFrom([
    ...gamesIn(library),
    ...added.map((appid) => ({ appid, minutes: 0, recentMinutes: 0, lastPlayed: 0 })),
  ])
}
