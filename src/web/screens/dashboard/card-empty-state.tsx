/**
 * The empty state of a dashboard card.
 * Requirements: DASH-33, LOOK-11.
 */
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { isNetworkError } from '../../data/http.ts'
import { messages, dashboard } from 'virtual:texts'
import { Button } from '../../ui/forms/button.tsx'

/** The part of a TanStack query that a card needs. */
type ListQuery<Data> = {
  data: Data | undefined
  /** Loads that failed: a query without data is pending again, not failed, while it is loaded once more. */
  errorUpdateCount: number
  error: unknown
  isFetching: boolean
  refetch: () => unknown
}

/** The rows of a query: undefined while it loads, empty if it failed (DASH-33). */
export function rowsOrEmpty<Data, Row>(query: ListQuery<Data>, rows: (data: Data) => readonly Row[]) {
  if (query.data !== undefined) return rows(query.data)
  return hasFailed(query) ? [] : undefined
}

/** Whether a query failed and has nothing to show, also while it is loaded once more. */
export function hasFailed({ data, errorUpdateCount }: ListQuery<unknown>): boolean {
  return data === undefined && errorUpdateCount > 0
}

/**
 * Why a card is empty. A failed load counts as an empty list (DASH-33) and gets a button to load again.
 * @param query the query whose list is empty
 * @param children the text for a list that loaded and is empty
 * @param always a text shown in either case (DASH-31)
 */
export function CardEmptyState({
  query,
  icon,
  always,
  action,
  children,
}: {
  query?: ListQuery<unknown>
  /** A lucide icon. */
  icon?: ReactNode
  always?: string
  action?: ReactNode
  children?: ReactNode
}) {
  const failed = query !== undefined && hasFailed(query)
  return (
    <div className="grid flex-1 content-center justify-items-center gap-3 rounded-control bg-deep/40 px-5 py-6 text-center max-sm:py-4 text-sm text-soft">
      {icon !== undefined && (
        <span
          aria-hidden
          className="grid size-11 place-items-center rounded-round bg-raised text-violet max-sm:hidden [&_svg]:size-5"
        >
          {icon}
        </span>
      )}
      {always !== undefined && <p className="text-ink">{always}</p>}
      {failed ? (
        <>
          <p>
            {query.isFetching
              ? messages.loading
              : isNetworkError(query.error)
                ? messages.networkError
                : dashboard.loadFailed}
          </p>
          <Button
            icon={<RotateCw aria-hidden />}
            busy={query.isFetching}
            onClick={() => void query.refetch()}
          >
            {messages.tryAgain}
          </Button>
        </>
      ) : (
        <>
          {children !== undefined && <p className="max-w-[42ch]">{children}</p>}
          {action}
        </>
      )}
    </div>
  )
}
