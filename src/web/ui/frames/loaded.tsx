/**
 * The states of a query: loading, failed, empty or loaded.
 * Requirements: LOOK-14.
 */
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { messages } from 'virtual:texts'
import { Button } from '../forms/button.tsx'

/** What {@link Loaded} needs of a TanStack query. */
export type Loadable<Data> = {
  data: Data | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

/**
 * Shows a query. Data that was shown before stays on the screen during a refetch, and below the error if that fails
 * (PAGE-2).
 * @param skeleton shown while loading
 * @param failed the red text of a failed load, shown with the reason and a button
 * @param failedAction replaces the button that loads again
 * @param empty shown instead of the children if `isEmpty`, by default for an empty list
 */
export function Loaded<Data>({
  query,
  skeleton,
  failed,
  failedAction,
  empty,
  isEmpty = isEmptyList,
  children,
}: {
  query: Loadable<Data>
  skeleton: ReactNode
  failed: string
  failedAction?: ReactNode
  empty?: ReactNode
  isEmpty?: (data: Data) => boolean
  children: (data: Data) => ReactNode
}) {
  const { data, error } = query
  const failure = error && (
    <LoadFailure
      text={failed}
      reason={error.message}
      action={
        failedAction ?? (
          <Button
            icon={<RotateCw aria-hidden />}
            busy={query.isFetching}
            onClick={() => void query.refetch()}
          >
            {messages.tryAgain}
          </Button>
        )
      }
    />
  )
  if (data === undefined) return failure ?? skeleton
  return (
    <>
      {failure}
      {empty !== undefined && isEmpty(data) ? (
        typeof empty === 'string' ? (
          <EmptyState>{empty}</EmptyState>
        ) : (
          empty
        )
      ) : (
        children(data)
      )}
    </>
  )
}

/** A failed load: its text in red, the reason, and an action. */
export function LoadFailure({ text, reason, action }: { text: string; reason?: string; action?: ReactNode }) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-control border border-rose/35 bg-rose-deep/15 px-4 py-3"
    >
      <div className="min-w-0">
        <p className="font-semibold text-rose">{text}</p>
        {reason !== undefined && reason !== text && <p className="text-sm text-soft">{reason}</p>}
      </div>
      {action}
    </div>
  )
}

function isEmptyList(data: unknown): boolean {
  return Array.isArray(data) && data.length === 0
}

export function EmptyState({
  children,
  icon,
  action,
}: {
  /** The sentence. */
  children: ReactNode
  /** A lucide icon. */
  icon?: ReactNode
  /** A button or a link that helps. */
  action?: ReactNode
}) {
  return (
    <div className="grid justify-items-center gap-3 rounded-card border border-dashed border-line px-6 py-10 text-center">
      {icon !== undefined && (
        <span aria-hidden className="grid size-12 place-items-center rounded-round bg-raised text-violet">
          {icon}
        </span>
      )}
      <p className="max-w-[44ch] text-soft">{children}</p>
      {action}
    </div>
  )
}
