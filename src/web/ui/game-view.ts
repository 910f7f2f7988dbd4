/** Searching, sorting and filtering a list of games; the view is stored in the query string. */
import { useState } from 'react'
import type { PlayMode } from '#shared/entities.ts'
import { compareNames } from './name.tsx'
import { replaceQueryString } from './query-string.ts'

/** The options of sort and filter with their texts; the first one is the default. */
export type GameViewChoices<Sort extends string, Mode extends string> = {
  sorts: Readonly<Record<Sort, string>>
  modes: Readonly<Record<Mode, string>>
}

export type GameView<Sort extends string = string, Mode extends string = string> = {
  search: string
  sort: Sort
  mode: Mode
}

/** The view in the query string, with functions to change it and to show all games again. */
export function useGameView<Sort extends string, Mode extends string>({
  sorts,
  modes,
}: GameViewChoices<Sort, Mode>) {
  const initial: GameView<Sort, Mode> = { search: '', sort: firstOf(sorts), mode: firstOf(modes) }
  const [view, setView] = useState(() => {
    const params = new URLSearchParams(location.search)
    return {
      search: params.get('search') ?? initial.search,
      sort: choiceIn(sorts, params.get('sort')) ?? initial.sort,
      mode: choiceIn(modes, params.get('mode')) ?? initial.mode,
    }
  })
  const change = (part: Partial<GameView<Sort, Mode>>) => {
    const next = { ...view, ...part }
    setView(next)
    const others = [...new URLSearchParams(location.search)].filter(([name]) => !(name in initial))
    const chosen = Object.entries(next).filter(([name, value]) => value !== initial[name as keyof GameView])
    replaceQueryString([...others, ...chosen])
  }
  return { view, change, showAll: () => change({ search: '', mode: initial.mode }) }
}

function firstOf<Choice extends string>(choices: Readonly<Record<Choice, string>>): Choice {
  return Object.keys(choices)[0] as Choice
}

function choiceIn<Choice extends string>(
  choices: Readonly<Record<Choice, string>>,
  value: string | null,
): Choice | undefined {
  return value !== null && Object.hasOwn(choices, value) ? (value as Choice) : undefined
}

type Viewed = { name: string; modes: readonly PlayMode[] }
/** Compares two games; undefined for the order in which they are given. */
export type Order<Row> = ((a: Row, b: Row) => number) | undefined

export function byName(a: Viewed, b: Viewed): number {
  return compareNames(a.name, b.name)
}

/** Applies a view to a list with these orders (see {@link viewGames}). */
export function viewedBy<Row extends Viewed, Sort extends string>(orders: Record<Sort, Order<Row>>) {
  return (games: readonly Row[], view: GameView<Sort>): Row[] => viewGames(games, view, orders[view.sort])
}

/**
 * The games that a view shows, in its order. The sort is stable, and the given list is not changed.
 * @param isOfMode whether a game has the mode of the view
 */
export function viewGames<Row extends Viewed>(
  games: readonly Row[],
  { search, mode }: Pick<GameView, 'search' | 'mode'>,
  order: Order<Row>,
  isOfMode = (game: Row) => mode === 'any' || game.modes.includes(mode as PlayMode),
): Row[] {
  const wanted = search.trim().toLowerCase()
  const shown = games.filter(
    (game) => isOfMode(game) && (wanted === '' || game.name.toLowerCase().includes(wanted)),
  )
  return order ? shown.sort(order) : shown
}
