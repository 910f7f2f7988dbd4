/** What a card shows is loaded when the card comes into view. */
import { type RefObject, useEffect, useState } from 'react'

/** How far below the window the data of cards is loaded. */
const LOADED_BELOW = '300px'

/** Whether an element is or was in view. */
export function useWasInView(element: RefObject<Element | null>): boolean {
  const [wasInView, setInView] = useState(false)
  useEffect(() => {
    if (wasInView || !element.current) return
    const observer = new IntersectionObserver(
      (entries) => setInView(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: LOADED_BELOW },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [wasInView, element])
  return wasInView
}
