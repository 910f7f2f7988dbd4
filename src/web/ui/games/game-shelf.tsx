/** A list of games with search, filters, sort and layout, all of them in the address (LIST-1, LIST-4, LIST-5, LIST-9). */
import { Search, SlidersHorizontal } from 'lucide-react'
import { useDeferredValue, useId, useMemo, type ReactNode, useState } from 'react'
import { gameList as text, gameView } from 'virtual:texts'
import { Button } from '../forms/button.tsx'
import { EmptyState } from '../frames/loaded.tsx'
import { type GameFace, GameGrid, type GameGridProps } from './game-grid.tsx'
import {
  activeFilters,
  findGames,
  type GameView,
  inOrder,
  type ListedGame,
  NO_FILTER,
  type Order,
  viewParams,
  byName,
  type Found,
} from './game-view.ts'
import { useQueryView } from '../query-string.ts'
import type { Game } from '#shared/entities.ts'
import { Select, TextField } from '../forms/field.tsx'
import { Segmented } from '../forms/segmented.tsx'
import { Toggle } from '../forms/toggle.tsx'
import { formatList } from '../../format.ts'

/** The sorts of a list with their texts, of which the first is the default, and how each compares two games. */
export type Sorts<Row, Sort extends string> = Readonly<Record<Sort, { text: string; order: Order<Row> }>>

/** A {@link GameGrid} of the games that match the search and filters. */
export function GameShelf<Game extends GameFace & ListedGame, Sort extends string>({
  games,
  sorts,
  owned,
  people,
  searchLabel,
  noMatch,
  note,
  filtersFrom = 0,
  ...grid
}: Omit<GameGridProps<Game>, 'layout' | 'namesUnknownKinds'> & {
  /** Must be stable, and so must `owned`, which also is a filter where it is given. */
  sorts: Sorts<Game, Sort>
  /** How many want to play: games for fewer stand below the others (LIST-10). Without it that does not count. */
  people?: number
  /** The label of the search, for screen readers. */
  searchLabel: string
  /** The text when no game matches. */
  noMatch?: string
  /** After the number of games. */
  note?: string
  /** With fewer games there are no filters, unless one is set. */
  filtersFrom?: number
}) {
  const canBeOwned = owned !== undefined
  const isForPeople = people !== undefined
  const isCompact = grid.density === 'compact'
  const params = useMemo(
    () => viewParams(sorts, { owned: canBeOwned, people: isForPeople, isCompact }),
    [sorts, canBeOwned, isForPeople, isCompact],
  )
  const [view, change] = useQueryView<GameView<Sort>>(params)
  const shownView = useDeferredValue(view)
  // Apart from the search: sorting thousands of names takes longer than a key may.
  const sorted = useMemo(() => inOrder(games, sorts[shownView.sort].order), [games, sorts, shownView.sort])
  const { search, mode, kind, own, fits } = shownView
  const found = useMemo(
    () => findGames(sorted, { search, mode, kind, own, fits }, { owned, people }),
    [sorted, search, mode, kind, own, fits, owned, people],
  )
  const texts = Object.fromEntries(
    Object.entries<{ text: string }>(sorts).map(([sort, { text }]) => [sort, text]),
  ) as Record<Sort, string>
  const noMatchText = noMatch ?? gameView.noMatch
  const showAll = <Button onClick={() => change(NO_FILTER)}>{gameView.showAll}</Button>
  const gridOf = (list: readonly Game[], label: string) => (
    <GameGrid
      {...grid}
      games={list}
      label={label}
      layout={shownView.view}
      owned={owned}
      people={people}
      namesUnknownKinds={kind === 'games'}
    />
  )
  return (
    <>
      {(games.length >= filtersFrom || search !== '' || activeFilters(view) > 0) && (
        <GameFilters
          label={searchLabel}
          count={games.length}
          sorts={texts}
          view={view}
          onChange={change}
          owned={owned}
          people={people}
        />
      )}
      <p role="status" className="text-sm text-soft tabular-nums">
        <span>{gameView.count({ games: found.games.length })}</span>
        {[...notesOn(found, people), note].map((one) => one !== undefined && <span key={one}> · {one}</span>)}
      </p>
      {found.games.length > 0 ? (
        gridOf(found.games, grid.label)
      ) : found.unknownModes.length + found.tooSmall.length > 0 ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-soft">
          <p>{noMatchText}</p>
          {showAll}
        </div>
      ) : (
        <EmptyState icon={<Search />} action={showAll}>
          {noMatchText}
        </EmptyState>
      )}
      {found.unknownModes.length > 0 && (
        <Below heading={grid.heading} title={text.unknownModes} hint={text.unknownModesHint}>
          {gridOf(found.unknownModes, text.unknownModes)}
        </Below>
      )}
      {isForPeople && found.tooSmall.length > 0 && (
        <Below heading={grid.heading} title={text.tooSmall({ people })} hint={text.tooSmallHint}>
          {gridOf(found.tooSmall, text.tooSmall({ people }))}
        </Below>
      )}
    </>
  )
}

/** Games that stand below the others: it is not known whether they match the mode, or too few can play (LIST-3, LIST-10). */
function Below({
  heading: Heading = 'h2',
  title,
  hint,
  children,
}: {
  heading?: 'h2' | 'h3'
  title: string
  hint: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-4 border-t border-line/60 pt-5">
      <div>
        <Heading id={id} className="font-semibold tracking-tight">
          {title}
        </Heading>
        <p className="text-sm text-soft">{hint}</p>
      </div>
      {children}
    </section>
  )
}

const sortTexts = gameView.sorts

/** Those of FGAM-5 come first. Games come most played first. */
export const librarySorts: Sorts<Game, keyof typeof sortTexts> = {
  playtime: { text: sortTexts.playtime, order: undefined },
  alphabetical: { text: sortTexts.alphabetical, order: byName },
  recent: {
    text: sortTexts.recent,
    order: (a, b) => (b.last_played_at ?? '').localeCompare(a.last_played_at ?? ''),
  },
  least: { text: sortTexts.least, order: (a, b) => a.playtime_minutes - b.playtime_minutes },
}

const { playtime, alphabetical, least } = librarySorts
/** Where Steam does not say when the games were last played. */
export const undatedSorts: Sorts<Game, Exclude<keyof typeof sortTexts, 'recent'>> = {
  playtime,
  alphabetical,
  least,
}

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
        label={gameView.sortLabel}
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
          label={gameView.modeLabel}
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

/** @param people how many want to play, where that counts */
export function notesOn(
  { unknownModes, tooSmall, leftOut, unknownKinds }: Found<unknown>,
  people = 0,
): string[] {
  return [
    ...(unknownModes.length > 0 ? [text.unknownModesBelow({ games: unknownModes.length })] : []),
    ...(tooSmall.length > 0 ? [text.tooSmallBelow({ games: tooSmall.length, people })] : []),
    ...(Object.keys(leftOut).length > 0 ? [text.leftOut({ kinds: kindsText(leftOut) })] : []),
    ...(unknownKinds > 0 ? [text.unknownKinds({ games: unknownKinds })] : []),
  ]
}

function kindsText(leftOut: Found<unknown>['leftOut']): string {
  const kinds = Object.keys(text.kindCounts) as (keyof typeof text.kindCounts)[]
  const parts = kinds.flatMap((kind) =>
    leftOut[kind] ? [text.kindCounts[kind]({ apps: leftOut[kind] })] : [],
  )
  return formatList(parts, 'unit')
}
