/** The loading placeholder of a list of games (LOOK-4). */
import { layoutOf } from './game-view.ts'
import { Loading, Skeleton } from '../frames/skeletons.tsx'

/** Game cards, or rows where the list has those; `plain` ones have no button, `compact` ones stand in pairs on a phone. */
export function GameGridSkeleton({
  cards = 6,
  text,
  plain = false,
  compact = false,
}: {
  cards?: number
  text?: string
  plain?: boolean
  compact?: boolean
}) {
  if (!compact && layoutOf(location.search) === 'list')
    return (
      <Loading text={text}>
        <div className="grid gap-1.5">
          {Array.from({ length: 2 * cards }, (_, row) => (
            <div
              key={row}
              className="flex h-17 items-center gap-3 rounded-control border border-line/60 bg-surface/60 px-2"
            >
              <Skeleton className="aspect-[460/215] w-20" />
              <Skeleton className="h-4 w-2/5" />
            </div>
          ))}
        </div>
      </Loading>
    )
  return (
    <Loading text={text}>
      <div
        className={
          compact
            ? 'grid grid-cols-[repeat(auto-fill,minmax(140px,1fr))] gap-3.5 sm:grid-cols-[repeat(auto-fill,minmax(176px,1fr))]'
            : 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-5'
        }
      >
        {Array.from({ length: cards }, (_, card) => (
          <div key={card} className="overflow-hidden rounded-card border border-line/60 bg-surface/60">
            <Skeleton className="aspect-[460/215] rounded-none" />
            <div className="grid gap-2.5 p-4">
              <Skeleton className="h-4 w-3/5" />
              <Skeleton className="h-3 w-2/5" />
              {!plain && <Skeleton className="mt-2 h-11 rounded-control" />}
            </div>
          </div>
        ))}
      </div>
    </Loading>
  )
}
