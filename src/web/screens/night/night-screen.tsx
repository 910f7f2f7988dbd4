/**
 * A game night (NIGHT-79): who is in, what can be played, the vote and the pick; live.
 * Requirements: NIGHT-138.
 */
import { useQuery } from '@tanstack/react-query'
import { CalendarX, Moon, UsersRound } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { isNotFound } from '../../data/http.ts'
import { useLiveState } from '../../data/changes.ts'
import { type Night, nightsQueries, useIsLeavingNight } from '../../data/nights.ts'
import { TellAtOnce } from '../../layout/invite/invite-by-link.tsx'
import { messages, nightTime } from '../../messages.ts'
import { nights as text } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { dismissUnreached } from '../../ui/async-action.tsx'
import { Backdrop } from '../../ui/backdrop.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState, Loaded } from '../../ui/loaded.tsx'
import { Name } from '../../ui/name.tsx'
import { dayText, isPast, titleOf } from '../../ui/night-time.ts'
import { useNow } from '../../ui/relative-time.tsx'
import { Screen } from '../../ui/screen.tsx'
import { Loading, Skeleton } from '../../ui/skeletons.tsx'
import { anchors } from './anchors.ts'
import { Dates } from './dates.tsx'
import { DrawExplained } from './draw-explained.tsx'
import { MyAnswer } from './my-answer.tsx'
import { NearMisses } from './near-misses.tsx'
import { NightHead, NightLead } from './night-head.tsx'
import { NotificationsOffer } from './notifications-offer.tsx'
import { People } from './people.tsx'
import { Pick } from './pick.tsx'
import { PlayAgain } from './play-again.tsx'
import { PlayedBefore } from './played-before.tsx'
import { Shortlist } from './shortlist.tsx'
import { Tie } from './tie.tsx'
import { useChanges } from './use-changes.ts'
import { useReveal } from './use-reveal.ts'

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
          {status === 'open' && <NearMisses night={night} />}
          {status === 'open' && <DrawExplained hash={night.seed_hash} />}
        </div>
        {/* After the games on phones, which they would push out of the first view (NIGHT-141). */}
        <div className="grid gap-3 empty:hidden sm:gap-6 xl:col-start-1">
          <PlayedBefore nightId={night.night_id} />
          {night.my.answer === 'in' && !isOver && <NotificationsOffer />}
        </div>
      </div>
    </Screen>
  )
}

const COLUMNS =
  'xl:grid-cols-[18rem_minmax(0,1fr)] xl:grid-rows-[auto_1fr] 2xl:grid-cols-[22rem_minmax(0,1fr)]'

/** Who looks at the list when the vote ends sees what came of it, which is above. */
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
