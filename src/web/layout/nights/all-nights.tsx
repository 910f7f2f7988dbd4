/** Opens the list of all nights of a person or a group (NIGHT-122). */
import { History } from 'lucide-react'
import type { NightSummary } from '#shared/nights/entities.ts'
import { nightLists as text } from '../../messages/night-lists.ts'
import { IconButton } from '../../ui/button.tsx'
import { useLazyDialog } from '../../ui/lazy-dialog.tsx'

const load = async () => (await import('./nights-dialog.tsx')).NightsDialog

/** Invisible without nights. */
export function AllNights({ nights, ofGroup }: { nights: readonly NightSummary[]; ofGroup: boolean }) {
  const { open, dialog } = useLazyDialog(load, { nights, ofGroup })
  return (
    <>
      <IconButton
        label={text.all(nights.length)}
        aria-haspopup="dialog"
        className={nights.length === 0 ? 'hidden!' : ''}
        onClick={open}
      >
        <History aria-hidden />
      </IconButton>
      {dialog}
    </>
  )
}
