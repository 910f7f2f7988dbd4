/** Find (NAV-9): its button and its keys. The dialogs themselves are loaded when they are first opened. */
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState, type ComponentType } from 'react'
import { navigation as text } from 'virtual:texts'
import { IconButton } from '../../ui/button.tsx'
import type { FindDialogsProps, Opened } from './opened.ts'
import { usesSingleKeys } from './single-keys.ts'

/** Also called in idle time, so that the first press is answered at once, and without a connection. */
export const loadFind = () => import('./find-dialogs.tsx')

/** Find and the list of keys, opened by the keys of NAV-9 and NAV-12 all over the page. */
export function useFind() {
  const [opened, setOpened] = useState<Opened>()
  const [hasFailed, setFailed] = useState(false)
  const [Dialogs, setDialogs] = useState<ComponentType<FindDialogsProps>>()
  // Typed before the dialog was there.
  const [typed, setTyped] = useState('')

  function open(what: Opened): void {
    setOpened(what)
    setTyped('')
    setFailed(false)
    if (what === undefined || Dialogs) return
    loadFind().then(
      ({ FindDialogs }) => setDialogs(() => FindDialogs),
      () => {
        setOpened(undefined)
        setFailed(true)
      },
    )
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return
    const { key } = event
    if (opened === 'find' && !Dialogs && key.length === 1) {
      event.preventDefault()
      return setTyped(typed + key)
    }
    const wanted = openedBy(event)
    if (wanted === undefined) return
    // What is open in front, such as a question, is to be answered first.
    if (opened === undefined && document.querySelector('dialog[open]')) return
    event.preventDefault()
    open(wanted === opened ? undefined : wanted)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])

  return {
    open: () => open('find'),
    dialogs: (
      <>
        {Dialogs && <Dialogs opened={opened} initial={typed} onOpen={open} />}
        <p role="alert" className="fixed inset-x-4 top-4 z-40 mx-auto w-fit text-rose empty:hidden">
          {hasFailed && text.findFailed}
        </p>
      </>
    ),
  }
}

/** What a key opens. Keys without Ctrl belong to a field while one types in it. */
function openedBy({ key, ctrlKey, metaKey, shiftKey, target }: KeyboardEvent): Opened {
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' && !shiftKey ? 'find' : undefined
  if ((key !== '/' && key !== '?') || isField(target) || !usesSingleKeys()) return undefined
  return key === '/' ? 'find' : 'keys'
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=radio], [type=checkbox]), textarea, select'))
  )
}

const controlKey = /Mac|iP/.test(navigator.platform) ? '⌘' : text.controlKey
const shortcuts = '/ Control+K Meta+K'

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
