/** A game night in a list (NIGHT-102, NIGHT-104, DATE-20). */
import { Moon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { NightSummary } from '#shared/nights/entities.ts'
import { formatTime } from '../../format.ts'
import { useSignedIn } from '../../session.ts'
import { nightLists as text } from 'virtual:texts'
import { GameArt } from '../../ui/games/game-art.tsx'
import { GroupPicture } from '../../ui/people/group-picture.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { capitalised, titleOf, whenText } from '../../ui/words/night-time.ts'
import { useNow } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { needsMyAnswer } from './night-lists.ts'

/** The look of a whole list of nights, and of a night in it. */
export const nightGrid = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,26rem),1fr))] gap-3'
export const nightCard = 'min-w-0 rounded-card border border-line/60 bg-surface/85 p-1.5'

/**
 * One line of picture, title or pick, time and how it stands; a link for those who take part. Of the same height unless
 * it is whole, so that a list has its room before it has loaded.
 * @param ofGroup leaves the group's name out, because the list is the group's own
 * @param isNarrow leaves the picture out on phones
 * @param isWhole shows long titles and the line below them in full, whatever the height
 */
export function NightRow({
  night,
  ofGroup = false,
  isNarrow = false,
  isWhole = false,
}: {
  night: NightSummary
  ofGroup?: boolean
  isNarrow?: boolean
  isWhole?: boolean
}) {
  const now = useNow()
  const { steamId: me } = useSignedIn()
  const { headline, context } = namesOf(night, ofGroup)
  // Of people only those who are in are named in a list, which the host is at first.
  const host = night.came.find(({ steam_id }) => steam_id === night.host_steam_id)
  const look = `flex ${isWhole ? 'min-h-16 py-2' : 'h-16'} min-w-0 items-center gap-3 rounded-control px-2.5`
  const content = (
    <>
      <span className={isNarrow ? 'max-sm:hidden' : 'contents'}>
        <NightPicture night={night} />
      </span>
      <span className="grid min-w-0 flex-1">
        <span className={`${isWhole ? 'wrap-anywhere' : 'line-clamp-1'} min-w-0 leading-5 font-medium`}>
          <Name className="inline!">{headline}</Name>
          {context !== undefined && (
            <span className="font-normal text-soft max-sm:hidden">
              {' · '}
              <Name className="inline!">{context}</Name>
            </span>
          )}
        </span>
        {/* Two lines, because times are never cut. */}
        <span
          className={`${isWhole ? '' : 'line-clamp-2 leading-4 sm:leading-4.5'} text-sm text-soft tabular-nums`}
        >
          {night.dating ? (
            text.dating(night.dating)
          ) : (
            <>
              <time
                dateTime={night.starts_at}
                title={formatTime(new Date(night.starts_at), {
                  dateStyle: 'full',
                  timeStyle: 'short',
                })}
              >
                {capitalised(whenText(night, now))}
              </time>
              {' · '}
              {text.in({ count: night.in })}
            </>
          )}
          {context !== undefined && (
            <span className="sm:hidden">
              {' · '}
              <Name className="inline!">{context}</Name>
            </span>
          )}
          {/* In the narrow column of a group it would be cut. */}
          {host && !(ofGroup && isNarrow) && (
            <span className="max-sm:hidden">
              {' · '}
              {host.steam_id === me ? (
                text.hostedByMe
              ) : (
                <Sentence text={text.hostedBy} values={{ host: <Name>{nameOf(host)}</Name> }} />
              )}
            </span>
          )}
        </span>
      </span>
      <Standing night={night} />
    </>
  )
  return night.is_mine ? (
    <Link to={`/nights/${night.night_id}`} className={`${look} transition hover:bg-raised/60`}>
      {content}
    </Link>
  ) : (
    <div className={look}>{content}</div>
  )
}

/** The pick or the night's name; and then its own title, or its group. */
function namesOf(night: NightSummary, ofGroup: boolean) {
  const { pick, title, group } = night
  return {
    headline: pick?.name ?? titleOf(night),
    context: pick && title !== null ? titleOf(night) : ofGroup ? undefined : group?.name,
  }
}

/** What is played, or who plays. */
function NightPicture({ night: { pick, group } }: { night: NightSummary }) {
  if (pick) return <GameArt game={pick} className="w-20 rounded-chip" />
  if (group) return <GroupPicture group={group} className="size-11 rounded-control text-sm" />
  return (
    <span
      aria-hidden
      className="grid size-11 shrink-0 place-items-center rounded-control bg-raised text-violet"
    >
      <Moon className="size-5" />
    </span>
  )
}

/** What I have to do, or what I said. */
function Standing({ night }: { night: NightSummary }): ReactNode {
  const { status, my_answer, pick } = night
  if (needsMyAnswer(night))
    return (
      <span className="shrink-0 rounded-chip bg-mint px-2.5 py-1 text-xs font-semibold text-ground">
        {text.answerNow}
        <span className="sr-only">: {text.needsAnswer}</span>
      </span>
    )
  const said =
    status === 'cancelled' || status === 'over' || status === 'tied'
      ? text.status[status]
      : my_answer && !pick
        ? text.answers[my_answer]
        : undefined
  return said && <span className="shrink-0 text-xs font-semibold text-soft">{said}</span>
}
