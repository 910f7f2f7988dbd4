/** Where one was on each page of the history: back and forward return there, a new page starts at the top. */
import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/** How long a page may take to become tall enough for the place to come back to. */
const WAIT_MS = 3000
const places = new Map<string, number>()

/** Renders nothing; stands once within the router. */
export function ScrollMemory() {
  const { key, pathname, hash } = useLocation()
  const navigation = useNavigationType()
  const shown = useRef<string>(undefined)

  useEffect(() => {
    history.scrollRestoration = 'manual'
  }, [])

  // Before the next frame: what replaces a page moves the window, and that is not where one was on it.
  useLayoutEffect(() => {
    // Captured, so that it asks before others have changed the page: after them it would force a layout.
    const remember = () => places.set(key, window.scrollY)
    window.addEventListener('scroll', remember, { passive: true, capture: true })
    return () => window.removeEventListener('scroll', remember, { capture: true })
  }, [key])

  useLayoutEffect(() => {
    const samePage = shown.current === pathname
    shown.current = pathname
    // A changed search or filter of the same page is no journey.
    if (navigation !== NavigationType.Pop) {
      if (!samePage) window.scrollTo(0, 0)
      return
    }
    // A link within the page has gone where it leads.
    if (hash === '') return returnTo(places.get(key) ?? 0)
  }, [key, pathname, hash, navigation])

  return null
}

/** Scrolls to a place as soon as the page is tall enough, unless the person moves first. */
function returnTo(top: number): () => void {
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
