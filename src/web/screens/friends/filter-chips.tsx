/** Chips of which one is chosen, with counts; they wrap where there is little room. */
import { useId } from 'react'
import { withSeparators } from '#shared/playtime.ts'

/**
 * @param legend the name of the group, for screen readers
 * @param options the choices with their texts
 */
export function FilterChips<Choice extends string>({
  legend,
  options,
  counts,
  value,
  onChange,
}: {
  legend: string
  options: Readonly<Record<Choice, string>>
  counts: Readonly<Record<Choice, number>>
  value: Choice
  onChange: (choice: Choice) => void
}) {
  const name = useId()
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-2">
      <legend className="sr-only">{legend}</legend>
      {(Object.entries(options) as [Choice, string][]).map(([choice, text]) => (
        <label
          key={choice}
          className={
            'relative flex min-h-11 cursor-pointer items-center gap-1.5 rounded-round border px-4 text-sm font-semibold ' +
            'transition has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-mint ' +
            (choice === value
              ? 'border-violet/60 bg-violet-deep text-ink'
              : 'border-edge/45 bg-deep/60 text-soft hover:border-edge hover:text-ink')
          }
        >
          <input
            type="radio"
            name={name}
            checked={choice === value}
            onChange={() => onChange(choice)}
            className="absolute inset-0 cursor-pointer appearance-none opacity-0"
          />
          {text}{' '}
          <span className={`font-normal tabular-nums ${choice === value ? '' : 'text-soft'}`}>
            {withSeparators(counts[choice])}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
