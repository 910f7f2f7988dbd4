/**
 * A list of games as tiles with art or as rows, virtualised for thousands of games.
 * Requirements: GPAGE-26.
 */
import { Check, Ellipsis, PencilLine } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { GameKind } from '#shared/entities.ts'
import { gameList as text } from 'virtual:texts'
import { IconButton } from '../forms/button.tsx'
import { ART_RATIO, GameArt } from './game-art.tsx'
import type { GameLayout } from './game-view.ts'
import { Name } from '../people/name.tsx'
import { PlayersMark } from './game-players-mark.tsx'
import { VirtualGrid } from './virtual-grid.tsx'

export type GameFace = {
  appid: number
  name: string
  image_url: string | null
  kind?: GameKind | null
  /** The most people who can play it together; null when unknown. */
  players_max?: number | null
}

/** 'large' shows the art, 'compact' many games in little room: two beside each other on a phone. */
type Density = 'large' | 'compact'

const LARGE_MIN_PX = 264
const GAP_PX = { large: 20, compact: 14 }
/** Below the art; of narrow tiles with two lines of name. */
const BODY_PX = { large: 72, compact: 93 }

/** Rows stand beside each other only where each has room for a long name. */
const ROW_MIN_PX = 576
const ROW_GAP_PX = 6
/** A narrow row has up to two lines of name, and two of its detail and marks. */
const ROW_PX = { narrow: 68, wide: 54 }
const NARROW_ROW_PX = 448

/** The least width of a compact tile, by the width of its list. */
function compactMinWidth(listWidth: number): number {
  return listWidth < 420 ? 140 : listWidth < 700 ? 176 : listWidth < 1200 ? 220 : 250
}

export type GameGridProps<Game> = {
  games: readonly Game[]
  /** Below the name, such as the playtime. */
  detail: (game: Game) => ReactNode
  /** On a tile below the detail; `height` is in px and the same for all games. */
  more?: { height: number; of: (game: Game) => ReactNode }
  /** What can be done with a game: at the end of its row, and on its tile at hover, focus or '…'. */
  actions?: (game: Game) => ReactNode
  /** At the end of each row, in little room. */
  rowAction?: (game: Game) => ReactNode
  /** The appid of the game to highlight. */
  selected?: number
  /** The heading level of the games' names, one below the heading of the list. */
  heading?: 'h2' | 'h3'
  density?: Density
  layout?: GameLayout
  /** Appids of the user's games, which are marked (LIST-6); null while they are not known. */
  owned?: ReadonlySet<number> | null
  /** How many want to play: games for fewer stand out (LIST-10). */
  people?: number
  /** Corrects how many can play a game, from its tile. */
  onPlayers?: (game: Game) => void
  /** Whether games of unknown kind say so (LIST-4). */
  namesUnknownKinds?: boolean
  /** The name of the list, for screen readers. */
  label: string
}

/** A list of games that scrolls with the window. */
export function GameGrid<Game extends GameFace>({
  games,
  detail,
  more,
  actions,
  rowAction,
  selected,
  heading = 'h2',
  density = 'large',
  layout = 'tiles',
  owned,
  people,
  onPlayers,
  namesUnknownKinds = false,
  label,
}: GameGridProps<Game>) {
  const face = (game: Game) => ({
    game,
    detail: detail(game),
    selected: game.appid === selected,
    heading,
    isOwned: owned?.has(game.appid) ?? false,
    kind: kindOf(game, namesUnknownKinds),
    people,
  })
  const list = { items: games, keyOf: ({ appid }: Game) => appid, label }
  if (layout === 'list')
    return (
      <VirtualGrid
        {...list}
        minWidth={ROW_MIN_PX}
        gap={ROW_GAP_PX}
        heightOf={(width) => (width < NARROW_ROW_PX ? ROW_PX.narrow : ROW_PX.wide)}
      >
        {(game) => <GameRow {...face(game)} actions={actions?.(game)} action={rowAction?.(game)} />}
      </VirtualGrid>
    )
  const body = BODY_PX[density] + (more?.height ?? 0)
  return (
    <VirtualGrid
      {...list}
      minWidth={density === 'large' ? LARGE_MIN_PX : compactMinWidth}
      gap={GAP_PX[density]}
      heightOf={(width) => Math.round(width / ART_RATIO) + body}
    >
      {(game) => (
        <GameCard
          {...face(game)}
          actions={actions?.(game)}
          density={density}
          onPlayers={onPlayers && (() => onPlayers(game))}
        >
          {more?.of(game)}
        </GameCard>
      )}
    </VirtualGrid>
  )
}

/** The word for what an app is, unless it is an ordinary game. */
function kindOf({ kind }: GameFace, namesUnknown: boolean): string | undefined {
  if (kind === null || kind === undefined) return namesUnknown ? text.unknownKind : undefined
  return kind === 'game' ? undefined : text.kinds[kind]
}

type FaceProps = {
  game: GameFace
  detail: ReactNode
  selected?: boolean
  heading: 'h2' | 'h3'
  isOwned?: boolean
  kind?: string
  people?: number
  action?: ReactNode
  actions?: ReactNode
}

const frame = (selected: boolean) =>
  'border bg-surface/85 transition ' +
  (selected ? 'border-violet ring-2 ring-violet/60' : 'border-line/70 hover:border-edge/70')

/** One game as a tile: art and name, which lead to its page, a line of detail, more below it and an action. Fills its box. */
export function GameCard({
  game,
  detail,
  children,
  action,
  actions,
  selected = false,
  heading: Heading,
  density,
  isOwned = false,
  kind = kindOf(game, false),
  people,
  onPlayers,
}: FaceProps & { children?: ReactNode; density: Density; onPlayers?: () => void }) {
  const padding =
    (density === 'large' ? 'px-4 pt-3' : 'px-3 pt-3') + (actions === undefined ? '' : ' pointer-coarse:pr-12')
  return (
    <article
      className={`group relative flex h-full flex-col overflow-hidden rounded-card shadow-card ${frame(selected)}`}
    >
      <Link
        to={`/games/${game.appid}`}
        className="block rounded-t-card hover:text-mint-bright focus-visible:-outline-offset-2"
      >
        <GameArt game={game} />
        <Heading
          className={`min-w-0 font-semibold ${padding} ${density === 'large' ? '' : 'text-sm'} ${onPlayers ? 'pointer-coarse:pr-10' : ''}`}
          title={game.name}
        >
          <Name className={density === 'large' ? 'block truncate' : 'line-clamp-2'}>{game.name}</Name>
        </Heading>
      </Link>
      <div
        className={`relative flex min-h-0 flex-1 flex-col gap-1 pt-1 ${density === 'large' ? 'px-4 pb-3' : 'px-3 pb-3'}`}
      >
        {/* What has no room beside the detail is left out whole. */}
        <p
          className={`flex flex-wrap gap-x-1 overflow-hidden text-soft tabular-nums ${density === 'large' ? 'h-5 text-sm' : 'h-4 text-xs'}`}
        >
          <span>{detail}</span>
          {typeof game.players_max === 'number' && (
            <span className="whitespace-nowrap">
              · <PlayersMark game={game} people={people} isPlain />
            </span>
          )}
        </p>
        {children}
        {action !== undefined && <div className="mt-auto grid">{action}</div>}
      </div>
      {/* Over the art at hover and focus; beside the name for fingers, which have neither. */}
      {onPlayers && (
        <div className="pointer-events-none absolute inset-x-0 top-0 aspect-[460/215]">
          <IconButton
            label={`${text.change}: ${game.name}`}
            aria-haspopup="dialog"
            onClick={onPlayers}
            className="pointer-events-auto absolute! right-1 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-fine:bottom-1 pointer-fine:bg-surface pointer-coarse:top-full pointer-coarse:opacity-100 [&_svg]:size-4!"
          >
            <PencilLine aria-hidden />
          </IconButton>
        </div>
      )}
      {actions !== undefined && <TileActions game={game}>{actions}</TileActions>}
      <div className="pointer-events-none absolute top-2 left-2 flex max-w-[calc(100%-1rem)] flex-wrap gap-1.5 empty:hidden">
        <Marks kind={kind} isOwned={isOwned} />
      </div>
    </article>
  )
}

/** Over the lower edge of the art; behind '…' where nothing can hover. */
function TileActions({ game, children }: { game: GameFace; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="pointer-events-none absolute inset-x-0 top-0">
      {/* As tall as the art. */}
      <div className="flex aspect-[460/215] items-end">
        <div
          className={
            'flex w-full bg-deep/95 transition group-focus-within:opacity-100 group-hover:opacity-100 ' +
            (isOpen ? 'pointer-events-auto' : 'opacity-0 pointer-fine:pointer-events-auto')
          }
        >
          {children}
        </div>
      </div>
      <IconButton
        label={text.actions({ game: game.name })}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="pointer-events-auto absolute! right-1 top-full mt-3.5 pointer-fine:hidden"
      >
        <Ellipsis aria-hidden />
      </IconButton>
    </div>
  )
}

/** One game as a row: small art, name, marks, detail and an action. Fills its box. */
function GameRow({
  game,
  detail,
  action,
  actions,
  selected = false,
  heading: Heading,
  isOwned = false,
  kind,
  people,
}: FaceProps) {
  return (
    <article
      className={`@container relative flex h-full items-center overflow-hidden rounded-control ${frame(selected)}`}
    >
      <Link
        to={`/games/${game.appid}`}
        className="flex h-full min-w-0 flex-1 items-center gap-3 rounded-control px-2 hover:text-mint-bright focus-visible:-outline-offset-2"
      >
        <GameArt game={game} className="w-20 rounded-chip" />
        <div
          className={
            'flex h-full min-w-0 flex-1 flex-col gap-x-3 @3xl:flex-row @3xl:items-center ' +
            (actions === undefined
              ? 'justify-center'
              : '@max-md:justify-between @max-md:py-1 @md:justify-center')
          }
        >
          <Heading className="min-w-0 text-sm leading-tight font-semibold @3xl:flex-1" title={game.name}>
            <Name className="line-clamp-2 @md:line-clamp-1">{game.name}</Name>
          </Heading>
          {/* Nothing in it is cut: marks without room beside the detail go below it. */}
          <div className="flex min-w-0 items-center gap-x-2 @max-md:flex-wrap">
            <div className="max-w-full shrink-0 text-xs text-soft whitespace-nowrap tabular-nums @3xl:order-last @3xl:min-w-24 @3xl:text-right @3xl:text-sm">
              {detail}
            </div>
            <Marks kind={kind} isOwned={isOwned} inRow />
            <PlayersMark game={game} people={people} />
          </div>
        </div>
      </Link>
      {actions !== undefined && (
        <div className="flex shrink-0 pr-1 @max-md:absolute @max-md:right-0 @max-md:bottom-0">{actions}</div>
      )}
      {action !== undefined && <div className="shrink-0 pr-1">{action}</div>}
    </article>
  )
}

/** What an app is, if it is no ordinary game, and that the user owns it too; in a row that is only a tick. */
function Marks({
  kind,
  isOwned,
  inRow = false,
}: {
  kind: string | undefined
  isOwned: boolean
  inRow?: boolean
}) {
  const look =
    'inline-flex h-6 shrink-0 items-center gap-1 rounded-chip bg-deep/90 px-1.5 text-xs font-semibold whitespace-nowrap '
  return (
    <>
      {kind !== undefined && <span className={`${look} text-amber`}>{kind}</span>}
      {isOwned && (
        <span className={`${look} text-mint`} title={inRow ? text.owned : undefined}>
          <Check aria-hidden className="size-3.5" strokeWidth={3} />
          <span className={inRow ? 'sr-only' : ''}>{text.owned}</span>
        </span>
      )}
    </>
  )
}
