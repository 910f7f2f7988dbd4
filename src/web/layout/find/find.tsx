/** Find (NAV-9): its button and its key. The dialog itself is loaded when it is first opened. */
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { navigation as text } from 'virtual:texts'
import { IconButton } from '../../ui/forms/button.tsx'
import { useLazyDialog } from '../../ui/frames/lazy-dialog.tsx'

/** Also called in idle time, so that the first press is answered at once, and without a connection. */
export const loadFind = async () => (await import('./find-dialog.tsx')).FindDialog

/** Find, opened and closed by Ctrl+K all over the page. */
export function useFind() {
  const { isOpen, open, close, dialog } = useLazyDialog(loadFind, {})
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey, isComposing } = event
    if (key.toLowerCase() !== 'k' || !(ctrlKey || metaKey) || shiftKey || altKey || isComposing) return
    // What is open in front, such as a question, is to be answered first.
    if (!isOpen && document.querySelector('dialog[open]')) return
    event.preventDefault()
    if (isOpen) close()
    else open()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
  return { open, dialog: <div className="fixed inset-x-4 top-4 z-40 mx-auto w-fit">{dialog}</div> }
}

const controlKey = /Mac|iP/.test(navigator.platform) ? '⌘' : text.controlKey
const shortcuts = 'Control+K Meta+K'

/** The button of the sidebar, in the shape of a search. */
export function FindButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts={shortcuts}
      onClick={onOpen}
      className="flex min-h-11 w-full items-center gap-3 rounded-control border border-edge/45 bg-deep/60 px-3 text-[0.9375rem] font-medium text-soft transition hover:border-edge hover:text-ink"
    >
      <Search aria-hidden className="size-5 shrink-0" />
      {text.find}
      <kbd aria-hidden className="ml-auto font-sans text-xs">
        {controlKey} K
      </kbd>
    </button>
  )
}

/** The button of the top bar on small screens. */
export function FindIconButton({ onOpen }: { onOpen: () => void }) {
  return (
    <IconButton label={text.find} aria-haspopup="dialog" aria-keyshortcuts={shortcuts} onClick={onOpen}>
      <Search aria-hidden />
    </IconButton>
  )
}
