/** Modal dialogs on the browser's own `<dialog>`: it traps the focus, closes on Escape and gives the focus back. */
import { X } from 'lucide-react'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { messages } from '../messages.ts'
import { Button, IconButton } from './button.tsx'

/** Where a dialog begins: at its first field, or at what {@link ConfirmDialog} marks (LOOK-29). */
const FIRST_FOCUS = 'input, select, textarea, [data-first-focus]'

/**
 * Keeps a `<dialog>` as open as `open` says. Its content should be rendered only while it is open, so that it
 * starts anew each time. The browser focuses what comes first, such as the cross, where there is no better place.
 */
export function useModal(open: boolean) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    if (open && !element.open) {
      element.showModal()
      element.querySelector<HTMLElement>(FIRST_FOCUS)?.focus()
    }
    if (!open && element.open) element.close()
  }, [open])
  return dialog
}

/** A dialog with a heading and a cross. A click beside it closes it too. */
export function Dialog({
  open,
  title,
  onClose,
  children,
}: {
  open: boolean
  title: string
  onClose: () => void
  children: ReactNode
}) {
  const dialog = useModal(open)
  const heading = useId()
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      // Escape. The close event comes later, and whoever opens the dialog again in between keeps it open.
      onCancel={(event) => event.target === event.currentTarget && onClose()}
      onClose={(event) => !event.currentTarget.open && onClose()}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className="frosted m-auto w-[min(32rem,calc(100vw-2rem))] rounded-card p-0 text-ink"
    >
      {open && (
        <div className="animate-enter grid gap-4 p-5">
          <header className="flex items-center justify-between gap-3">
            <h2 id={heading} className="text-lg font-semibold tracking-tight">
              {title}
            </h2>
            <IconButton label={messages.wizard.cancel} onClick={onClose}>
              <X aria-hidden />
            </IconButton>
          </header>
          {children}
        </div>
      )}
    </dialog>
  )
}

/** Asks before something is taken away. It begins at Cancel, so that a second Enter changes nothing. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  onConfirm,
  onClose,
}: {
  open: boolean
  title: string
  /** What will happen, in a sentence. */
  children: ReactNode
  confirmLabel: string
  onConfirm: () => void
  onClose: () => void
}) {
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      <div className="text-soft">{children}</div>
      <footer className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" data-first-focus onClick={onClose}>
          {messages.wizard.cancel}
        </Button>
        <Button
          variant="danger"
          onClick={({ currentTarget }) => {
            // First: the focus is back where it was before what follows disables the button there.
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
