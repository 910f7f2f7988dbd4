/** A list of games with search, filters, sort and layout, all of them in the query string (LIST-1). */
import { Search } from 'lucide-react'
import { useDeferredValue, useId, useMemo, type ReactNode } from 'react'
import { messages } from '../messages.ts'
import { gameList as text } from '../more-messages.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { GameFilters } from './game-filters.tsx'
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
} from './game-view.ts'
import { notesOn } from './found-notes.ts'
import { useQueryView } from './query-string.ts'

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
  const noMatchText = noMatch ?? messages.gameView.noMatch
  const showAll = <Button onClick={() => change(NO_FILTER)}>{messages.gameView.showAll}</Button>
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
        <span>{messages.gameView.count({ games: found.games.length })}</span>
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
