/** What is left on the screen when the thing one answered is gone from it. */
import { useEffect, useRef, useState } from 'react'

/** Whether something has been true since this was first drawn: a live region has to be there before its text. */
export function useWasEver(isNow: boolean): boolean {
  const [wasEver, setWasEver] = useState(isNow)
  if (isNow && !wasEver) setWasEver(true)
  return wasEver || isNow
}

/** Puts the focus on a place after an answer, because the button that had it is gone. */
export function useFocusAfter<Place extends HTMLElement>(answer: unknown) {
  const place = useRef<Place>(null)
  useEffect(() => {
    if (answer !== undefined) place.current?.focus()
  }, [answer])
  return place
}
