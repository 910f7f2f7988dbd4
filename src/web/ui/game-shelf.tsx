/** Games as cards under a search, a filter by ways to play, and an order. */
import { Search } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import { messages } from '../messages.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { Select, TextField } from './field.tsx'
import { type GameFace, GameGrid, type GameGridProps } from './game-grid.tsx'
import { type GameView, type GameViewChoices, useGameView } from './game-view.ts'

const text = messages.gameView

/** What a reader can do to find games in a list, and what the list shows of each ({@link GameGrid}). */
export function GameShelf<Game extends GameFace, Sort extends string, Mode extends string>({
  games,
  choices,
  find,
  searchLabel,
  noMatch,
  narrow = false,
  saysCount = false,
  ...grid
}: GameGridProps<Game> & {
  choices: GameViewChoices<Sort, Mode>
  /** The games that a view shows, in its order; the same function as long as it finds the same. */
  find: (games: readonly Game[], view: GameView<Sort, Mode>) => readonly Game[]
  /** Of the search, for screen readers. */
  searchLabel: string
  /** Where no game is left. */
  noMatch?: string
  /** Where something stands beside the list at large sizes, and a row of three would leave the search too little. */
  narrow?: boolean
  /** Whether everybody is told how many games there are, or screen readers alone. */
  saysCount?: boolean
}) {
  const { view, change, showAll } = useGameView(choices)
  const shownView = useDeferredValue(view)
  const shown = useMemo(() => find(games, shownView), [find, games, shownView])
  return (
    <>
      <GameSearch label={searchLabel} choices={choices} view={view} onChange={change} narrow={narrow} />
      <p role="status" className={saysCount ? 'text-sm text-soft tabular-nums' : 'sr-only'}>
        {text.count(shown.length)}
      </p>
      {shown.length === 0 ? (
        <EmptyState icon={<Search />} action={<Button onClick={showAll}>{text.showAll}</Button>}>
          {noMatch ?? text.noMatch}
        </EmptyState>
      ) : (
        <GameGrid games={shown} {...grid} />
      )}
    </>
  )
}

function GameSearch<Sort extends string, Mode extends string>({
  label,
  choices,
  view,
  onChange,
  narrow,
}: {
  label: string
  choices: GameViewChoices<Sort, Mode>
  view: GameView<Sort, Mode>
  onChange: (part: Partial<GameView<Sort, Mode>>) => void
  narrow: boolean
}) {
  return (
    <div
      role="search"
      className={`grid grid-cols-[minmax(0,1fr)_auto] gap-3 ${narrow ? 'md:max-xl:grid-cols-[1fr_auto_auto] 2xl:grid-cols-[1fr_auto_auto]' : 'md:grid-cols-[1fr_auto_auto]'}`}
    >
      <TextField
        label={label}
        className={`col-span-2 ${narrow ? 'md:max-xl:col-span-1 2xl:col-span-1' : 'md:col-span-1'}`}
        hideLabel
        type="search"
        placeholder={messages.myGames.searchPlaceholder}
        icon={<Search />}
        value={view.search}
        onChange={(event) => onChange({ search: event.target.value })}
      />
      <Select
        label={text.modeLabel}
        hideLabel
        options={choices.modes}
        value={view.mode}
        onChange={(mode) => onChange({ mode })}
      />
      <Select
        label={text.sortLabel}
        hideLabel
        options={choices.sorts}
        value={view.sort}
        onChange={(sort) => onChange({ sort })}
      />
    </div>
  )
}
