/** Finding the date of a night: a card for each proposed time, with my answer and everybody's (DATE-15 to DATE-17, DATE-19). */
import { ArrowDownUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { formatZone } from '../../format.ts'
import { type Night, useAnswerNight } from '../../data/nights.ts'
import { useCallAction } from '../../layout/call-action.ts'
import { nightTime } from '../../messages.ts'
import { nightDates as text, nights } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice } from '../../ui/async-action.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { dayAndClock } from '../../ui/night-time.ts'
import { useNow } from '../../ui/relative-time.tsx'
import { anchors } from './anchors.ts'
import { DateCard } from './date-card.tsx'
import { answeredOf, bestOf, inKeptOrder } from './dates-view.ts'
import { useDateAnswers } from './use-date-answers.ts'

export function Dates({ night }: { night: Night }) {
  const { steamId: me } = useSignedIn()
  const now = useNow()
  const mine = useDateAnswers(night, me)
  const answering = useAnswerNight(night.night_id)
  const none = useCallAction()
  const heading = useRef<HTMLHeadingElement>(null)
  const { times, isOutdated, showLatest } = useKeptTimes(
    night,
    night.times.some(({ starts_at }) => mine.answerTo(starts_at) !== undefined),
  )
  const best = bestOf(night, now)
  const isOut = night.my.answer === 'out'
  return (
    <section aria-labelledby={anchors.answer} className="grid min-w-0 gap-3">
      <div className="grid gap-1">
        <h2
          id={anchors.answer}
          ref={heading}
          tabIndex={-1}
          className="scroll-mt-24 text-lg font-semibold tracking-tight focus-visible:outline-none sm:text-xl"
        >
          {text.title}
        </h2>
        <p className="text-sm text-soft">{nightTime.yourZone({ zone: formatZone() })}</p>
        {/* As high with the button as without, so that no time moves under a finger. */}
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p className="font-semibold tabular-nums">{text.answered(answeredOf(night, now))}</p>
          {isOutdated && (
            <Button
              variant="quiet"
              icon={<ArrowDownUp aria-hidden />}
              onClick={() => {
                showLatest()
                heading.current?.focus()
              }}
            >
              {nights.list.newOrder}
            </Button>
          )}
        </div>
        <p className="text-sm text-soft">{text.explained}</p>
        <Deadline night={night} now={now} />
      </div>
      <OutcomeNotice outcome={mine.outcome} />
      <ul
        aria-labelledby={anchors.answer}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-3"
      >
        {times.map((time) => (
          <li key={time.starts_at} className="min-w-0">
            <DateCard
              night={night}
              time={time}
              now={now}
              answer={mine.answerTo(time.starts_at)}
              isBest={time.starts_at === best}
              onAnswer={(answer, isByKey) => mine.choose(time.starts_at, answer, isByKey)}
            />
          </li>
        ))}
      </ul>
      <OutcomeNotice outcome={none.outcome} />
      {isOut ? (
        <p className="text-sm font-medium text-amber">{text.isOut}</p>
      ) : (
        <ConfirmButton
          className="justify-self-start"
          busy={none.busy}
          question={text.noneTitle}
          consequence={text.noneText}
          onConfirm={none.run(() => answering.mutateAsync({ answer: 'out' }), { failed: text.failed })}
        >
          {text.none}
        </ConfirmButton>
      )}
    </section>
  )
}

/** When the best time is taken by itself, or that nobody could come when it was to be. */
function Deadline({ night: { close_times_at, my }, now }: { night: Night; now: number }) {
  if (close_times_at === null) return <p className="text-sm text-soft">{text.agreed}</p>
  const at = Date.parse(close_times_at)
  if (at > now)
    return <p className="text-sm text-soft">{text.deadline({ when: dayAndClock(new Date(at), now) })}</p>
  return (
    <p className="text-sm font-medium text-amber">
      {my.leads ? text.deadlinePassed.leads : text.deadlinePassed.others}
    </p>
  )
}

/** Once I have answered, times keep their order until the new one is asked for (DATE-17). */
function useKeptTimes({ times }: Night, isAnswered: boolean) {
  const latest = times.map(({ starts_at }) => starts_at)
  const [kept, setKept] = useState(latest)
  const isOutdated = kept.join() !== latest.join()
  if (isOutdated && !isAnswered) setKept(latest)
  return { times: inKeptOrder(kept, times), isOutdated, showLatest: () => setKept(latest) }
}
