/** The lists of compared games (COMP-7, COMP-8). */
import type { ComparisonEntry } from '#shared/entities.ts'

/** The games that only I own, both own, or only the friend owns (COMP-8). */
export type Part = 'mine' | 'both' | 'theirs'

/** The games with the one of this appid first, if it is among them. */
export function moveToFront(games: readonly ComparisonEntry[], appid: number): readonly ComparisonEntry[] {
  const game = games.find((candidate) => candidate.appid === appid)
  return game ? [game, ...games.filter((candidate) => candidate !== game)] : games
}

/** The games of one library that another one lacks, in their order. */
export function missingIn<Game extends { appid: number }>(
  other: readonly { appid: number }[],
  games: readonly Game[],
): Game[] {
  const owned = new Set(other.map(({ appid }) => appid))
  return games.filter(({ appid }) => !owned.has(appid))
}
