/** Starting a game night (NIGHT-92): its button, on the dashboard, in groups and among friends. */
import { CalendarPlus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { nightLists as text } from 'virtual:texts'
import { Button } from '../../ui/forms/button.tsx'
import { useLazyDialog } from '../../ui/frames/lazy-dialog.tsx'
import type { StartWith } from './start-with.ts'

const load = async () => (await import('./start-night-dialog.tsx')).StartNightDialog

export function StartNight({
  startWith,
  isShort = false,
  variant,
  label = text.start,
  opensAtOnce = false,
  className = '',
}: {
  startWith: StartWith
  /** Shows only the icon on phones, where a night needs the room. */
  isShort?: boolean
  /** 'primary' where starting a night is the next step. */
  variant?: 'primary' | 'quiet'
  /** In place of 'Start a game night'. */
  label?: string
  /** Also without the button being pressed, when it is first shown (INST-1). */
  opensAtOnce?: boolean
  className?: string
}) {
  const { open, dialog } = useLazyDialog(load, { startWith })
  const isToOpen = useRef(opensAtOnce)
  useEffect(() => {
    if (isToOpen.current) open()
    isToOpen.current = false
  }, [open])
  return (
    <>
      <Button
        {...(variant && { variant })}
        className={className}
        icon={<CalendarPlus aria-hidden />}
        aria-haspopup="dialog"
        onClick={open}
      >
        <span className={isShort ? 'max-sm:sr-only' : ''}>{label}</span>
      </Button>
      {dialog}
    </>
  )
}
