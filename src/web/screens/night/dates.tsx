/**
 * Finding the date of a night: a table of people and proposed times, my own row first, with totals; on phones a line for
 * each time (DATE-15 to DATE-17, DATE-19). Answers are sent at once (DATE-16).
 */
import { ArrowDownUp, Check, CircleHelp, X } from 'lucide-react'
import { useRef, useState, useEffect } from 'react'
import { DATE_ANSWERS, type DateAnswer } from '#shared/nights/dates.ts'
import type { NightPlayer, NightTime } from '#shared/nights/entities.ts'
import { formatTime, formatZone } from '../../format.ts'
import { type Night, useAnswerNight, useTakeTime, useAnswerTimes } from '../../data/nights.ts'
import { useCallAction, failedOutcome } from '../../layout/call-action.ts'
import { InviteByLink } from '../../layout/invite/invite-by-link.tsx'
import { nightTime, nightDates as text, nights } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction } from '../../ui/forms/async-action.tsx'
import { Avatar } from '../../ui/people/avatar.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { capitalised, dayAndClock } from '../../ui/words/night-time.ts'
import { useNow } from '../../ui/words/relative-time.tsx'
import { anchors, isToTell } from './night-view.ts'
import { AnswerChoice, AFTER_KEY_MS } from './answer-choice.tsx'
import { answerersOf, answeredOf, bestOf, inKeptOrder } from './dates-view.ts'

const icons = { yes: Check, maybe: CircleHelp, no: X }
const colours = { yes: 'text-mint', maybe: 'text-amber', no: 'text-rose' }
const look = {
  group: 'min-w-0',
  row: 'grid-cols-3 gap-1!',
  option: 'flex min-h-11 justify-center px-1 text-sm leading-tight',
  icon: 'size-5 max-md:hidden',
  label: 'md:sr-only',
}

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
  const others = night.people.filter(({ steam_id, answer }) => steam_id !== me && answer !== 'out')
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
        {/* As high with the buttons as without, so that no time moves under a finger. */}
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p className="text-sm text-soft">
            <span className="font-semibold text-ink tabular-nums">
              {text.answered(answeredOf(night, now))}
            </span>
            {' · '}
            {nightTime.yourZone({ zone: formatZone() })}
          </p>
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
          {isToTell(night) && (
            <InviteByLink target={{ kind: 'night', id: night.night_id }} night={night} variant="primary" />
          )}
        </div>
        <p className="text-sm text-soft">{text.explained}</p>
        <Deadline night={night} now={now} />
      </div>
      <OutcomeNotice outcome={mine.outcome} />
      {/* One list of times: on large screens each is a column of the table, on phones a line. */}
      <ul
        aria-labelledby={anchors.answer}
        className="grid gap-2 md:auto-cols-[minmax(9.25rem,1fr)] md:grid-flow-col md:grid-cols-[9rem] md:gap-1 md:overflow-x-auto md:pb-2"
      >
        <li aria-hidden className="grid content-start gap-1 max-md:hidden">
          <span className="h-16" />
          <span className="flex h-12 items-center px-2 text-sm font-semibold">{nights.you}</span>
          {others.map((person) => (
            <Person key={person.steam_id} person={person} />
          ))}
        </li>
        {times.map((time) => (
          <Column
            key={time.starts_at}
            night={night}
            others={others}
            time={time}
            now={now}
            answer={mine.answerTo(time.starts_at)}
            isBest={time.starts_at === best}
            onAnswer={(answer, isByKey) => mine.choose(time.starts_at, answer, isByKey)}
          />
        ))}
      </ul>
      <OutcomeNotice outcome={none.outcome} />
      {night.my.answer === 'out' ? (
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

function Person({ person }: { person: NightPlayer }) {
  return (
    <span className="flex h-9 min-w-0 items-center gap-2 px-2 text-sm">
      <Avatar src={person.avatar_url} size="tiny" />
      <Name className="line-clamp-1 min-w-0">{nameOf(person)}</Name>
    </span>
  )
}

/** One proposed time: when it is, my answer, everybody's, and how many can come. */
function Column({
  night,
  others,
  time,
  now,
  answer,
  isBest,
  onAnswer,
}: {
  night: Night
  others: readonly NightPlayer[]
  time: NightTime
  now: number
  answer: DateAnswer | undefined
  isBest: boolean
  onAnswer: (answer: DateAnswer, isByKey: boolean) => void
}) {
  const at = new Date(time.starts_at)
  const when = dayAndClock(at, now)
  const isPassed = at.getTime() <= now
  const taking = useTakeTime(night.night_id)
  const take = useCallAction()
  const { yes, maybe, no, missing } = answerersOf(time, night.people)
  return (
    <li className="min-w-0">
      <article
        aria-label={capitalised(when)}
        className={
          'grid h-full content-start gap-1 rounded-control border bg-surface/85 p-1.5 ' +
          `${isBest ? 'border-mint/60' : 'border-line/70'} ${isPassed ? 'opacity-75' : ''}`
        }
      >
        <header className="px-1 md:h-14.5">
          <h3 className="text-sm leading-5 font-semibold tabular-nums">
            <time dateTime={time.starts_at} title={formatTime(at, { dateStyle: 'full', timeStyle: 'short' })}>
              {capitalised(when)}
            </time>
          </h3>
          {(isPassed || isBest) && (
            <p className={`text-xs font-semibold ${isPassed ? 'text-soft' : 'text-mint'}`}>
              {isPassed ? text.passed : text.best}
            </p>
          )}
        </header>
        <div className="md:h-12">
          {!isPassed && (
            <AnswerChoice
              legend={text.legend({ time: when })}
              answers={DATE_ANSWERS}
              labels={text.options}
              chosen={answer}
              look={look}
              onAnswer={onAnswer}
            />
          )}
        </div>
        <ul aria-label={text.people} className="grid gap-1 max-md:hidden">
          {others.map((person) => {
            const given = time.answers[person.steam_id]
            const Icon = given && icons[given]
            return (
              <li key={person.steam_id} className="grid h-9 place-items-center rounded-chip bg-deep/60">
                <span className="sr-only">
                  {nameOf(person)}: {given ? text.who[given] : text.who.missing}
                </span>
                {Icon && <Icon aria-hidden className={`size-5 ${colours[given]}`} />}
              </li>
            )
          })}
        </ul>
        <p className="px-1 text-xs text-soft tabular-nums">
          {[
            `${text.who.yes} ${yes.length}`,
            ...(maybe.length > 0 ? [`${text.who.maybe} ${maybe.length}`] : []),
            ...(no.length > 0 ? [`${text.who.no} ${no.length}`] : []),
            ...(missing.length > 0 ? [`${text.who.missing} ${missing.length}`] : []),
          ].join(' · ')}
        </p>
        <OutcomeNotice outcome={take.outcome} />
        {night.my.leads && !isPassed && (
          <ConfirmButton
            variant="quiet"
            className="px-2!"
            busy={take.busy}
            question={text.takeTitle({ time: when })}
            consequence={text.takeText}
            onConfirm={take.run(() => taking.mutateAsync(time.starts_at), { failed: text.takeFailed })}
          >
            {text.take}
          </ConfirmButton>
        )}
      </article>
    </li>
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

type Answers = Readonly<Record<string, DateAnswer>>

function useDateAnswers(night: Night, me: string) {
  const answering = useAnswerTimes(night.night_id)
  const action = useAsyncAction()
  /** What the server does not have yet, by start. */
  const [pending, setPending] = useState<Answers>({})
  const unsent = useRef<Record<string, DateAnswer>>({})
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const send = () =>
    action.queue(async () => {
      const answers = unsent.current
      unsent.current = {}
      if (Object.keys(answers).length === 0) return undefined
      try {
        await answering.mutateAsync(answers)
        return undefined
      } catch (error) {
        return failedOutcome(text.failed, error)
      } finally {
        setPending((now) =>
          Object.fromEntries(Object.entries(now).filter(([at, answer]) => answers[at] !== answer)),
        )
      }
    })

  return {
    outcome: action.outcome,
    /** My answer as the page shows it. */
    answerTo: (startsAt: string): DateAnswer | undefined =>
      pending[startsAt] ?? night.times.find(({ starts_at }) => starts_at === startsAt)?.answers[me],
    choose: (startsAt: string, answer: DateAnswer, isByKey: boolean): void => {
      clearTimeout(timer.current)
      unsent.current = { ...unsent.current, [startsAt]: answer }
      setPending((now) => ({ ...now, [startsAt]: answer }))
      if (isByKey) timer.current = setTimeout(() => void send(), AFTER_KEY_MS)
      else void send()
    },
  }
}
