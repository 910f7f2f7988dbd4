/**
 * A game night (NIGHT-79): who is in, what can be played, the vote and the pick, live; what has changed (NIGHT-88), the
 * reveal (NIGHT-87), near misses (NIGHT-83), the last night (MEMORY-6) and the offer of notifications (PUSH-19).
 * Requirements: NIGHT-138.
 */
import { useQuery } from '@tanstack/react-query'
import { CalendarX, Moon, UsersRound, X, Store } from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useRef, useState, useId } from 'react'
import { useParams, Link } from 'react-router'
import { isNotFound } from '../../data/http.ts'
import { useLiveState } from '../../data/changes.ts'
import { type Night, nightsQueries, useIsLeavingNight } from '../../data/nights.ts'
import { TellAtOnce } from '../../layout/invite/invite-by-link.tsx'
import {
  messages,
  nightTime,
  gamePage,
  nightMemory as memoryText,
  nights as text,
  notifications as notificationsText,
} from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { dismissUnreached, OutcomeNotice } from '../../ui/forms/async-action.tsx'
import { Backdrop } from '../../ui/frames/backdrop.tsx'
import { ButtonLink, Button, IconButton } from '../../ui/forms/button.tsx'
import { EmptyState, Loaded } from '../../ui/frames/loaded.tsx'
import { Name, nameOf, Names } from '../../ui/people/name.tsx'
import { dayText, isPast, titleOf, longDay } from '../../ui/words/night-time.ts'
import { useNow } from '../../ui/words/relative-time.tsx'
import { Screen } from '../../ui/frames/screen.tsx'
import { Loading, Skeleton } from '../../ui/frames/skeletons.tsx'
import { anchors, changesBetween } from './night-view.ts'
import { Dates } from './dates.tsx'
import { DrawExplained, Tie } from './draws.tsx'
import { MyAnswer } from './my-answer.tsx'
import { NightHead, NightLead } from './night-head.tsx'
import { People } from './people.tsx'
import { Pick } from './pick.tsx'
import { PlayAgain } from './play-again.tsx'
import { Shortlist } from './shortlist.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { useDevice } from '../../data/push.ts'
import { useDeviceActions } from '../../layout/push-actions.ts'
import { remembered } from '../../ui/remembered.ts'
import { Fold } from '../../ui/frames/fold.tsx'
import { GameArt } from '../../ui/games/game-art.tsx'
import { storeOf } from '../../ui/people/steam-privacy.tsx'

export function NightScreen() {
  const { nightId = '' } = useParams()
  return /^[1-9]\d{0,9}$/.test(nightId) ? <KnownNight key={nightId} nightId={Number(nightId)} /> : <Gone />
}

function KnownNight({ nightId }: { nightId: number }) {
  const [hasLeft, setLeft] = useState(false)
  const isLeaving = useIsLeavingNight(nightId)
  const query = useQuery({
    ...nightsQueries.detail(nightId),
    enabled: !hasLeft && !isLeaving,
    // What changed since it was last shown must not wait for the stream.
    staleTime: 0,
  })
  const night = query.data
  const now = useNow()
  const isLost = useLiveState() === 'lost' && night !== undefined && !isPast(night, now)
  useDismissWhenBack(isLost)
  const [wasShown, setShown] = useState(false)
  if (night && !wasShown) setShown(true)

  if (hasLeft) return <Gone title={nightTime.untitled} text={text.people.left} />
  if (isNotFound(query.error))
    return wasShown ? <Gone title={nightTime.untitled} text={text.removed} /> : <Gone />
  if (night) return <NightPage night={night} isLost={isLost} onLeft={() => setLeft(true)} />
  return (
    <Screen title={nightTime.untitled} loading={query.isPending}>
      <Loaded query={query} failed={text.failed} skeleton={<PageSkeleton />}>
        {() => null}
      </Loaded>
    </Screen>
  )
}

/** What failed while the server was away is not shown any more when it is back (NIGHT-89). */
function useDismissWhenBack(isLost: boolean): void {
  useEffect(() => {
    if (isLost) return dismissUnreached
  }, [isLost])
}

function NightPage({ night, isLost, onLeft }: { night: Night; isLost: boolean; onLeft: () => void }) {
  const { steamId: me } = useSignedIn()
  const { appid, isRevealing, told } = useReveal(night)
  const changes = useChanges(told, me)
  const isOver = isPast(night, useNow())
  const { status, pick } = night
  useTopWhenChanged(`${status} ${pick?.number ?? 0}`)
  // Below the first view: a slow phone paints the games before it.
  const hasFoot = useDeferredValue(true, false)
  return (
    <Screen
      backdrop={<Backdrop seed={night.night_id} games={told.pick ? [told.pick] : told.shortlist} />}
      title={<Name className="wrap-anywhere">{titleOf(told)}</Name>}
      windowTitle={`${titleOf(told)}, ${status === 'dating' ? text.status.dating : dayText(told.starts_at)}`}
      isSlim
      lead={<NightLead night={told} />}
      action={<NightHead night={told} news={isLost ? text.reconnecting : changes} onLeft={onLeft} />}
    >
      <TellAtOnce night={night} />
      {status === 'cancelled' && <Ended icon={<CalendarX />}>{text.cancelled}</Ended>}
      {status === 'over' && <Ended icon={<Moon />}>{text.over}</Ended>}
      {status === 'tied' && <Tie night={night} />}
      {!pick && <PlayAgain night={night} />}
      {pick && <Pick night={night} pick={pick} shownId={appid} isRevealing={isRevealing} />}
      {status === 'dating' && !isOver && <Dates night={night} />}
      <div className={`grid items-start gap-3 sm:gap-5 ${status === 'dating' ? '' : COLUMNS}`}>
        <div className="grid min-w-0 gap-3 sm:gap-5 md:max-xl:grid-cols-2 md:max-xl:items-start">
          {!isOver && status !== 'dating' && <MyAnswer night={night} />}
          <People night={night} />
        </div>
        <div className="grid min-w-0 content-start gap-4 xl:row-span-2">
          {status !== 'dating' && <Shortlist night={night} pickedId={told.pick?.appid} />}
          {hasFoot && status === 'open' && <NearMisses night={night} />}
          {hasFoot && status === 'open' && <DrawExplained hash={night.seed_hash} />}
        </div>
        {/* After the games on phones, which they would push out of the first view (NIGHT-141). */}
        <div className="grid gap-3 empty:hidden sm:gap-6 xl:col-start-1">
          {hasFoot && <PlayedBefore nightId={night.night_id} />}
          {hasFoot && night.my.answer === 'in' && !isOver && <NotificationsOffer />}
        </div>
      </div>
    </Screen>
  )
}

const COLUMNS =
  'xl:grid-cols-[18rem_minmax(0,1fr)] xl:grid-rows-[auto_1fr] 2xl:grid-cols-[22rem_minmax(0,1fr)]'

/** Scrolls from the list up to the result when the vote ends. */
function useTopWhenChanged(result: string): void {
  const shown = useRef(result)
  useEffect(() => {
    if (result !== shown.current) {
      window.scrollTo({ top: 0 })
      // The button that was pressed may be gone, and the focus with it.
      if (document.activeElement === document.body)
        document
          .querySelector<HTMLElement>(`#the-pick, #the-tie, #${anchors.answer}`)
          ?.focus({ preventScroll: true })
    }
    shown.current = result
  }, [result])
}

function Ended({ icon, children }: { icon: ReactNode; children: string }) {
  return (
    <p className="flex items-center gap-3 rounded-card border border-amber/30 bg-amber/5 p-4 font-medium [&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-amber">
      {icon}
      {children}
    </p>
  )
}

/** It does not exist, or I am not one of its people; the server does not say which (ERR-9). */
function Gone({ title = text.goneTitle, text: reason = text.gone }: { title?: string; text?: string }) {
  return (
    <Screen title={title}>
      <EmptyState
        icon={<UsersRound />}
        action={
          <ButtonLink variant="primary" to="/dashboard">
            {text.toDashboard}
          </ButtonLink>
        }
      >
        {reason}
      </EmptyState>
    </Screen>
  )
}

function PageSkeleton() {
  return (
    <Loading text={messages.loading}>
      <Skeleton className="h-24 rounded-card" />
      <div className="grid min-h-svh items-start gap-6 xl:grid-cols-[21rem_minmax(0,1fr)]">
        <Skeleton className="h-72 rounded-card" />
        <Skeleton className="h-[60rem] rounded-card" />
      </div>
    </Loading>
  )
}

/** How long a change is shown. */
const SHOWN_MS = 12_000

/** The latest change in words; empty after a while. */
function useChanges(night: Night, me: string): string {
  const [last, setLast] = useState({ night, changes: '' })
  if (last.night !== night) setLast({ night, changes: changesBetween(last.night, night, me) || last.changes })
  const { changes } = last
  useEffect(() => {
    if (changes === '') return
    const timer = setTimeout(() => setLast((now) => ({ ...now, changes: '' })), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [changes])
  return changes
}

/** Each game stands a little longer than the one before; about a second in all. */
const STEPS_MS = [60, 70, 80, 100, 120, 150, 190, 240]

/**
 * The appid to show as the pick, one of the odds during the reveal; and the night for the rest of the page, until the
 * reveal ends as it was before the draw, so that nothing gives the pick away.
 */
function useReveal(night: Night): { appid: number | undefined; isRevealing: boolean; told: Night } {
  const { pick } = night
  const number = pick?.number ?? 0
  // A draw that was there when the page was opened is not revealed again.
  const [seen, setSeen] = useState(number)
  const [told, setTold] = useState(night)
  const [step, setStep] = useState(STEPS_MS.length)
  const isNew = seen !== number
  const starts = isNew && pick?.by === 'draw' && pick.odds.length > 1 && !prefersStillness()
  if (isNew) {
    setSeen(number)
    setStep(starts ? 0 : STEPS_MS.length)
  }
  useEffect(() => {
    const ms = STEPS_MS[step]
    if (ms === undefined) return
    const timer = setTimeout(() => setStep((now) => now + 1), ms)
    return () => clearTimeout(timer)
  }, [step])
  const isRevealing = starts || (!isNew && step < STEPS_MS.length)
  if (!isRevealing && told !== night) setTold(night)
  return {
    appid: isRevealing && pick ? pick.odds[step % pick.odds.length]!.appid : pick?.appid,
    isRevealing,
    told: isRevealing ? told : night,
  }
}

function prefersStillness(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** When the same people last played; nothing if they never did, or until that is known. */
function PlayedBefore({ nightId }: { nightId: number }) {
  const { data: last } = useQuery(nightsQueries.last(nightId))
  const heading = useId()
  const now = useNow()
  if (!last) return null
  const { starts_at, pick, came } = last
  return (
    <section
      aria-labelledby={heading}
      className="frosted grid min-w-0 gap-3 rounded-card p-5 max-sm:gap-1 max-sm:p-3"
    >
      <h2 id={heading} className="min-w-0 text-lg font-semibold tracking-tight max-sm:text-sm">
        {memoryText.title}
      </h2>
      <p className="text-sm text-soft">
        <Sentence
          text={memoryText.last[pick ? 'picked' : 'none']}
          values={{
            day: (
              <time dateTime={starts_at} className="text-ink">
                {longDay(Date.parse(starts_at), now)}
              </time>
            ),
            game: <Name className="font-semibold text-ink">{pick?.name ?? ''}</Name>,
            names: <Names people={came} />,
          }}
        />
      </p>
    </section>
  )
}

const offer = remembered('notifications_offer', ['open', 'declined'])

function NotificationsOffer() {
  const { steamId } = useSignedIn()
  const device = useDevice(steamId)
  const { busy, outcome, turnOn } = useDeviceActions(steamId)
  const [isDeclined, setDeclined] = useState(() => offer.read() === 'declined')
  const isOffered = device.data === 'off' && !isDeclined
  return (
    <div className="grid gap-3 empty:hidden">
      {isOffered && (
        <div className="frosted grid gap-2 rounded-card p-4 text-sm">
          <div className="flex items-start gap-2">
            <p className="min-w-0 flex-1 py-3 text-soft">{notificationsText.offer}</p>
            <IconButton
              label={notificationsText.offerDecline}
              onClick={() => {
                offer.write('declined')
                setDeclined(true)
              }}
            >
              <X aria-hidden />
            </IconButton>
          </div>
          <Button
            className="justify-self-start"
            busy={busy}
            busyLabel={notificationsText.turningOn}
            onClick={turnOn}
          >
            {notificationsText.offerTurnOn}
          </Button>
        </div>
      )}
      <OutcomeNotice outcome={outcome} />
    </div>
  )
}

const nearText = text.nearMisses

/** Nothing where there are none. */
function NearMisses({ night: { near_misses, people } }: { night: Night }) {
  if (near_misses.length === 0) return null
  const nameById = new Map(people.map((person) => [person.steam_id, nameOf(person)]))
  return (
    <Fold isSmall id="near-misses" title={nearText.title({ count: near_misses.length })}>
      <p className="text-sm text-soft">{nearText.explained}</p>
      <ul aria-labelledby="near-misses" className="grid gap-1.5">
        {near_misses.map((game) => (
          <li
            key={game.appid}
            className="flex min-w-0 items-center gap-3 rounded-control border border-line/70 bg-surface/85 p-1.5"
          >
            <GameArt game={game} className="w-20 rounded-chip sm:w-24" />
            <div className="min-w-0 flex-1">
              <h3 className="text-[0.9375rem] leading-5 font-semibold" title={game.name}>
                <Link to={`/games/${game.appid}`} className="-my-3 block py-3 hover:text-mint-bright">
                  <Name className="line-clamp-2 sm:line-clamp-1">{game.name}</Name>
                </Link>
              </h3>
              <p className="line-clamp-1 text-xs leading-5 text-amber">
                {text.list.lacking({ names: game.lacking.map((id) => nameById.get(id) ?? id).join(', ') })}
              </p>
            </div>
            <ButtonLink
              {...storeOf(game.appid)}
              variant="quiet"
              icon={<Store aria-hidden />}
              className="px-2!"
            >
              <span className="max-sm:sr-only">{nearText.store}</span>{' '}
              <span className="sr-only">{gamePage.inNewTab}</span>
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Fold>
  )
}
