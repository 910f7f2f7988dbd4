/** Search, sort, filters and layout of a list of games; the filters and the layout fold into one button (LIST-5). */
import { Search, SlidersHorizontal } from 'lucide-react'
import { useId, useState } from 'react'
import { messages } from '../messages.ts'
import { gameList as text } from '../more-messages.ts'
import { Button } from './button.tsx'
import { Select, TextField } from './field.tsx'
import { activeFilters, type GameView } from './game-view.ts'
import { Segmented } from './segmented.tsx'
import { Toggle } from './toggle.tsx'

/**
 * @param label of the search, which says whose games are searched
 * @param people how many want to play, to filter by; without it there is no such filter
 * @param owned appids of the user's games, to filter by; null while they are not known. Without it there is no such filter
 */
export function GameFilters<Sort extends string>({
  label,
  count,
  sorts,
  view,
  onChange,
  owned,
  people,
}: {
  label: string
  /** How many games are searched, of which some may not be rendered. */
  count?: number
  sorts: Readonly<Record<Sort, string>>
  view: GameView<Sort>
  onChange: (part: Partial<GameView<Sort>>) => void
  owned?: ReadonlySet<number> | null
  people?: number
}) {
  const [isOpen, setOpen] = useState(false)
  const panel = useId()
  const active = activeFilters(view)
  return (
    <div
      role="search"
      className="flex flex-wrap items-center gap-3"
      onKeyDown={({ key, target, currentTarget }) => {
        // In the search it clears what is typed.
        if (key !== 'Escape' || !isOpen || (target as HTMLInputElement).type === 'search') return
        setOpen(false)
        currentTarget.querySelector<HTMLElement>('[aria-expanded]')?.focus()
      }}
    >
      <TextField
        label={label}
        className="min-w-0 grow basis-full sm:basis-48"
        hideLabel
        type="search"
        placeholder={text.searchPlaceholder({ label })}
        title={count === undefined ? undefined : text.searchHint({ games: count })}
        icon={<Search />}
        value={view.search}
        onChange={(event) => onChange({ search: event.target.value })}
      />
      <Select
        label={messages.gameView.sortLabel}
        hideLabel
        // At least as wide as its longest option: the button beside it moves to the next line instead.
        className="grow basis-36 sm:min-w-max sm:grow-0 sm:basis-auto"
        options={sorts}
        value={view.sort}
        onChange={(sort) => onChange({ sort })}
      />
      <Button
        className="px-3!"
        icon={<SlidersHorizontal aria-hidden className="max-[24rem]:hidden" />}
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={() => setOpen(!isOpen)}
      >
        {active === 0 ? text.filters : text.activeFilters({ active })}
      </Button>
      <div id={panel} className={`${isOpen ? 'flex' : 'hidden'} basis-full flex-wrap items-center gap-3`}>
        <Select
          label={messages.gameView.modeLabel}
          hideLabel
          className="min-w-0 basis-full md:max-w-52 md:grow md:basis-40"
          options={text.modes}
          value={view.mode}
          onChange={(mode) => onChange({ mode })}
        />
        <Toggle
          checked={view.kind === 'games'}
          onChange={(checked) => onChange({ kind: checked ? 'games' : 'any' })}
        >
          {text.gamesOnly}
        </Toggle>
        {people !== undefined && (
          <Toggle
            checked={view.fits === 'yes'}
            onChange={(checked) => onChange({ fits: checked ? 'yes' : 'no' })}
          >
            {text.fits({ people })}
          </Toggle>
        )}
        {owned !== undefined && (
          <Toggle
            checked={view.own === 'mine'}
            disabled={owned === null}
            title={owned === null ? text.ownedUnknown : undefined}
            onChange={(checked) => onChange({ own: checked ? 'mine' : 'any' })}
          >
            {text.owned}
          </Toggle>
        )}
        <div className="md:ml-auto">
          <Segmented
            legend={text.layout}
            options={text.layouts}
            value={view.view}
            onChange={(layout) => onChange({ view: layout })}
          />
        </div>
      </div>
    </div>
  )
}
