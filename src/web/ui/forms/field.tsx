/** Labelled inputs, with their messages below them. */
import { useId, type ComponentProps, type ReactNode } from 'react'
import { messages } from 'virtual:texts'
import { charactersIn } from './required-text.ts'
import { inputLook, selectLook } from '../looks.ts'

/** The character count is shown from this share of the maximum. */
const COUNTED_FROM = 0.8

/** A labelled text input; the label may be for screen readers only. */
export function TextField({
  label,
  hideLabel = false,
  error,
  hint,
  icon,
  maxCharacters,
  className = '',
  ...rest
}: Omit<ComponentProps<'input'>, 'value'> & {
  label: string
  value: string
  hideLabel?: boolean
  /** What is wrong with the value. */
  error?: string
  hint?: ReactNode
  /** A lucide icon at the start. */
  icon?: ReactNode
  /**
   * The maximum length on the server. More can be typed, and the field then shows an error; check `isTooLong` before
   * submitting.
   */
  maxCharacters?: number
}) {
  const id = useId()
  const count = charactersIn(rest.value)
  const isCounted = maxCharacters !== undefined && count >= COUNTED_FROM * maxCharacters
  const problem = isCounted && count > maxCharacters ? messages.field.tooLong({ max: maxCharacters }) : error
  const about = problem ?? hint
  const describedBy = [about !== undefined && `${id}-about`, isCounted && `${id}-count`].filter(Boolean)
  return (
    <div className={`grid gap-1.5 ${className}`}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium text-soft'}>
        {label}
      </label>
      <div className="relative">
        {icon !== undefined && (
          <span
            aria-hidden
            className="pointer-events-none absolute inset-y-0 left-3.5 grid place-items-center text-soft [&_svg]:size-4"
          >
            {icon}
          </span>
        )}
        <input
          id={id}
          {...rest}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={describedBy.join(' ') || undefined}
          className={`${inputLook} ${icon === undefined ? '' : 'pl-10'}`}
        />
      </div>
      {describedBy.length > 0 && (
        <div className="flex flex-wrap justify-between gap-x-4 text-sm">
          {about !== undefined && (
            <p
              id={`${id}-about`}
              role={problem === undefined ? undefined : 'alert'}
              className={problem === undefined ? 'text-soft' : 'text-rose'}
            >
              {about}
            </p>
          )}
          {isCounted && (
            <p id={`${id}-count`} className="ml-auto text-soft tabular-nums">
              {messages.field.count({ count, max: maxCharacters })}
            </p>
          )}
        </div>
      )}
    </div>
  )
}

/** A labelled `<select>`. */
export function Select<Value extends string>({
  label,
  hideLabel = false,
  options,
  value,
  onChange,
  className = '',
}: {
  label: string
  hideLabel?: boolean
  /** Text by value, in the order shown. */
  options: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
  className?: string
}) {
  const id = useId()
  return (
    <div className={`grid gap-1.5 ${className}`}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium text-soft'}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value as Value)}
        className={selectLook}
      >
        {Object.entries<string>(options).map(([option, text]) => (
          <option key={option} value={option} className="bg-deep">
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
