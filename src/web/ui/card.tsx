/** A frosted card with a heading and an error boundary. */
import { useId, type ReactNode } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'

/**
 * A card as a labelled region. A crash in it does not affect other cards (LOOK-15).
 * @param title shown as a heading
 * @param action beside the heading, such as a + button
 */
export function Card({
  title,
  action,
  className = '',
  children,
}: {
  title?: ReactNode
  action?: ReactNode
  className?: string
  children: ReactNode
}) {
  const heading = useId()
  return (
    <section
      aria-labelledby={title === undefined ? undefined : heading}
      className={`frosted flex min-w-0 flex-col gap-4 rounded-card p-5 ${className}`}
    >
      {title !== undefined && (
        <header className="flex min-h-11 items-center justify-between gap-3">
          <h2 id={heading} className="min-w-0 text-lg font-semibold tracking-tight">
            {title}
          </h2>
          {action}
        </header>
      )}
      <ErrorBoundary>{children}</ErrorBoundary>
    </section>
  )
}
