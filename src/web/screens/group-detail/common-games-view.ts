/** Searching, filtering and sorting a group's common games. */
import type { SharedGame } from '#shared/entities.ts'
import { isPlayableTogether } from '#shared/playable.ts'
import { messages } from '../../messages.ts'
import { byName, type GameView, type Order, viewGames } from '../../ui/game-view.ts'

const { sorts, modes } = messages.group
/** 'together' is any way of playing with others. */
export const choices = { sorts, modes }

/** Games come with the largest total first. */
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

/** How many members have played it at all. */
function players({ playtimes }: SharedGame): number {
  return Object.values(playtimes).filter((minutes) => minutes > 0).length
}
