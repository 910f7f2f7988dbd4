/** Games as cards with large art, thousands of them: only what is near the window is drawn. */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { ART_RATIO, GameArt } from './game-art.tsx'
import { Name } from './name.tsx'

export type GameFace = { appid: number; name: string; image_url: string | null }

const CARD_MIN_PX = 264
const GAP_PX = 20
const BODY_PX = { plain: 92, withAction: 146 }
const ROWS_BEYOND = 3

/**
 * A list of game cards, scrolled by the window. All rows have one height, known beforehand, so that the page is as
 * tall at once as it will be and a returning visitor finds their place.
 * @param detail below the name, such as the playtime
 * @param action a button at the foot of each card
 */
export function GameGrid<Game extends GameFace>({
  games,
  detail,
  action,
  label,
}: {
  games: readonly Game[]
  detail: (game: Game) => ReactNode
  action?: (game: Game) => ReactNode
  /** What the list is, for screen readers. */
  label: string
}) {
  const list = useRef<HTMLUListElement>(null)
  const [{ width, top }, setPlace] = useState({ width: 0, top: 0 })
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const measure = () =>
      setPlace({ width: element.clientWidth, top: element.getBoundingClientRect().top + window.scrollY })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // What stands above may grow or shrink and move the list.
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])

  const columns = Math.max(1, Math.floor((width + GAP_PX) / (CARD_MIN_PX + GAP_PX)))
  const cardWidth = (width - GAP_PX * (columns - 1)) / columns
  const cardHeight = Math.round(cardWidth / ART_RATIO) + (action ? BODY_PX.withAction : BODY_PX.plain)
  // A new shape of cards makes every stored height wrong: the height is part of the key.
  const rows = useWindowVirtualizer({
    count: width === 0 ? 0 : Math.ceil(games.length / columns),
    estimateSize: () => cardHeight,
    gap: GAP_PX,
    overscan: ROWS_BEYOND,
    scrollMargin: top,
    getItemKey: useCallback((row: number) => `${row}:${cardHeight}`, [cardHeight]),
  })

  return (
    <ul ref={list} aria-label={label} className="relative" style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().flatMap((row) =>
        games.slice(row.index * columns, (row.index + 1) * columns).map((game, column) => (
          <li
            key={game.appid}
            aria-setsize={games.length}
            aria-posinset={row.index * columns + column + 1}
            className="absolute top-0 left-0"
            style={{
              width: cardWidth,
              height: cardHeight,
              transform: `translate(${column * (cardWidth + GAP_PX)}px, ${row.start - top}px)`,
            }}
          >
            <GameCard game={game} detail={detail(game)} action={action?.(game)} />
          </li>
        )),
      )}
    </ul>
  )
}

/** One game: art, name, a line of detail, and what can be done with it. Fills its box. */
export function GameCard({
  game,
  detail,
  action,
}: {
  game: GameFace
  detail: ReactNode
  action?: ReactNode
}) {
  return (
    <article className="group flex h-full flex-col overflow-hidden rounded-card border border-line/70 bg-surface/85 shadow-card transition hover:border-edge/70">
      <GameArt game={game} />
      <div className="flex min-h-0 flex-1 flex-col gap-1 p-4">
        <h2 className="min-w-0 font-semibold" title={game.name}>
          <Name className="line-clamp-1">{game.name}</Name>
        </h2>
        <p className="text-sm text-soft tabular-nums">{detail}</p>
        {action !== undefined && <div className="mt-auto grid">{action}</div>}
      </div>
    </article>
  )
}
