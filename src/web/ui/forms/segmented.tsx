/** Radio groups in which a choice takes one press: segments of one control, chips, or lines with a sentence about each. */
import { type ReactNode, useId } from 'react'

type Choices<Choice extends string> = {
  /** The name of the group, for screen readers. */
  legend: string
  /** The choices with their texts. */
  options: Readonly<Record<Choice, string>>
  value: Choice
  onChange: (choice: Choice) => void
}

/** A segmented control. */
export function Segmented<Choice extends string>(choices: Choices<Choice>) {
  return (
    <RadioGroup
      {...choices}
      className="flex w-fit max-w-full flex-wrap rounded-control border border-edge/45 bg-deep/60 p-0.5"
      choiceClass="min-w-11 justify-center rounded-chip px-2.5 tabular-nums whitespace-nowrap sm:px-4"
      chosenClass="bg-violet-deep text-ink"
      otherClass="text-soft hover:text-ink"
    />
  )
}

/**
 * The radio buttons of a group, invisible above their texts.
 * @param after what follows the text of a choice
 */
export function RadioGroup<Choice extends string>({
  legend,
  options,
  value,
  onChange,
  className,
  choiceClass,
  chosenClass,
  otherClass,
  after,
}: Choices<Choice> & {
  className: string
  choiceClass: string
  chosenClass: string
  otherClass: string
  after?: (choice: Choice) => ReactNode
}) {
  const name = useId()
  return (
    <fieldset className={className}>
      <legend className="sr-only">{legend}</legend>
      {(Object.entries(options) as [Choice, string][]).map(([choice, text]) => (
        <label
          key={choice}
          className={
            'relative flex min-h-11 cursor-pointer items-center text-sm font-semibold transition ' +
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-mint ' +
            `${choiceClass} ${choice === value ? chosenClass : otherClass}`
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
          {after?.(choice)}
        </label>
      ))}
    </fieldset>
  )
}

/** One of several choices, each with a sentence about it; disabled while `chosen` is not known. `legend` is their accessible name. */
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
