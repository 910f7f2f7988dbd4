/** My answers to the times of a night: shown at once, and sent when the keys have stopped on one (DATE-16). */
import { useEffect, useRef, useState } from 'react'
import type { DateAnswer } from '#shared/nights/dates.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { type Night, useAnswerTimes } from '../../data/nights.ts'
import { nightDates as text } from '../../more-messages.ts'
import { useAsyncAction } from '../../ui/async-action.tsx'
import { AFTER_KEY_MS } from './answer-choice.tsx'

type Answers = Readonly<Record<string, DateAnswer>>

export function useDateAnswers(night: Night, me: string) {
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
