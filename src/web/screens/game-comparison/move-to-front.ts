/** The order of the games compared. */
import type { ComparisonEntry } from '#shared/entities.ts'

/** The same games with the one of this appid first, if it is among them. */
export function inFront(games: readonly ComparisonEntry[], appid: number): readonly ComparisonEntry[] {
  const game = games.find((candidate) => candidate.appid === appid)
  return game ? [game, ...games.filter((candidate) => candidate !== game)] : games
}
