/** What stands above a list of games: a search, a filter by ways to play, and its order. */
import { Search } from 'lucide-react'
import { messages } from '../messages.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { Select, TextField } from './field.tsx'
import type { GameView, GameViewChoices } from './game-view.ts'

const text = messages.gameView

/**
 * @param label of the search, for screen readers
 * @param choices what can be sorted by and filtered to
 * @param narrow where something stands beside the list at large sizes, and a row of three would leave the search too little
 */
export function GameSearch<Sort extends string, Mode extends string>({
  label,
  choices,
  view,
  onChange,
  narrow = false,
}: {
  label: string
  choices: GameViewChoices<Sort, Mode>
  view: GameView<Sort, Mode>
  onChange: (part: Partial<GameView<Sort, Mode>>) => void
  narrow?: boolean
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

/** Nothing is left of a list; one press shows all of it. */
export function NoMatch({
  children = text.noMatch,
  onShowAll,
}: {
  children?: string
  onShowAll: () => void
}) {
  return (
    <EmptyState icon={<Search />} action={<Button onClick={onShowAll}>{text.showAll}</Button>}>
      {children}
    </EmptyState>
  )
}
