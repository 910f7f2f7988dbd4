/** Inviting people to a group or a game night by a link (NIGHT-95): its button. */
import { Link2, Megaphone } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { InviteTarget } from '../../data/invites.ts'
import type { Night } from '../../data/nights.ts'
import { nightLists as text } from 'virtual:texts'
import { Button } from '../../ui/forms/button.tsx'
import { useLazyDialog } from '../../ui/frames/lazy-dialog.tsx'

const load = async () => (await import('./invite-dialog.tsx')).InviteDialog

/** @param night of the target, whose message to a chat is in the dialog too (NIGHT-150) */
export function InviteByLink({
  target,
  night,
  isShort = false,
  variant,
  label = night ? text.tell : text.invite,
}: {
  target: InviteTarget
  night?: Night
  /** Only the icon on phones. */
  isShort?: boolean
  variant?: 'primary' | 'quiet'
  label?: string
}) {
  const { open, dialog } = useLazyDialog(load, { target, night })
  const Icon = night ? Megaphone : Link2
  return (
    <>
      <Button
        className={isShort ? 'max-sm:size-11 max-sm:p-0!' : ''}
        variant={variant}
        icon={<Icon aria-hidden />}
        title={isShort ? label : undefined}
        aria-haspopup="dialog"
        onClick={open}
      >
        <span className={isShort ? 'max-sm:sr-only' : ''}>{label}</span>
      </Button>
      {dialog}
    </>
  )
}

/** Opens the dialog of a night that was just started, by the navigation state; not again after a reload. */
export function TellAtOnce({ night }: { night: Night }) {
  const { open, dialog } = useLazyDialog(load, { target: { kind: 'night', id: night.night_id }, night })
  const { state } = useLocation() as { state: { tell?: boolean } | null }
  const navigate = useNavigate()
  const isToOpen = useRef(state?.tell === true)
  useEffect(() => {
    if (!isToOpen.current) return
    isToOpen.current = false
    open()
    void navigate('.', { replace: true, state: null })
  }, [navigate, open])
  return dialog
}
