/** Inviting people to a group or a game night by a link (NIGHT-95): its button. */
import { Link2 } from 'lucide-react'
import type { InviteTarget } from '../../data/invites.ts'
import { nightLists as text } from '../../messages/night-lists.ts'
import { Button } from '../../ui/button.tsx'
import { useLazyDialog } from '../../ui/lazy-dialog.tsx'

const load = async () => (await import('./invite-dialog.tsx')).InviteDialog

/** @param isShort shows only the icon on phones */
export function InviteByLink({ target, isShort = false }: { target: InviteTarget; isShort?: boolean }) {
  const { open, dialog } = useLazyDialog(load, {
    target,
  })
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
