/** A list of games with search, filters, sort and layout, all of them in the query string (LIST-1). */
import { Search } from 'lucide-react'
import { useDeferredValue, useId, useMemo, type ReactNode } from 'react'
import { messages } from '../messages.ts'
import { gameList as text } from '../messages/lists.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { GameFilters } from './game-filters.tsx'
import { type GameFace, GameGrid, type GameGridProps } from './game-grid.tsx'
import {
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
  searchLabel,
  noMatch,
  note,
  legend,
  ...grid
}: Omit<GameGridProps<Game>, 'layout' | 'namesUnknownKinds'> & {
  /** Must be stable, and so must `owned`, which also is a filter where it is given. */
  sorts: Sorts<Game, Sort>
  /** The label of the search, for screen readers. */
  searchLabel: string
  /** The text when no game matches. */
  noMatch?: string
  /** After the number of games. */
  note?: string
  /** Beside the number of games. */
  legend?: ReactNode
}) {
  const canBeOwned = owned !== undefined
  const params = useMemo(() => viewParams(sorts, canBeOwned), [sorts, canBeOwned])
  const [view, change] = useQueryView<GameView<Sort>>(params)
  const shownView = useDeferredValue(view)
  // Apart from the search: sorting thousands of names takes longer than a key may.
  const sorted = useMemo(() => inOrder(games, sorts[shownView.sort].order), [games, sorts, shownView.sort])
  const { search, mode, kind, own } = shownView
  const found = useMemo(
    () => findGames(sorted, { search, mode, kind, own }, owned),
    [sorted, search, mode, kind, own, owned],
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
      namesUnknownKinds={kind === 'games'}
    />
  )
  return (
    <>
      <GameFilters label={searchLabel} sorts={texts} view={view} onChange={change} owned={owned} />
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p role="status" className="text-sm text-soft tabular-nums">
          <span>{messages.gameView.count(found.games.length)}</span>
          {[...notesOn(found), note].map((one) => one !== undefined && <span key={one}> · {one}</span>)}
        </p>
        {legend}
      </div>
      {found.games.length > 0 ? (
        gridOf(found.games, grid.label)
      ) : found.unknownModes.length > 0 ? (
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
        <UnknownModes heading={grid.heading}>{(label) => gridOf(found.unknownModes, label)}</UnknownModes>
      )}
    </>
  )
}

/** The games of which it is not known whether they match the mode (LIST-3). */
function UnknownModes({
  heading: Heading = 'h2',
  children,
}: {
  heading?: 'h2' | 'h3'
  children: (label: string) => ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-4 border-t border-line/60 pt-5">
      <div>
        <Heading id={id} className="font-semibold tracking-tight">
          {text.unknownModes}
        </Heading>
        <p className="text-sm text-soft">{text.unknownModesHint}</p>
      </div>
      {children(text.unknownModes)}
    </section>
  )
}
