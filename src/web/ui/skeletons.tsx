/** Shapes of what comes, so that nothing jumps when it does. */
import type { ReactNode } from 'react'
import { messages } from '../messages.ts'

/**
 * Holds skeletons and says that something is loading.
 * @param text shown where a loading text is to be seen, as in DASH-2; otherwise screen readers alone get one
 */
export function Loading({ text, children }: { text?: string; children?: ReactNode }) {
  return (
    <div role="status" className="grid gap-4">
      <p className={text === undefined ? 'sr-only' : 'text-sm text-soft'}>{text ?? messages.loading}</p>
      <div aria-hidden className="contents">
        {children}
      </div>
    </div>
  )
}

/** One block; give it its size. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div className={`skeleton rounded-chip ${className}`} />
}

/** Rows with a picture and two lines: people, groups. */
export function ListSkeleton({ rows = 6, text }: { rows?: number; text?: string }) {
  return (
    <Loading text={text}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex items-center gap-4">
          <Skeleton className="size-12 rounded-round" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-3 w-1/4" />
          </div>
        </div>
      ))}
    </Loading>
  )
}

/** Game cards; `plain` ones have no button. */
export function GameGridSkeleton({
  cards = 6,
  text,
  plain = false,
}: {
  cards?: number
  text?: string
  plain?: boolean
}) {
  return (
    <Loading text={text}>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-5">
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
