/** The head of a night's page: whose it is, when, and how far it is (NIGHT-79). */
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Ellipsis, Repeat, Settings2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatTime, formatZone } from '../../format.ts'
import { groupsQueries } from '../../data/groups.ts'
import type { Night } from '../../data/nights.ts'
import { InviteByLink } from '../../layout/invite/invite-by-link.tsx'
import { nightDates as dates, nights as text, nightSeries as series } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/forms/button.tsx'
import { GroupPicture } from '../../ui/people/group-picture.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { isElsewhere, repeatText } from '../../ui/words/night-series.ts'
import { capitalised, isPast, whenText } from '../../ui/words/night-time.ts'
import { useNow } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { HostMenu } from './host-menu.tsx'
import { isToTell } from './night-view.ts'

/** Group, host and time. */
export function NightLead({ night }: { night: Night }) {
  const { group, starts_at } = night
  const now = useNow()
  const { steamId: me } = useSignedIn()
  const host = night.people.find(({ steam_id }) => steam_id === night.host_steam_id)
  return (
    <div className="flex flex-wrap items-center gap-x-4 text-ink">
      <Status night={night} className="max-sm:hidden" />
      {group && <NightGroup group={group} />}
      {host && (
        <span className="min-w-0 text-soft max-sm:hidden">
          {host.steam_id === me ? (
            text.hostedByMe
          ) : (
            <Sentence
              text={text.hostedBy}
              values={{
                host: <Name className="line-clamp-1 inline-block max-w-60 align-bottom">{nameOf(host)}</Name>,
              }}
            />
          )}
        </span>
      )}
      <span className="flex min-h-7 items-center gap-2">
        <CalendarClock aria-hidden className="size-4 shrink-0 text-violet" />
        {night.status === 'dating' ? (
          dates.proposed({ count: night.times.length })
        ) : (
          <time
            dateTime={starts_at}
            title={formatTime(new Date(starts_at), { dateStyle: 'full', timeStyle: 'short' })}
          >
            {capitalised(whenText(night, now))}
            {/* Beside the clock of another zone it says which one it shows. */}
            {night.series && isElsewhere(night.series.zone, starts_at) && (
              <span className="text-soft max-sm:hidden">, {formatZone(Date.parse(starts_at))}</span>
            )}
          </time>
        )}
      </span>
      {night.series && (
        <span className="flex min-h-7 min-w-0 items-center gap-2 text-sm text-soft">
          <Repeat aria-hidden className="size-4 shrink-0 text-violet" />
          {/* On phones it shares a line with the time. */}
          <span className="sm:hidden">{series.choices[night.series.every]}</span>
          <span className="max-sm:hidden">
            {repeatText({ ...night.series, at: Date.parse(night.series.next_starts_at) })}
          </span>
        </span>
      )}
    </div>
  )
}

/** A link for its members only: to who joined the night alone the group does not exist. */
function NightGroup({ group }: { group: NonNullable<Night['group']> }) {
  const { steamId: me } = useSignedIn()
  const groups = useQuery(groupsQueries.list(me))
  const isMember = groups.data?.some(({ group_id }) => group_id === group.group_id) === true
  // As tall as a finger needs, in the room of a line.
  const look = '-my-2 flex min-h-11 min-w-0 items-center gap-2 font-semibold'
  const content = (
    <>
      <GroupPicture group={group} className="size-6 rounded-chip text-[0.625rem] max-sm:hidden" />
      <Name className="line-clamp-1 min-w-0">{group.name}</Name>
    </>
  )
  return isMember ? (
    <Link to={`/groups/${group.group_id}`} className={`${look} underline-offset-4 hover:underline`}>
      {content}
    </Link>
  ) : (
    <span className={look}>{content}</span>
  )
}

const looks: Record<Night['status'], string> = {
  dating: 'bg-violet-deep/60 text-ink',
  open: 'bg-mint/20 text-mint',
  tied: 'bg-violet-deep/60 text-ink',
  decided: 'bg-mint text-ground',
  cancelled: 'bg-rose-deep/50 text-ink',
  over: 'bg-raised text-soft',
}

/** How far it is: before the time, or on phones beside what can be done. */
function Status({ night: { status }, className }: { night: Night; className: string }) {
  return (
    <span
      className={`inline-flex min-h-6 shrink-0 items-center rounded-chip px-2 text-xs font-semibold ${looks[status]} ${className}`}
    >
      {text.status[status]}
    </span>
  )
}

/** What can be done with the night, and what has just changed, which has its room always: nothing moves. */
export function NightHead({ night, news, onLeft }: { night: Night; news: string; onLeft: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const isPastNow = isPast(night, useNow())
  const leads = night.my.leads && !isPastNow
  const menu = leads ? text.host.menu : text.host.more
  return (
    <div className="flex min-w-0 items-center justify-between gap-x-3 gap-y-1 sm:flex-col-reverse sm:items-end">
      <div className="flex min-w-0 items-center">
        <p
          role="status"
          className="line-clamp-2 min-w-0 text-xs wrap-anywhere text-ink sm:line-clamp-1 sm:min-h-5 sm:max-w-[min(24rem,40vw)] sm:text-sm"
        >
          {news}
        </p>
        {/* The news take its place. */}
        {news === '' && <Status night={night} className="sm:hidden" />}
      </div>
      <div className="flex min-h-11 max-w-full shrink-0 flex-wrap items-center gap-2">
        {!isPastNow && takesPart(night) && (!isToTell(night) || night.status === 'tied') && (
          <InviteByLink target={{ kind: 'night', id: night.night_id }} night={night} isShort />
        )}
        <Button
          className="max-sm:size-11 max-sm:p-0!"
          icon={leads ? <Settings2 aria-hidden /> : <Ellipsis aria-hidden />}
          title={menu}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          <span className="max-sm:sr-only">{menu}</span>
        </Button>
        <HostMenu night={night} open={isOpen} onClose={() => setOpen(false)} onLeft={onLeft} />
      </div>
    </div>
  )
}

/** Like the server: who takes part passes the link on (NIGHT-95). */
function takesPart({ my }: Night): boolean {
  return my.leads || my.answer === 'in' || my.answer === 'maybe'
}
