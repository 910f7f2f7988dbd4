/** Scroll positions of the history: back and forward restore them, a new page starts at the top. */
import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/** How long to wait for a page to become tall enough for its scroll position. */
const WAIT_MS = 3000
const positions = new Map<string, number>()

/** Renders nothing; used once, inside the router. */
export function ScrollMemory() {
  const { key, pathname, hash } = useLocation()
  const navigation = useNavigationType()
  const shown = useRef<string>(undefined)

  useEffect(() => {
    history.scrollRestoration = 'manual'
  }, [])

  // In a layout effect: the next page may move the window before an ordinary effect would stop recording.
  useLayoutEffect(() => {
    // In the capture phase: after other listeners changed the page, reading the position would force a layout.
    const remember = () => positions.set(key, window.scrollY)
    window.addEventListener('scroll', remember, { passive: true, capture: true })
    return () => window.removeEventListener('scroll', remember, { capture: true })
  }, [key])

  useLayoutEffect(() => {
    const samePage = shown.current === pathname
    shown.current = pathname
    // A changed search or filter of the same page must not scroll it.
    if (navigation !== NavigationType.Pop) {
      if (!samePage) window.scrollTo(0, 0)
      return
    }
    // The browser scrolls to the target of a link within the page.
    if (hash === '') return restore(positions.get(key) ?? 0)
  }, [key, pathname, hash, navigation])

  return null
}

/** Scrolls to a position as soon as the page is tall enough, unless the user scrolls first. */
function restore(top: number): () => void {
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
    for (const gesture of gestures) window.removeEventListener(gesture, stop)
  }
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, top)
    if (Math.abs(window.scrollY - top) < 2) stop()
  })
  const gestures = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
  for (const gesture of gestures) window.addEventListener(gesture, stop, { passive: true })
  const timer = setTimeout(stop, WAIT_MS)
  observer.observe(document.body)
  return stop
}
