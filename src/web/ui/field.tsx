/** Labelled inputs. Messages about an input stand beneath it and are tied to it. */
import { ChevronDown } from 'lucide-react'
import { useId, type ComponentProps, type ReactNode } from 'react'

export const inputLook =
  'min-h-11 w-full rounded-control border border-edge/70 bg-deep/80 px-3.5 py-2 text-base text-ink transition ' +
  'hover:border-edge focus-visible:border-mint focus-visible:outline-offset-0 aria-invalid:border-rose md:text-sm'

/** A line of text with its label; the label may be for screen readers only. */
export function TextField({
  label,
  hideLabel = false,
  error,
  hint,
  icon,
  className = '',
  ...rest
}: ComponentProps<'input'> & {
  label: string
  hideLabel?: boolean
  /** What is wrong with what was entered. */
  error?: string
  hint?: ReactNode
  /** A lucide icon at the start. */
  icon?: ReactNode
}) {
  const id = useId()
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
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error !== undefined || hint !== undefined ? `${id}-about` : undefined}
          className={`${inputLook} ${icon === undefined ? '' : 'pl-10'}`}
        />
      </div>
      {(error !== undefined || hint !== undefined) && (
        <p
          id={`${id}-about`}
          role={error === undefined ? undefined : 'alert'}
          className={`text-sm ${error === undefined ? 'text-soft' : 'text-rose'}`}
        >
          {error ?? hint}
        </p>
      )}
    </div>
  )
}

/** A choice of one, the browser's own. */
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
  /** Value to text, in the order shown. */
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
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value as Value)}
          className={`${inputLook} appearance-none pr-10`}
        >
          {Object.entries<string>(options).map(([option, text]) => (
            <option key={option} value={option} className="bg-deep">
              {text}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-soft"
        />
      </div>
    </div>
  )
}
