/** Focus and live regions after an action removed the element that the user was on. */
import { useEffect, useRef, useState } from 'react'

/** Whether a value has been true since the first render: a live region has to exist before its text. */
export function useWasEverTrue(value: boolean): boolean {
  const [wasEver, setWasEver] = useState(value)
  if (value && !wasEver) setWasEver(true)
  return wasEver || value
}

/** Moves the focus to an element when `value` is set, because the button that had the focus is gone. */
export function useFocusWhenSet<Target extends HTMLElement>(value: unknown) {
  const target = useRef<Target>(null)
  useEffect(() => {
    if (value !== undefined) target.current?.focus()
  }, [value])
  return target
}
