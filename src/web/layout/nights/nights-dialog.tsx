/** All game nights of a person or a group, in a dialog (NIGHT-104). */
import type { NightList, NightListOf } from '../../data/night-lists.ts'
import { messages } from '../../messages.ts'
import { nightLists as text } from '../../messages/night-lists.ts'
import { Dialog } from '../../ui/dialog.tsx'
import type { DialogState } from '../../ui/lazy-dialog.tsx'
import { NightParts } from './night-parts.tsx'

export function NightsDialog({
  list,
  of,
  open,
  onClose,
}: DialogState & { list: NightList; of: NightListOf }) {
  return (
    <Dialog open={open} title={text.allTitle} closeLabel={messages.close} onClose={onClose}>
      <NightParts list={list} of={of} />
    </Dialog>
  )
}
