/** A radio group of three answers: to a night (NIGHT-82), and to a proposed time (DATE-16). */
import { Check, CircleHelp, X } from 'lucide-react'
import { useId, useRef } from 'react'

/** Arrow keys pass over answers that are not meant; only where they stop is sent, after this time. */
export const AFTER_KEY_MS = 700

const icons = [Check, CircleHelp, X] as const
const chosenLooks = [
  'border-mint bg-mint/15 text-mint',
  'border-amber bg-amber/15 text-amber',
  'border-rose bg-rose-deep/25 text-rose',
] as const

export function AnswerChoice<Answer extends string>({
  legend,
  describedBy,
  answers,
  labels,
  chosen,
  look,
  onAnswer,
}: {
  legend: string
  describedBy?: string
  /** From yes to no. */
  answers: readonly [Answer, Answer, Answer]
  labels: Readonly<Record<Answer, string>>
  chosen: Answer | null | undefined
  /** Classes. */
  look: { group: string; row: string; option: string; icon: string; label?: string }
  onAnswer: (answer: Answer, isByKey: boolean) => void
}) {
  const name = useId()
  const isByKey = useRef(false)
  return (
    <fieldset
      className={look.group}
      aria-describedby={describedBy}
      onKeyDown={() => (isByKey.current = true)}
      onKeyUp={() => (isByKey.current = false)}
    >
      <legend className="sr-only">{legend}</legend>
      <div className={`grid gap-2 ${look.row}`}>
        {answers.map((answer, index) => {
          const Icon = icons[index]!
          return (
            <label
              key={answer}
              title={look.label && labels[answer]}
              className={
                'relative cursor-pointer items-center rounded-control border-2 text-center font-semibold wrap-break-word transition ' +
                'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-mint ' +
                `${look.option} ` +
                (chosen === answer
                  ? chosenLooks[index]
                  : 'border-edge/45 bg-deep/60 text-ink hover:border-edge')
              }
            >
              <input
                type="radio"
                name={name}
                checked={chosen === answer}
                onChange={() => onAnswer(answer, isByKey.current)}
                className="absolute inset-0 scroll-mt-24 cursor-pointer appearance-none opacity-0"
              />
              <Icon aria-hidden className={look.icon} />
              <span className={look.label}>{labels[answer]}</span>
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
