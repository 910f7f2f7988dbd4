/** The times that a night proposes, and their deadline, in the dialog that starts it (DATE-14). */
import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { NIGHT_TIMES_MAX, NIGHT_TIMES_MIN } from '#shared/limits.ts'
import { formatClock, formatTime, formatZone } from '../../format.ts'
import { nightTime, nightDates } from 'virtual:texts'
import { Button, IconButton } from '../../ui/forms/button.tsx'
import { TextField } from '../../ui/forms/field.tsx'
import { capitalised, dayAndClock, localTime } from '../../ui/words/night-time.ts'
import { Toggle } from '../../ui/forms/toggle.tsx'
import { eveningsOf, isDeadline, mayStartAt, proposedTime } from './start-time.ts'

const text = nightDates.propose

/** What is chosen; times in milliseconds, `deadline` as its field has it. */
export type Proposal = { times: readonly number[]; deadline: string }

/** The part of the call that starts such a night; undefined while it cannot be sent. */
export function proposalBody(
  { times, deadline }: Proposal,
  now: number,
): { times: string[]; close_times_at?: string } | undefined {
  const isWrong = deadline !== '' && !isDeadline(Date.parse(deadline), times, now)
  if (times.length < NIGHT_TIMES_MIN || isWrong) return undefined
  return {
    times: times.map((at) => new Date(at).toISOString()),
    ...(deadline !== '' && { close_times_at: new Date(deadline).toISOString() }),
  }
}

export function ProposedTimes({
  value,
  now,
  onChange,
}: {
  value: Proposal
  now: number
  onChange: (value: Proposal) => void
}) {
  const { times, deadline } = value
  const [other, setOther] = useState(() => localTime(proposedTime(now)))
  const [error, setError] = useState<string>()
  const list = useId()
  const isFull = times.length >= NIGHT_TIMES_MAX
  const { week, weekend } = eveningsOf(now)
  const sorted = (all: readonly number[]) => all.toSorted((a, b) => a - b)
  const remove = (at: number) => onChange({ ...value, times: times.filter((one) => one !== at) })
  const add = (at: number) => onChange({ ...value, times: sorted([...times, at]) })

  function addOther(): void {
    const at = Date.parse(other)
    const wrong = isFull
      ? text.full({ max: NIGHT_TIMES_MAX })
      : !mayStartAt(at, now)
        ? text.wrong
        : times.includes(at)
          ? text.twice
          : undefined
    setError(wrong)
    if (wrong === undefined) add(at)
  }

  const picks = (legend: string, evenings: readonly number[]) =>
    evenings.length > 0 && (
      <fieldset className="flex min-w-0 flex-wrap gap-2">
        <legend className="mb-1.5 text-sm font-medium text-soft">{legend}</legend>
        {evenings.map((at) => (
          <Toggle
            key={at}
            checked={times.includes(at)}
            disabled={isFull && !times.includes(at)}
            onChange={(isChosen) => (isChosen ? add(at) : remove(at))}
          >
            {formatTime(at, { weekday: 'short', day: 'numeric', month: 'short' })}
          </Toggle>
        ))}
      </fieldset>
    )
  return (
    <div className="mt-2 grid gap-4">
      <p className="text-sm text-soft">
        {text.evenings({ clock: formatClock(new Date(weekend[0]!)) })}
        {' · '}
        {nightTime.yourZone({ zone: formatZone() })}
      </p>
      {picks(text.week, week)}
      {picks(text.weekend, weekend)}
      <div className="grid gap-2 sm:flex sm:items-start">
        <TextField
          label={text.other}
          type="datetime-local"
          min={localTime(now)}
          value={other}
          className="min-w-0 sm:grow"
          error={error}
          onChange={(event) => {
            setError(undefined)
            setOther(event.target.value)
          }}
        />
        <Button className="sm:mt-6.5" icon={<Plus aria-hidden />} disabled={isFull} onClick={addOther}>
          {text.add}
        </Button>
      </div>
      <div className="grid gap-1">
        <p id={list} className="text-sm font-medium text-soft">
          {text.list}
        </p>
        {/* Its room is there always, like that of the hint about friends. */}
        <p role="status" className="min-h-5 text-sm text-soft">
          {text.chosen({ count: times.length, max: NIGHT_TIMES_MAX })}
        </p>
        <ul aria-labelledby={list} className="grid">
          {times.map((at) => {
            const time = capitalised(dayAndClock(new Date(at), now))
            return (
              <li key={at} className="flex items-center justify-between gap-2 tabular-nums">
                <span className="min-w-0 flex-1">{time}</span>
                <IconButton label={text.remove({ time })} onClick={() => remove(at)}>
                  <X aria-hidden />
                </IconButton>
              </li>
            )
          })}
        </ul>
      </div>
      {times.length >= NIGHT_TIMES_MIN && (
        <TextField
          label={text.deadline}
          type="datetime-local"
          min={localTime(now)}
          max={localTime(times.at(-1)!)}
          value={deadline}
          hint={text.deadlineHint}
          error={
            deadline !== '' && !isDeadline(Date.parse(deadline), times, now) ? text.deadlineWrong : undefined
          }
          onChange={(event) => onChange({ ...value, deadline: event.target.value })}
        />
      )}
    </div>
  )
}
