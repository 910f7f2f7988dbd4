/** The order of compared games (COMP-7). */
import type { ComparisonEntry } from '#shared/entities.ts'

/** The games with the one of this appid first, if it is among them. */
export function moveToFront(games: readonly ComparisonEntry[], appid: number): readonly ComparisonEntry[] {
  const game = games.find((candidate) => candidate.appid === appid)
  return game ? [game, ...games.filter((candidate) => candidate !== game)] : games
}
