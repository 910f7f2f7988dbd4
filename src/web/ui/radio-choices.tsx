/** One of several choices, each with a sentence about it. */
import { useId, type ReactNode } from 'react'

/** The choices; disabled while `chosen` is not known. `legend` is their accessible name. */
export function RadioChoices<Value extends string>({
  legend,
  choices,
  chosen,
  onChoose,
}: {
  legend: ReactNode
  choices: Readonly<Record<Value, { label: string; about: string }>>
  chosen: Value | undefined
  onChoose: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset disabled={chosen === undefined} className="grid gap-2">
      {legend}
      {Object.entries<{ label: string; about: string }>(choices).map(([value, { label, about }]) => (
        <label
          key={value}
          className="flex cursor-pointer items-start gap-3 rounded-control border border-line/70 p-3.5 transition hover:border-edge has-checked:border-violet/70 has-checked:bg-violet-deep/25 has-focus-visible:outline-2 has-focus-visible:outline-mint"
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={chosen === value}
            onChange={() => onChoose(value as Value)}
            className="radio-dot mt-1 shrink-0 focus-visible:outline-none"
          />
          <span className="grid min-w-0">
            <span className="font-medium">{label}</span>
            <span className="text-sm text-soft">{about}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
