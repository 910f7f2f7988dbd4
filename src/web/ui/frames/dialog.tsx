/** Modal dialogs with the browser's `<dialog>`, which traps the focus, closes on Escape and restores the focus. */
import { X } from 'lucide-react'
import { useEffect, useId, useRef, type ReactNode, type SyntheticEvent } from 'react'
import { wizard } from 'virtual:texts'
import { Button, IconButton } from '../forms/button.tsx'

/** The initial focus of a dialog: its first field, or the button that {@link ConfirmDialog} marks (LOOK-16). */
const FIRST_FOCUS = 'input, select, textarea, [data-first-focus]'

/**
 * Opens and closes a `<dialog>`, also by Escape and a click on the backdrop. Render its content only while it is open, so that
 * it is reset each time. Without a match for {@link FIRST_FOCUS} the browser focuses the first control, such as the cross.
 * @returns what the `<dialog>` gets
 */
export function useModal(open: boolean, onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null)
  const pressedOutside = useRef(false)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    if (open && !element.open) {
      element.showModal()
      element.querySelector<HTMLElement>(FIRST_FOCUS)?.focus()
    }
    if (!open && element.open) element.close()
  }, [open])
  const isOutside = (event: SyntheticEvent) => event.target === event.currentTarget
  return {
    ref,
    // For Escape; the close event comes later, when the dialog may have been opened again.
    onCancel: (event: SyntheticEvent) => isOutside(event) && onClose(),
    onClose: (event: SyntheticEvent<HTMLDialogElement>) => !event.currentTarget.open && onClose(),
    // Only if the press also began there: selecting a field's text may end outside the dialog.
    onPointerDown: (event: SyntheticEvent) => (pressedOutside.current = isOutside(event)),
    onClick: (event: SyntheticEvent) => isOutside(event) && pressedOutside.current && onClose(),
  }
}

/** A dialog with a heading and a cross; a click on the backdrop closes it too. */
export function Dialog({
  open,
  title,
  closeLabel = wizard.cancel,
  onClose,
  children,
}: {
  open: boolean
  title: string
  /** The name of the cross, where there is nothing to cancel. */
  closeLabel?: string
  onClose: () => void
  children: ReactNode
}) {
  const modal = useModal(open, onClose)
  const heading = useId()
  return (
    <dialog
      {...modal}
      aria-labelledby={heading}
      // From the top, so that it only grows downwards.
      className="frosted mx-auto mt-[4svh] max-h-[92svh] w-[min(32rem,calc(100vw-2rem))] scroll-pb-24 rounded-card p-0 text-ink"
    >
      {open && (
        <div className="animate-enter grid gap-4 p-5">
          <div className="flex items-center justify-between gap-3">
            <h2 id={heading} className="text-lg font-semibold tracking-tight">
              {title}
            </h2>
            <IconButton label={closeLabel} onClick={onClose}>
              <X aria-hidden />
            </IconButton>
          </div>
          {children}
        </div>
      )}
    </dialog>
  )
}

/** Asks before something is removed, or ended for all. The focus is on Cancel, so that a second Enter changes nothing. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  closeLabel = wizard.cancel,
  isHarmless = false,
  onConfirm,
  onClose,
}: {
  open: boolean
  title: string
  /** The consequence, in a sentence. */
  children: ReactNode
  confirmLabel: string
  closeLabel?: string
  /** Nothing is lost by it, so it is not red. */
  isHarmless?: boolean
  onConfirm: () => void
  onClose: () => void
}) {
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      <div className="text-soft">{children}</div>
      <footer className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" data-first-focus onClick={onClose}>
          {closeLabel}
        </Button>
        <Button
          variant={isHarmless ? 'primary' : 'danger'}
          onClick={({ currentTarget }) => {
            // Closed first: this restores the focus before the action disables the button that opened the dialog.
            currentTarget.closest('dialog')?.close()
            onClose()
            onConfirm()
          }}
        >
          {confirmLabel}
        </Button>
      </footer>
    </Dialog>
  )
}
