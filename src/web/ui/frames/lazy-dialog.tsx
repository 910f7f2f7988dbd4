/** Dialogs whose code is loaded when they are first opened. */
import { useState, type ComponentType, type ReactNode } from 'react'
import { messages } from 'virtual:texts'

export type DialogState = { open: boolean; onClose: () => void }

/**
 * @param load resolves with the dialog's component; called at each opening until it succeeds
 * @returns `open` for the button, and `dialog`, which stays mounted beside it
 */
export function useLazyDialog<Props extends object>(
  load: () => Promise<ComponentType<Props & DialogState>>,
  props: Props,
): { isOpen: boolean; open: () => void; close: () => void; dialog: ReactNode } {
  const [Code, setCode] = useState<ComponentType<Props & DialogState>>()
  const [isOpen, setOpen] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const close = () => setOpen(false)

  function open(): void {
    setOpen(true)
    setFailed(false)
    if (Code) return
    load().then(
      (loaded) => setCode(() => loaded),
      () => {
        setOpen(false)
        setFailed(true)
      },
    )
  }

  const dialog = (
    <>
      {Code && <Code {...props} open={isOpen} onClose={close} />}
      <p role="alert" className="text-sm text-rose empty:hidden">
        {hasFailed && messages.somethingWrong}
      </p>
    </>
  )
  return { isOpen, open, close, dialog }
}
