/** A segmented control: a radio group with one press for each choice. */
import { useId } from 'react'

/**
 * @param legend the name of the group, for screen readers
 * @param options the choices with their texts
 */
export function Segmented<Choice extends string>({
  legend,
  options,
  value,
  onChange,
}: {
  legend: string
  options: Readonly<Record<Choice, string>>
  value: Choice
  onChange: (choice: Choice) => void
}) {
  const name = useId()
  return (
    <fieldset className="flex w-fit max-w-full rounded-control border border-edge/45 bg-deep/60 p-0.5">
      <legend className="sr-only">{legend}</legend>
      {(Object.entries(options) as [Choice, string][]).map(([choice, text]) => (
        <label
          key={choice}
          className={
            'relative flex min-h-11 cursor-pointer items-center rounded-chip px-4 text-center text-sm font-semibold ' +
            'tabular-nums transition has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-mint ' +
            (choice === value ? 'bg-violet-deep text-ink' : 'text-soft hover:text-ink')
          }
        >
          <input
            type="radio"
            name={name}
            checked={choice === value}
            onChange={() => onChange(choice)}
            className="absolute inset-0 cursor-pointer appearance-none opacity-0"
          />
          {text}
        </label>
      ))}
    </fieldset>
  )
}
