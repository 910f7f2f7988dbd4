/** Searching, filtering and sorting a group's common games. */
import type { SharedGame } from '#shared/entities.ts'
import { isPlayableTogether } from '#shared/playable.ts'
import { messages } from '../../messages.ts'
import { byName, type GameView, type Order, viewGames } from '../../ui/game-view.ts'

const { sorts, modes } = messages.group
/** The mode 'together' includes every multiplayer mode. */
export const choices = { sorts, modes }

/** The response is sorted by total hours, largest first. */
const orders: Record<keyof typeof sorts, Order<SharedGame>> = {
  hours: undefined,
  even: (a, b) => players(b) - players(a),
  alphabetical: byName,
}

/** The games that a view shows, in its order. */
export function shownGames(
  games: readonly SharedGame[],
  view: GameView<keyof typeof sorts, keyof typeof modes>,
): SharedGame[] {
  return view.mode === 'together'
    ? viewGames(games, view, orders[view.sort], isPlayableTogether)
    : viewGames(games, view, orders[view.sort])
}

/** The number of members who have played a game. */
function players({ playtimes }: SharedGame): number {
  return Object.values(playtimes).filter((minutes) => minutes > 0).length
}
