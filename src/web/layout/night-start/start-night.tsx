/** Starting a game night (NIGHT-110): its button, on the dashboard, in groups and among friends. */
import { Moon } from 'lucide-react'
import { nightLists as text } from '../../messages/night-lists.ts'
import { Button } from '../../ui/button.tsx'
import { useLazyDialog } from '../../ui/lazy-dialog.tsx'
import type { StartWith } from './start-with.ts'

const load = async () => (await import('./start-night-dialog.tsx')).StartNightDialog

export function StartNight({
  startWith,
  isShort = false,
  className = '',
}: {
  startWith: StartWith
  /** Shows one word on phones, beside a heading that says the rest. */
  isShort?: boolean
  className?: string
}) {
  const { open, dialog } = useLazyDialog(load, { startWith })
  return (
    <>
      <Button className={className} icon={<Moon aria-hidden />} aria-haspopup="dialog" onClick={open}>
        <span>
          {text.start.verb}
          <span className={isShort ? 'max-sm:sr-only' : ''}> {text.start.what}</span>
        </span>
      </Button>
      {dialog}
    </>
  )
}
