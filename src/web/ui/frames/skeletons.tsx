/** Loading placeholders in the shape of the content, so that the layout does not jump (LOOK-4). */
import type { ReactNode } from 'react'
import { messages } from 'virtual:texts'

/**
 * Wraps skeletons and announces that something is loading.
 * @param text a visible loading text; without it the text is for screen readers only
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

/** One block; set its size with `className`. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div className={`skeleton rounded-chip ${className}`} />
}

/** Rows with a picture and two lines, for people and groups. */
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

/** Cards of people, as on Friends. */
export function PeopleGridSkeleton({ cards = 12 }: { cards?: number }) {
  return (
    <Loading>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4">
        {Array.from({ length: cards }, (_, card) => (
          <div
            key={card}
            className="flex h-26 items-center gap-4 rounded-card border border-line/60 bg-surface/60 px-4"
          >
            <Skeleton className="size-14 rounded-round" />
            <div className="grid flex-1 gap-2">
              <Skeleton className="h-4 w-3/5" />
              <Skeleton className="h-3 w-2/5" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  )
}
