/** How much libraries have in common, and how alike two players' playing time is. */
import { totalMinutes, type Playtimes } from './library.ts'

export type Overlap = {
  /** Games that both own. */
  common: number
  /** Those of them that neither has played. */
  playedByNeither: number
  /**
   * The part of their playing time that both players spend on the same games, in whole percent: of each game the
   * smaller of its two shares in all their minutes (API-47). Null when either has never played.
   */
  alike: number | null
}

/** The overlap of two libraries. */
export function overlapOf(mine: Playtimes, theirs: Playtimes): Overlap {
  return overlap(mine, totalMinutes(mine), theirs)
}

/** The overlap of one library with each of the others, in their order; yields after each. */
export function* overlapsInSteps(mine: Playtimes, others: readonly Playtimes[]): Generator<void, Overlap[]> {
  const total = totalMinutes(mine)
  const found: Overlap[] = []
  for (const theirs of others) {
    found.push(overlap(mine, total, theirs))
    yield
  }
  return found
}

function overlap(mine: Playtimes, myTotal: number, theirs: Playtimes): Overlap {
  const theirTotal = totalMinutes(theirs)
  // Compared as products, which are exact but for the very largest.
  const product = myTotal * theirTotal
  let common = 0
  let playedByNeither = 0
  let alike = 0
  forEachCommon(mine, theirs, (minutes, other) => {
    common++
    if (minutes === 0 && other === 0) playedByNeither++
    alike += Math.min(minutes * theirTotal, other * myTotal)
  })
  return { common, playedByNeither, alike: product === 0 ? null : Math.round((100 * alike) / product) }
}

/**
 * The number of common games of every two libraries, as a symmetric matrix whose diagonal has each library's own games.
 * Takes time linear in the number of games times the number of libraries; yields after each pair.
 */
export function* commonGamesInSteps(libraries: readonly Playtimes[]): Generator<void, number[][]> {
  const matrix = libraries.map(() => new Array<number>(libraries.length).fill(0))
  for (const [row, library] of libraries.entries()) {
    matrix[row]![row] = library.length
    for (let column = row + 1; column < libraries.length; column++) {
      const common = countCommon(library, libraries[column]!)
      matrix[row]![column] = common
      matrix[column]![row] = common
      yield
    }
  }
  return matrix
}

/** Branches in this loop take three times as long, because the processor cannot predict which library is ahead. */
function countCommon(a: Playtimes, b: Playtimes): number {
  const [ones, others] = [a.appids, b.appids]
  const [lastOne, lastOther] = [a.length, b.length]
  let common = 0
  for (let i = 0, j = 0; i < lastOne && j < lastOther;) {
    const one = ones[i]!
    const other = others[j]!
    common += Number(one === other)
    i += Number(one <= other)
    j += Number(other <= one)
  }
  return common
}

/** Calls `visit` with the minutes of each game that both libraries have, by appid. */
function forEachCommon(
  a: Playtimes,
  b: Playtimes,
  visit: (minutes: number, otherMinutes: number) => void,
): void {
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const one = a.appids[i]!
    const other = b.appids[j]!
    if (one === other) visit(a.minutes[i]!, b.minutes[j]!)
    i += Number(one <= other)
    j += Number(other <= one)
  }
}
