/** Texts that are required or have a length, counted as the server does (LIM-4). */
import { useRef, useState, type ChangeEvent, type RefObject } from 'react'

/**
 * The state of a text field that must not be blank, nor longer than `max` characters.
 * @param missing what the field says when it is blank as the form is sent
 * @param input the field, where something else focuses it too
 * @returns `field` are properties of a `TextField`; `check` gives the field the focus unless its text can be sent, and
 *   says whether it can; `text` is what to send
 */
export function useRequiredText({
  initial = '',
  max,
  missing,
  input,
}: {
  initial?: string
  max: number
  missing: string
  input?: RefObject<HTMLInputElement | null>
}) {
  const own = useRef<HTMLInputElement>(null)
  const ref = input ?? own
  const [value, setValue] = useState(initial)
  const [isMissing, setMissing] = useState(false)

  function check(): boolean {
    const isBlank = value.trim() === ''
    setMissing(isBlank)
    const isRefused = isBlank || isTooLong(value, max)
    if (isRefused) ref.current?.focus()
    return !isRefused
  }

  const field = {
    ref,
    autoComplete: 'off',
    'aria-required': true,
    maxCharacters: max,
    value,
    error: isMissing ? missing : undefined,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setValue(event.target.value)
      setMissing(false)
    },
  }
  return { field, text: value.trim(), check, setText: setValue }
}

/** The number of code points; `String.length` counts some characters twice, such as emoji. */
export function charactersIn(text: string): number {
  return [...text.trim()].length
}

/** Whether the server would refuse a text as too long. */
export function isTooLong(text: string, max: number): boolean {
  return charactersIn(text) > max
}
