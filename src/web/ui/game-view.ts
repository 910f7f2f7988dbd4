/** Searching, sorting and filtering a list of games; the choice stands in the address, so that it is there on return. */
import { useState } from 'react'
import type { Game, PlayMode } from '#shared/entities.ts'
import { writeIntoAddress } from './address.ts'

const sorts = ['playtime', 'alphabetical', 'recent', 'least'] as const
const modes = ['any', 'single', 'multi', 'coop', 'online', 'local', 'mmo'] as const satisfies (
  PlayMode | 'any'
)[]

export type GameView = {
  search: string
  sort: (typeof sorts)[number]
  mode: (typeof modes)[number]
}

const initial: GameView = { search: '', sort: 'playtime', mode: 'any' }
const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** The view of this address and how to change a part of it. */
export function useGameView(): [GameView, (part: Partial<GameView>) => void] {
  const [view, setView] = useState<GameView>(() => {
    const params = new URLSearchParams(location.search)
    return {
      search: params.get('search') ?? initial.search,
      sort: sorts.find((sort) => sort === params.get('sort')) ?? initial.sort,
      mode: modes.find((mode) => mode === params.get('mode')) ?? initial.mode,
    }
  })
  return [
    view,
    (part) => {
      const next = { ...view, ...part }
      setView(next)
      writeIntoAddress(
        Object.entries(next).filter(([name, value]) => value !== initial[name as keyof GameView]),
      )
    },
  ]
}

/** The games that a view shows, in its order. `games` come most played first. */
export function viewGames(games: readonly Game[], { search, sort, mode }: GameView): Game[] {
  const wanted = search.trim().toLowerCase()
  const shown = games.filter(
    (game) =>
      (mode === 'any' || game.modes.includes(mode)) &&
      (wanted === '' || game.name.toLowerCase().includes(wanted)),
  )
  if (sort === 'alphabetical') return shown.sort((a, b) => byName.compare(a.name, b.name))
  if (sort === 'recent')
    return shown.sort((a, b) => (b.last_played_at ?? '').localeCompare(a.last_played_at ?? ''))
  return sort === 'least' ? shown.reverse() : shown
}
