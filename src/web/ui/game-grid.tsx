/** A grid of game cards with art, virtualised for thousands of games. */
import type { ReactNode } from 'react'
import { messages } from '../messages.ts'
import { ART_RATIO, GameArt } from './game-art.tsx'
import { Name } from './name.tsx'
import { VirtualGrid } from './virtual-grid.tsx'

export type GameFace = { appid: number; name: string; image_url: string | null }

/** 'large' shows the art, 'compact' many games in little room: two beside each other on a phone. */
type Density = 'large' | 'compact'

const LARGE_MIN_PX = 264
const GAP_PX = { large: 20, compact: 14 }
const BODY_PX = { large: 92, compact: 73 }
const ACTION_PX = 54

/** The least width of a compact card, by the width of its list. */
function compactMinWidth(listWidth: number): number {
  return listWidth < 420 ? 140 : listWidth < 700 ? 176 : listWidth < 1200 ? 220 : 250
}

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
  density?: Density
  /** Whether art and name lead to the game's page in the Steam store. */
  storeLink?: boolean
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
  density = 'large',
  storeLink = false,
  label,
}: GameGridProps<Game>) {
  const body = BODY_PX[density] + (action ? ACTION_PX : 0) + (more?.height ?? 0)
  return (
    <VirtualGrid
      items={games}
      keyOf={(game) => game.appid}
      minWidth={density === 'large' ? LARGE_MIN_PX : compactMinWidth}
      gap={GAP_PX[density]}
      heightOf={(width) => Math.round(width / ART_RATIO) + body}
      label={label}
    >
      {(game) => (
        <GameCard
          game={game}
          detail={detail(game)}
          action={action?.(game)}
          selected={game.appid === selected}
          heading={heading}
          density={density}
          storeLink={storeLink}
        >
          {more?.of(game)}
        </GameCard>
      )}
    </VirtualGrid>
  )
}

/** One game: art, name, a line of detail, more below it and an action. Fills its box. */
export function GameCard({
  game,
  detail,
  children,
  action,
  selected = false,
  heading: Heading,
  density,
  storeLink,
}: {
  game: GameFace
  detail: ReactNode
  children?: ReactNode
  action?: ReactNode
  selected?: boolean
  heading: 'h2' | 'h3'
  density: Density
  storeLink: boolean
}) {
  const padding = density === 'large' ? 'px-4 pt-4' : 'px-3 pt-3'
  const face = (
    <>
      <GameArt game={game} />
      <Heading
        className={`min-w-0 font-semibold ${padding} ${density === 'large' ? '' : 'text-sm'}`}
        title={game.name}
      >
        <Name className="line-clamp-1">{game.name}</Name>
      </Heading>
    </>
  )
  return (
    <article
      className={
        'group flex h-full flex-col overflow-hidden rounded-card border bg-surface/85 shadow-card transition ' +
        (selected ? 'border-violet ring-2 ring-violet/60' : 'border-line/70 hover:border-edge/70')
      }
    >
      {storeLink ? (
        <a
          href={`https://store.steampowered.com/app/${game.appid}`}
          target="_blank"
          rel="noopener noreferrer"
          className="block rounded-t-card hover:text-mint-bright focus-visible:-outline-offset-2"
        >
          {face}
          <span className="sr-only"> {messages.gameView.opensStore}</span>
        </a>
      ) : (
        face
      )}
      <div
        className={`flex min-h-0 flex-1 flex-col gap-1 pt-1 ${density === 'large' ? 'px-4 pb-4' : 'px-3 pb-3'}`}
      >
        <p className={`text-soft tabular-nums ${density === 'large' ? 'text-sm' : 'text-xs'}`}>{detail}</p>
        {children}
        {action !== undefined && <div className="mt-auto grid">{action}</div>}
      </div>
    </article>
  )
}
