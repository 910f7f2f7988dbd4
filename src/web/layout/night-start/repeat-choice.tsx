/** Whether a planned game night repeats: a choice, with when that is in words (SERIES-10). */
import type { Repeat } from '#shared/nights/repeats.ts'
import { nightSeries as text } from 'virtual:texts'
import { Select } from '../../ui/forms/field.tsx'
import { repeatText } from '../../ui/words/night-series.ts'
import { hereZone } from '../../format.ts'

export type RepeatChoice = 'once' | Repeat

/** @param at when the first night starts, in milliseconds; NaN while no time is chosen */
export function RepeatField({
  value,
  at,
  onChange,
}: {
  value: RepeatChoice
  at: number
  onChange: (value: RepeatChoice) => void
}) {
  return (
    <div className="mt-2 grid gap-1.5">
      <Select label={text.label} options={text.choices} value={value} onChange={onChange} />
      {value !== 'once' && !Number.isNaN(at) && (
        <p className="text-sm text-soft">
          {repeatText({ every: value, zone: hereZone(), at })}. {text.explained}
        </p>
      )}
    </div>
  )
}
