/** A filter that is on or off: a checkbox that looks like a chip. */
import { Check } from 'lucide-react'

/** @param title says why it is disabled */
export function Toggle({
  children,
  checked,
  onChange,
  disabled = false,
  title,
}: {
  children: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  title?: string
}) {
  return (
    <label
      title={title}
      className={
        'relative inline-flex min-h-11 items-center gap-2 rounded-control border px-3.5 py-1 text-sm font-medium ' +
        'transition has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-mint ' +
        (disabled ? 'opacity-60 ' : 'cursor-pointer hover:border-edge ') +
        (checked ? 'border-violet bg-violet-deep/45 text-ink' : 'border-edge/45 bg-deep/60 text-soft')
      }
    >
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="absolute -inset-px appearance-none opacity-0 not-disabled:cursor-pointer"
      />
      <span
        aria-hidden
        className={`grid size-4 shrink-0 place-items-center rounded-[0.25rem] border ${checked ? 'border-violet bg-violet text-ground' : 'border-edge'}`}
      >
        {checked && <Check className="size-3.5" strokeWidth={3} />}
      </span>
      {children}
    </label>
  )
}
