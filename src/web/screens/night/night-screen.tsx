/** A game night (NIGHT-90): who is in, what can be played, the vote and the pick; live. */
import { useQuery } from '@tanstack/react-query'
import { CalendarX, Moon, UsersRound } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useParams } from 'react-router'
import { isNotFound } from '../../data/http.ts'
import { useNightEvents } from '../../data/night-events.ts'
import { type Night, nightsQueries } from '../../data/nights.ts'
import { messages } from '../../messages.ts'
import { nights as text } from '../../messages/nights.ts'
import { useSignedIn } from '../../session.ts'
import { Backdrop } from '../../ui/backdrop.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Name } from '../../ui/name.tsx'
import { titleOf } from '../../ui/night-time.ts'
import { Screen } from '../../ui/screen.tsx'
import { Loading, Skeleton } from '../../ui/skeletons.tsx'
import { MyAnswer } from './my-answer.tsx'
import { NearMisses } from './near-misses.tsx'
import { NightHead, NightLead } from './night-head.tsx'
import { People } from './people.tsx'
import { Pick } from './pick.tsx'
import { Shortlist } from './shortlist.tsx'
import { Tie } from './tie.tsx'
import { useChanges } from './use-changes.ts'

/** How often the night is read while there is no live stream. */
const WITHOUT_STREAM_MS = 15_000

export function NightScreen() {
  const { nightId = '' } = useParams()
  return /^[1-9]\d{0,9}$/.test(nightId) ? (
    <KnownNight key={nightId} nightId={Number(nightId)} />
  ) : (
    <Gone text={text.gone} />
  )
}

function KnownNight({ nightId }: { nightId: number }) {
  const [hasLeft, setLeft] = useState(false)
  const [isLost, setLost] = useState(false)
  const query = useQuery({
    ...nightsQueries.detail(nightId),
    enabled: !hasLeft,
    // What changed since it was last shown must not wait for the stream.
    staleTime: 0,
    refetchInterval: isLost ? WITHOUT_STREAM_MS : false,
  })
  const night = query.data
  const live = useNightEvents(nightId, night !== undefined && !hasLeft && canChange(night))
  useEffect(() => setLost(live === 'lost'), [live])
  const [wasShown, setShown] = useState(false)
  if (night && !wasShown) setShown(true)

  if (hasLeft) return <Gone text={text.people.left} />
  if (isNotFound(query.error)) return <Gone text={wasShown ? text.removed : text.gone} />
  if (night) return <NightPage night={night} isLost={isLost} onLeft={() => setLeft(true)} />
  return (
    <Screen title={text.untitled} loading={query.isPending}>
      <Loaded query={query} failed={text.failed} skeleton={<PageSkeleton />}>
        {() => null}
      </Loaded>
    </Screen>
  )
}

/** A decided night can be drawn again, and its people come and go. */
function canChange({ status }: Night): boolean {
  return status !== 'cancelled' && status !== 'over'
}

function NightPage({ night, isLost, onLeft }: { night: Night; isLost: boolean; onLeft: () => void }) {
  const { steamId: me } = useSignedIn()
  const changes = useChanges(night, me)
  const { status, pick } = night
  return (
    <Screen
      wide
      backdrop={<Backdrop seed={night.night_id} games={pick ? [pick] : night.shortlist} />}
      title={<Name className="line-clamp-3">{titleOf(night)}</Name>}
      windowTitle={titleOf(night)}
      lead={<NightLead night={night} />}
      action={<NightHead night={night} news={isLost ? text.reconnecting : changes} />}
    >
      {status === 'cancelled' && <Ended icon={<CalendarX />}>{text.cancelled}</Ended>}
      {status === 'over' && <Ended icon={<Moon />}>{text.over}</Ended>}
      {status === 'tied' && <Tie night={night} />}
      {pick && <Pick night={night} pick={pick} />}
      <div className="grid items-start gap-6 xl:grid-cols-[21rem_minmax(0,1fr)] 2xl:grid-cols-[24rem_minmax(0,1fr)]">
        <div className="grid min-w-0 gap-6 md:max-xl:grid-cols-2 md:max-xl:items-start">
          {status === 'open' && <MyAnswer night={night} />}
          <People night={night} onLeft={onLeft} />
        </div>
        <div className="grid min-w-0 content-start gap-8">
          <Shortlist key={`${status}${night.my.voted}${night.my.answer}`} night={night} />
          {status === 'open' && <NearMisses night={night} />}
        </div>
      </div>
    </Screen>
  )
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
function Gone({ text: reason }: { text: string }) {
  return (
    <Screen title={text.untitled}>
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
      <Skeleton className="h-40 rounded-card" />
      <div className="grid min-h-svh items-start gap-6 xl:grid-cols-[21rem_minmax(0,1fr)]">
        <Skeleton className="h-72 rounded-card" />
        <Skeleton className="h-[60rem] rounded-card" />
      </div>
    </Loading>
  )
}
