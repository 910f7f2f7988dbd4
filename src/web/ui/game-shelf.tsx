/** A grid of games with search, game mode filter and sort. */
import { Search } from 'lucide-react'
import { useDeferredValue, useMemo, type ReactNode } from 'react'
import { messages } from '../messages.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { Select, TextField } from './field.tsx'
import { type GameFace, GameGrid, type GameGridProps } from './game-grid.tsx'
import { type GameView, type GameViewChoices, useGameView } from './game-view.ts'

const text = messages.gameView

/** A {@link GameGrid} of the games that match the search and filters. */
export function GameShelf<Game extends GameFace, Sort extends string, Mode extends string>({
  games,
  choices,
  find,
  searchLabel,
  noMatch,
  narrow = false,
  showCount = false,
  note,
  legend,
  ...grid
}: GameGridProps<Game> & {
  choices: GameViewChoices<Sort, Mode>
  /** The games that a view shows, in its order. Must be a stable function. */
  find: (games: readonly Game[], view: GameView<Sort, Mode>) => readonly Game[]
  /** The label of the search, for screen readers. */
  searchLabel: string
  /** The text when no game matches. */
  noMatch?: string
  /** For a list beside other content, where one row would leave the search too narrow. */
  narrow?: boolean
  /** Whether the number of games is visible, rather than for screen readers only. */
  showCount?: boolean
  /** After the number of games. */
  note?: string
  /** Beside the number of games. */
  legend?: ReactNode
}) {
  const { view, change, showAll } = useGameView(choices)
  const shownView = useDeferredValue(view)
  const shown = useMemo(() => find(games, shownView), [find, games, shownView])
  return (
    <>
      <GameSearch label={searchLabel} choices={choices} view={view} onChange={change} narrow={narrow} />
      <div
        className={showCount ? 'flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1' : 'sr-only'}
      >
        <p role="status" className="text-sm text-soft tabular-nums">
          <span>{text.count(shown.length)}</span>
          {note !== undefined && <span> · {note}</span>}
        </p>
        {legend}
      </div>
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
      className={`grid grid-cols-[minmax(8rem,1fr)_auto] gap-3 max-[24rem]:grid-cols-1 ${narrow ? 'md:max-xl:grid-cols-[1fr_auto_auto] 2xl:grid-cols-[1fr_auto_auto]' : 'md:grid-cols-[1fr_auto_auto]'}`}
    >
      <TextField
        label={label}
        className={`col-span-full ${narrow ? 'md:max-xl:col-span-1 2xl:col-span-1' : 'md:col-span-1'}`}
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
