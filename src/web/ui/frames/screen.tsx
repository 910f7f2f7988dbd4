/**
 * The frame of every screen: its h1, its actions and the window title.
 * Requirements: LOOK-19, LOOK-22.
 */
import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { arrivedAt } from '../../arrival.ts'
import { useWindowTitle } from '../words/window-title.ts'

let openedScreens = 0

/**
 * A screen. After a navigation within the product its heading takes the focus, so that screen readers announce it; the
 * first screen of a visit does not.
 * @param title the h1, and the window title unless `windowTitle` is given
 * @param lead a line below the heading, such as how old the data is
 * @param action beside the heading, or below it on a banner
 * @param loading for a screen in whose place another one comes: it does not count as opened
 * @param backdrop makes the heading a banner on this, which is dark in both themes
 * @param isSlim for a banner in one row, on phones two, where the page below it must come into the first view
 */
export function Screen({
  title,
  windowTitle,
  lead,
  action,
  loading = false,
  backdrop,
  isSlim = false,
  children,
}: {
  title: ReactNode
  windowTitle?: string
  lead?: ReactNode
  action?: ReactNode
  loading?: boolean
  backdrop?: ReactNode
  isSlim?: boolean
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const name = windowTitle ?? (typeof title === 'string' ? title : undefined)

  useWindowTitle(name)

  const { key } = useLocation()
  const openedAt = useRef(key)
  // Only when it opens: a search or filter that changes the URL must keep the focus. The comparison with `arrivedAt` is
  // for users who navigate before the first screen has loaded.
  useEffect(() => {
    if (loading) return
    openedScreens += 1
    if (openedScreens > 1 || openedAt.current !== arrivedAt) heading.current?.focus({ preventScroll: true })
  }, [loading])

  // A link within the screen may disappear when it is followed, and the focus with it.
  useEffect(() => {
    if (key !== openedAt.current && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true })
  }, [key])

  return (
    <div className={`animate-enter flex flex-col ${isSlim ? 'gap-3 max-sm:-mt-3 sm:gap-5' : 'gap-6'}`}>
      <header
        className={
          backdrop === undefined
            ? 'flex flex-wrap items-end justify-between gap-x-6 gap-y-4'
            : 'scheme-dark relative isolate overflow-hidden rounded-card border border-line/70 text-ink shadow-card ' +
              (isSlim
                ? 'grid items-center gap-x-3 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_auto] sm:gap-x-6 sm:px-5 sm:py-3'
                : 'grid gap-4 p-4 sm:p-6')
        }
      >
        {backdrop}
        <div className="min-w-0">
          <h1
            ref={heading}
            tabIndex={-1}
            className={`leading-tight font-bold tracking-tight text-balance ${isSlim ? 'text-xl md:text-2xl' : 'text-3xl md:text-4xl'}`}
          >
            {title}
          </h1>
          {lead !== undefined && (
            <div className={`text-sm text-soft ${isSlim ? 'mt-0.5' : 'mt-1.5'}`}>{lead}</div>
          )}
        </div>
        {action}
      </header>
      {children}
    </div>
  )
}

/** A link in the lead of a screen. @param icon of lucide-react */
export function LeadLink({ to, icon: Icon, children }: { to: string; icon: LucideIcon; children: string }) {
  return (
    <Link
      to={to}
      className="-my-3 inline-flex min-h-11 items-center gap-1.5 font-semibold text-ink underline-offset-4 hover:underline"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-violet" />
      {children}
    </Link>
  )
}
