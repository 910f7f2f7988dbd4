/**
 * Buttons and links that look like buttons. Each view has one primary (mint) button, for the next step.
 * Requirements: LOOK-16.
 */
import { LoaderCircle } from 'lucide-react'
import {
  useLayoutEffect,
  useRef,
  type ComponentPropsWithoutRef,
  type ComponentProps,
  type ReactNode,
} from 'react'
import { Link, type LinkProps } from 'react-router'
import { isSecondClick } from './async-action.tsx'

type Look = {
  /** 'primary' for the next step, 'secondary' for the rest, 'quiet' in dense places, 'danger' for removing. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  /** A lucide icon, shown before the text. */
  icon?: ReactNode
}

const base =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-control px-4 py-2 text-sm font-semibold ' +
  'transition select-none active:scale-[0.985] disabled:opacity-60 disabled:active:scale-100 ' +
  'disabled:cursor-not-allowed [&_svg]:size-[1.15em] [&_svg]:shrink-0'
const variants = {
  primary: 'bg-mint text-ground shadow-glow hover:bg-mint-bright disabled:hover:bg-mint',
  secondary: 'border border-edge/45 bg-raised/70 text-ink hover:border-edge hover:bg-raised',
  quiet: 'text-soft hover:bg-raised/80 hover:text-ink',
  danger: 'border border-rose/40 bg-rose-deep/25 text-rose hover:bg-rose-deep/45',
} as const

/**
 * A button. While `busy` it is disabled, shows a spinner and reads `busyLabel`; afterwards it gets the focus back. A
 * double click counts as one click (PAGE-6).
 */
export function Button({
  variant = 'secondary',
  icon,
  busy = false,
  busyLabel,
  className = '',
  children,
  disabled,
  onClick,
  ...rest
}: ComponentPropsWithoutRef<'button'> & Look & { busy?: boolean; busyLabel?: string }) {
  const button = useRestoredFocus(busy)
  return (
    <button
      ref={button}
      type="button"
      {...rest}
      disabled={disabled || busy}
      onClick={(event) => {
        // A second click would submit a form again.
        if (isSecondClick(event)) event.preventDefault()
        else onClick?.(event)
      }}
      aria-busy={busy || undefined}
      className={`${base} ${variants[variant]} ${className}`}
    >
      {busy ? <LoaderCircle aria-hidden className="animate-spin" /> : icon}
      {busy && busyLabel !== undefined ? busyLabel : children}
    </button>
  )
}

/** Browsers take the focus from a disabled button; this restores it, unless the focus has moved elsewhere. */
function useRestoredFocus(busy: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (busy) hadFocus.current = document.activeElement === button.current
    else if (hadFocus.current) {
      hadFocus.current = false
      if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
    }
  }, [busy])
  return button
}

/** A link that looks like a button, for navigation within the product. */
export function ButtonLink({
  variant = 'secondary',
  icon,
  className = '',
  children,
  ...rest
}: LinkProps & Look) {
  return (
    <Link {...rest} className={`${base} ${variants[variant]} ${className}`}>
      {icon}
      {children}
    </Link>
  )
}

/** A square button with an icon only; its name is for screen readers and the tooltip. */
export function IconButton({
  label,
  children,
  className = '',
  ...rest
}: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={
        'inline-grid size-11 shrink-0 place-items-center rounded-control text-soft transition hover:bg-raised/80 ' +
        `hover:text-ink disabled:cursor-not-allowed disabled:opacity-45 [&_svg]:size-5 ${className}`
      }
    >
      {children}
    </button>
  )
}
