/** Chips of which one is chosen, with counts; they wrap where there is little room. */
import type { ComponentProps } from 'react'
import { RadioGroup, type Segmented } from '../../ui/segmented.tsx'
import { formatNumber } from '../../format.ts'

export function FilterChips<Choice extends string>({
  counts,
  ...choices
}: ComponentProps<typeof Segmented<Choice>> & { counts: Readonly<Record<Choice, number>> }) {
  return (
    <RadioGroup
      {...choices}
      className="flex min-w-0 flex-wrap gap-2"
      choiceClass="gap-1.5 rounded-round border px-4"
      chosenClass="border-violet/60 bg-violet-deep text-ink"
      otherClass="border-edge/45 bg-deep/60 text-soft hover:border-edge hover:text-ink"
      after={(choice) => (
        <>
          {' '}
          <span className={`font-normal tabular-nums ${choice === choices.value ? '' : 'text-soft'}`}>
            {formatNumber(counts[choice])}
          </span>
        </>
      )}
    />
  )
}
