/** Searching, filtering and sorting a group's common games. */
import type { SharedGame } from '#shared/entities.ts'
import { playableTogether } from '../../data/common-games.ts'
import type { messages } from '../../messages.ts'

export type CommonGamesView = {
  search: string
  sort: keyof typeof messages.group.sorts
  /** 'together': any way of playing with others. */
  mode: keyof typeof messages.group.modes
}

export const initialView: CommonGamesView = { search: '', sort: 'hours', mode: 'any' }

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

const orders: Record<CommonGamesView['sort'], (a: SharedGame, b: SharedGame) => number> = {
  hours: (a, b) => b.total_playtime - a.total_playtime,
  even: (a, b) => players(b) - players(a) || b.total_playtime - a.total_playtime,
  alphabetical: (a, b) => byName.compare(a.name, b.name),
}

/** The games that a view shows, in its order; equals keep the order they came in. The list given stays as it is. */
export function shownGames(
  games: readonly SharedGame[],
  { search, sort, mode }: CommonGamesView,
): SharedGame[] {
  const wanted = search.trim().toLowerCase()
  return ofMode(games, mode)
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort(orders[sort])
}

function ofMode(games: readonly SharedGame[], mode: CommonGamesView['mode']): readonly SharedGame[] {
  if (mode === 'any') return games
  return mode === 'together' ? playableTogether(games) : games.filter(({ modes }) => modes.includes(mode))
}

/** How many members have played it at all. */
function players({ playtimes }: SharedGame): number {
  return Object.values(playtimes).filter((minutes) => minutes > 0).length
}
