/** Radio groups in which a choice takes one press: segments of one control, or chips. */
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
