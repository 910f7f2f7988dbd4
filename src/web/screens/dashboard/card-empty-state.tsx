/** What a card says when it has nothing to show: why, and what to press. */
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { isNetworkError } from '../../data/http.ts'
import { messages } from '../../messages.ts'
import { Button } from '../../ui/button.tsx'

/** Of a TanStack query, what a card needs to know. */
type ListQuery<Data> = {
  data: Data | undefined
  isError: boolean
  error: unknown
  isFetching: boolean
  refetch: () => unknown
}

/** The list of a query: undefined while it loads, empty when it failed (DASH-33). */
export function listOr<Data, Row>(query: ListQuery<Data>, rows: (data: Data) => readonly Row[]) {
  if (query.data !== undefined) return rows(query.data)
  return query.isError ? [] : undefined
}

/**
 * A card's empty state. A failed load is an empty list too (DASH-33); it then offers to load again.
 * @param query whose list is empty
 * @param children the sentence, shown when the list is truly empty
 * @param always a sentence that is shown in either case (DASH-32)
 */
export function Nothing({
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
  const failed = query !== undefined && query.isError && query.data === undefined
  return (
    <div className="grid flex-1 content-center justify-items-center gap-3 rounded-control bg-deep/40 px-5 py-6 text-center text-sm text-soft">
      {icon !== undefined && (
        <span
          aria-hidden
          className="grid size-11 place-items-center rounded-round bg-raised text-violet [&_svg]:size-5"
        >
          {icon}
        </span>
      )}
      {always !== undefined && <p className="text-ink">{always}</p>}
      {failed ? (
        <>
          <p>{isNetworkError(query.error) ? messages.networkError : messages.dashboard.loadFailed}</p>
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
