/** One proposed time: when it is, who can come, and my answer (DATE-15, DATE-16). */
import { Check, CircleHelp, CircleSlash, Hourglass } from 'lucide-react'
import { DATE_ANSWERS, type DateAnswer } from '#shared/nights/dates.ts'
import { isolated, nameOf } from '#shared/names.ts'
import type { NightPlayer, NightTime } from '#shared/nights/entities.ts'
import { formatList, formatTime } from '../../format.ts'
import { type Night, useTakeTime } from '../../data/nights.ts'
import { useCallAction } from '../../layout/call-action.ts'
import { nightDates as text } from '../../more-messages.ts'
import { OutcomeNotice } from '../../ui/async-action.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Name } from '../../ui/name.tsx'
import { capitalised, dayAndClock } from '../../ui/night-time.ts'
import { AnswerChoice } from './answer-choice.tsx'
import { type Answerers, answerersOf } from './dates-view.ts'

const look = {
  group: '@container',
  row: 'grid-cols-[1fr_auto_1fr]',
  option: 'flex min-h-12 flex-wrap justify-center gap-x-1.5 px-2 text-center text-sm leading-tight',
  icon: 'hidden size-5 shrink-0 @min-[18rem]:block',
}

export function DateCard({
  night,
  time,
  now,
  answer,
  isBest,
  onAnswer,
}: {
  night: Night
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
  return (
    <article
      aria-label={capitalised(when)}
      className={`frosted grid h-full content-start gap-3 rounded-card p-4 ${isPassed ? 'opacity-75' : ''}`}
    >
      <header className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="text-lg font-semibold tracking-tight tabular-nums">
          <time dateTime={time.starts_at} title={formatTime(at, { dateStyle: 'full', timeStyle: 'short' })}>
            {capitalised(when)}
          </time>
        </h3>
        {(isPassed || isBest) && (
          <span className={`text-xs font-semibold ${isPassed ? 'text-soft' : 'text-mint'}`}>
            {isPassed ? text.passed : text.best}
          </span>
        )}
      </header>
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
      <Who answerers={answerersOf(time, night.people)} />
      <OutcomeNotice outcome={take.outcome} />
      {night.my.leads && !isPassed && (
        <ConfirmButton
          className="mt-auto justify-self-start"
          busy={take.busy}
          question={text.takeTitle({ time: when })}
          consequence={text.takeText}
          onConfirm={take.run(() => taking.mutateAsync(time.starts_at), { failed: text.takeFailed })}
        >
          {text.take}
        </ConfirmButton>
      )}
    </article>
  )
}

const FACES = 6
const NAMES = 4
const whoIcons = { yes: Check, maybe: CircleHelp, no: CircleSlash, missing: Hourglass }
const whoLook = { yes: 'text-mint', maybe: 'text-amber', no: 'text-rose', missing: 'text-soft' }

/** Who can come, who if need be, who cannot, and who is missing. */
function Who({ answerers }: { answerers: Answerers }) {
  return (
    <ul className="grid gap-1.5 text-sm">
      {(Object.entries(answerers) as [keyof Answerers, NightPlayer[]][])
        .filter(([, people]) => people.length > 0)
        .map(([part, people]) => {
          const Icon = whoIcons[part]
          return (
            <li key={part} className="flex min-w-0 flex-wrap items-center gap-x-2.5">
              <span
                className={`flex shrink-0 items-center gap-1 font-semibold tabular-nums ${whoLook[part]}`}
              >
                <Icon aria-hidden className="size-4" />
                {text.who[part]} {people.length}
              </span>
              <span aria-hidden className="flex shrink-0 pr-1.5 pl-0.5">
                {people.slice(0, FACES).map((person) => (
                  <Avatar
                    key={person.steam_id}
                    src={person.avatar_url}
                    size="tiny"
                    className="-mr-1.5 max-w-none ring-1 ring-line"
                  />
                ))}
              </span>
              <Name className="line-clamp-2 min-w-0 flex-1 basis-32 wrap-anywhere">{namesOf(people)}</Name>
            </li>
          )
        })}
    </ul>
  )
}

function namesOf(people: readonly NightPlayer[]): string {
  const names = people.slice(0, NAMES).map((person) => isolated(nameOf(person)))
  const rest = people.length - names.length
  return formatList(rest > 0 ? [...names, text.more({ count: rest })] : names)
}
