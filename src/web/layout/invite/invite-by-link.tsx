/** Inviting people to a group or a game night by a link (NIGHT-95): its button. */
import { Link2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { InviteTarget } from '../../data/invites.ts'
import type { Night } from '../../data/nights.ts'
import { nightLists as text } from '../../messages.ts'
import { Button } from '../../ui/button.tsx'
import { useLazyDialog } from '../../ui/lazy-dialog.tsx'

const load = async () => (await import('./invite-dialog.tsx')).InviteDialog

/** @param night of the target, whose message to a chat is in the dialog too (NIGHT-150) */
export function InviteByLink({
  target,
  night,
  isShort = false,
  opensAtOnce = false,
}: {
  target: InviteTarget
  night?: Night
  /** Only the icon on phones. */
  isShort?: boolean
  /** Also without the button being pressed, when it is first shown. */
  opensAtOnce?: boolean
}) {
  const { open, dialog } = useLazyDialog(load, { target, night })
  const isToOpen = useRef(opensAtOnce)
  useEffect(() => {
    if (isToOpen.current) open()
    isToOpen.current = false
  }, [open])
  return (
    <>
      <Button
        className={isShort ? 'max-sm:size-11 max-sm:p-0!' : ''}
        icon={<Link2 aria-hidden />}
        title={isShort ? text.invite : undefined}
        aria-haspopup="dialog"
        onClick={open}
      >
        <span className={isShort ? 'max-sm:sr-only' : ''}>{text.invite}</span>
      </Button>
      {dialog}
    </>
  )
}
