/** A frosted card with a heading and an error boundary. */
import { useId, type ReactNode } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'

/**
 * A card as a labelled region. A crash in it does not affect other cards (LOOK-14).
 * @param id of the heading, which then is the target of links within the page
 * @param title shown as a heading
 * @param action beside the heading, such as a + button
 * @param isSlim in a column of little height
 */
export function Card({
  id,
  title,
  action,
  isSlim = false,
  className = '',
  headClass = '',
  children,
}: {
  id?: string
  title?: ReactNode
  action?: ReactNode
  isSlim?: boolean
  className?: string
  headClass?: string
  children: ReactNode
}) {
  const generated = useId()
  const heading = id ?? generated
  return (
    <section
      aria-labelledby={title === undefined ? undefined : heading}
      className={`frosted flex min-w-0 flex-col rounded-card ${isSlim ? 'gap-1 px-4 py-3' : 'gap-4 p-5'} ${className}`}
    >
      {title !== undefined && (
        <header className={`flex min-h-11 items-center justify-between gap-3 ${headClass}`}>
          <h2
            id={heading}
            tabIndex={id === undefined ? undefined : -1}
            className={`min-w-0 scroll-mt-24 font-semibold tracking-tight ${isSlim ? '' : 'text-lg'}`}
          >
            {title}
          </h2>
          {action}
        </header>
      )}
      <ErrorBoundary>{children}</ErrorBoundary>
    </section>
  )
}
