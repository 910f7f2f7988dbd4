/** A grid of game cards with large art, virtualised for thousands of games. */
import type { ReactNode } from 'react'
import { ART_RATIO, GameArt } from './game-art.tsx'
import { Name } from './name.tsx'
import { VirtualGrid } from './virtual-grid.tsx'

export type GameFace = { appid: number; name: string; image_url: string | null }

const CARD_MIN_PX = 264
const GAP_PX = 20
const BODY_PX = { plain: 92, withAction: 146 }

export type GameGridProps<Game> = {
  games: readonly Game[]
  /** Below the name, such as the playtime. */
  detail: (game: Game) => ReactNode
  /** Below the detail; `height` is in px and the same for all games. */
  more?: { height: number; of: (game: Game) => ReactNode }
  /** A button at the bottom of each card. */
  action?: (game: Game) => ReactNode
  /** The appid of the game to highlight. */
  selected?: number
  /** The heading level of the games' names, one below the heading of the list. */
  heading?: 'h2' | 'h3'
  /** The name of the list, for screen readers. */
  label: string
}

/** A list of game cards that scrolls with the window. */
export function GameGrid<Game extends GameFace>({
  games,
  detail,
  more,
  action,
  selected,
  heading = 'h2',
  label,
}: GameGridProps<Game>) {
  const body = (action ? BODY_PX.withAction : BODY_PX.plain) + (more?.height ?? 0)
  return (
    <VirtualGrid
      items={games}
      keyOf={(game) => game.appid}
      minWidth={CARD_MIN_PX}
      gap={GAP_PX}
      heightOf={(width) => Math.round(width / ART_RATIO) + body}
      label={label}
    >
      {(game) => (
        <GameCard
          game={game}
          detail={detail(game)}
          more={more?.of(game)}
          action={action?.(game)}
          selected={game.appid === selected}
          heading={heading}
        />
      )}
    </VirtualGrid>
  )
}

/** One game: art, name, a line of detail and an action. Fills its box. */
function GameCard({
  game,
  detail,
  more,
  action,
  selected,
  heading: Heading,
}: {
  game: GameFace
  detail: ReactNode
  more?: ReactNode
  action?: ReactNode
  selected: boolean
  heading: 'h2' | 'h3'
}) {
  return (
    <article
      className={
        'group flex h-full flex-col overflow-hidden rounded-card border bg-surface/85 shadow-card transition ' +
        (selected ? 'border-violet ring-2 ring-violet/60' : 'border-line/70 hover:border-edge/70')
      }
    >
      <GameArt game={game} />
      <div className="flex min-h-0 flex-1 flex-col gap-1 p-4">
        <Heading className="min-w-0 font-semibold" title={game.name}>
          <Name className="line-clamp-1">{game.name}</Name>
        </Heading>
        <p className="text-sm text-soft tabular-nums">{detail}</p>
        {more}
        {action !== undefined && <div className="mt-auto grid">{action}</div>}
      </div>
    </article>
  )
}
