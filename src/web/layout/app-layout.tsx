/**
 * The frame of every protected screen: the sidebar, or on small screens a top bar with a hamburger menu.
 * Requirements: LOOK-22, NAV-4.
 */
import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { CloudOff, Menu, X } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useAccountLook } from '../data/account.ts'
import { useClockError } from '../clock.ts'
import { nightListQueries } from '../data/night-lists.ts'
import { useAnsweredBy, useOutdated } from '../data/offline.ts'
import { queryClientFor, recoverWhenBack } from '../data/query-client.ts'
import { formatNumber } from '../format.ts'
import { messages, navigation } from 'virtual:texts'
import { useSignedIn } from '../session.ts'
import { Button, IconButton } from '../ui/forms/button.tsx'
import { useModal } from '../ui/frames/dialog.tsx'
import { useTitleCount } from '../ui/words/window-title.ts'
import { FindButton, FindIconButton, useFind } from './find/find.tsx'
import { DemoBanner } from './demo-banner.tsx'
import { Logo } from './logo.tsx'
import { Navigation } from './navigation.tsx'
import { needsMyAnswer } from './nights/night-lists.ts'

/** Remounts when another user signs in, because each user has a query client of their own. */
export function AppLayout() {
  const { steamId } = useSignedIn()
  return <LayoutOf key={steamId} steamId={steamId} />
}

function LayoutOf({ steamId }: { steamId: string }) {
  const [client] = useState(() => queryClientFor(steamId))
  const wide = useWide()
  const find = useFind()
  useEffect(() => recoverWhenBack(client), [client])
  useEffect(() => followChanges(client, steamId), [client, steamId])
  const refetch = useCallback(() => void client.invalidateQueries(), [client])
  return (
    <QueryClientProvider client={client}>
      <a
        href="#content"
        className="sr-only rounded-control bg-mint px-4 py-3 font-semibold text-ground focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50"
      >
        {navigation.skip}
      </a>
      {wide ? <Sidebar onFind={find.open} /> : <TopBar onFind={find.open} />}
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-[150rem] px-4 pt-6 pb-16 sm:px-6 lg:pl-[19.5rem] lg:pr-8 lg:pt-8"
      >
        <DemoBanner onReset={refetch} />
        <WrongClock />
        <Outlet />
      </main>
      <StateNote />
      <NightsWaiting steamId={steamId} />
      <AccountLook steamId={steamId} />
      {find.dialog}
    </QueryClientProvider>
  )
}

/** Refetches what has changed; its code loads with the screen's. */
function followChanges(client: QueryClient, steamId: string): () => void {
  const end = new AbortController()
  const since = performance.now()
  void import('../data/changes.ts').then(
    (changes) => changes.followChanges(client, steamId, { since, end: end.signal }),
    () => undefined,
  )
  return () => end.abort()
}

/** Said on every screen, because nearly all show times. */
function WrongClock() {
  const ahead = useClockError()
  const minutes = Math.round(Math.abs(ahead) / 60_000)
  const [unit, value] = minutes < 60 ? ['minute', minutes] : ['hour', Math.round(minutes / 60)]
  const by = formatNumber(Number(value), { style: 'unit', unit: String(unit), unitDisplay: 'long' })
  return (
    <p role="status" className="text-sm font-medium text-amber not-empty:mb-4">
      {ahead !== 0 && (ahead > 0 ? messages.clockAhead({ by }) : messages.clockBehind({ by }))}
    </p>
  )
}

/** Over the page, so that nothing moves. Mounted always: screen readers announce only what appears in a known region. */
function StateNote() {
  const answeredBy = useAnsweredBy()
  const isOutdated = useOutdated()
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-0 z-30 flex justify-center p-4 lg:pl-[17.5rem]"
    >
      {answeredBy !== 'server' && (
        <p className="flex items-center gap-2 rounded-round border border-amber/40 bg-deep px-4 py-2 text-sm font-medium text-amber shadow-card">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          {answeredBy === 'nobody' ? messages.offline : messages.foreign}
          {answeredBy === 'other' && (
            <a href="" className="pointer-events-auto underline">
              {messages.reload}
            </a>
          )}
        </p>
      )}
      {isOutdated && (
        // Reloaded by hand, so that nothing typed is lost.
        <p className="pointer-events-auto flex items-center gap-3 rounded-round border border-line bg-deep py-1 pr-1 pl-4 text-sm font-medium shadow-card">
          {messages.updated}
          <Button onClick={() => location.reload()}>{messages.reload}</Button>
        </p>
      )}
    </div>
  )
}

/** Counts the nights that wait for me, on every screen and in tabs in the background (NIGHT-137). */
function NightsWaiting({ steamId }: { steamId: string }) {
  const { data } = useQuery(nightListQueries.mine(steamId))
  useTitleCount(data?.nights.filter(needsMyAnswer).length ?? 0)
  return null
}

function AccountLook({ steamId }: { steamId: string }) {
  useAccountLook(steamId)
  return null
}

function Sidebar({ onFind }: { onFind: () => void }) {
  return (
    <header
      data-sidebar
      className="frosted fixed inset-y-3 left-3 z-20 w-[16.5rem] overflow-y-auto rounded-card"
    >
      <Navigation find={<FindButton onOpen={onFind} />} />
    </header>
  )
}

/** The hamburger and its overlay, a modal dialog: it traps the focus, closes on Escape and on navigation. */
function TopBar({ onFind }: { onFind: () => void }) {
  const [open, setOpen] = useState(false)
  const modal = useModal(open, () => setOpen(false))
  const { key } = useLocation()
  const [openedAt, setOpenedAt] = useState(key)
  if (openedAt !== key) {
    setOpenedAt(key)
    setOpen(false)
  }
  return (
    <header className="sticky top-0 z-20 flex flex-wrap items-center justify-between gap-x-3 border-b border-line/50 bg-deep/95 px-4 py-2 max-[22rem]:gap-0">
      <Logo />
      <div className="flex">
        <FindIconButton onOpen={onFind} />
        <IconButton
          label={navigation.open}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(true)}
        >
          <Menu aria-hidden />
        </IconButton>
      </div>
      <dialog
        {...modal}
        aria-label={messages.product}
        className="frosted m-0 mr-auto h-dvh max-h-none w-[min(20rem,calc(100vw-3.5rem))] overflow-y-auto rounded-r-card p-0 text-ink"
      >
        {open && (
          <div className="animate-enter relative min-h-full [&>div]:min-h-dvh">
            <IconButton
              label={navigation.close}
              className="absolute! top-4 right-3 z-10"
              onClick={() => setOpen(false)}
            >
              <X aria-hidden />
            </IconButton>
            <Navigation />
          </div>
        )}
      </dialog>
    </header>
  )
}

const wideScreens = window.matchMedia('(min-width: 64rem)')

/** Whether the window is wide enough for the sidebar. */
function useWide(): boolean {
  const [wide, setWide] = useState(wideScreens.matches)
  useEffect(() => {
    const listener = () => setWide(wideScreens.matches)
    wideScreens.addEventListener('change', listener)
    return () => wideScreens.removeEventListener('change', listener)
  }, [])
  return wide
}
