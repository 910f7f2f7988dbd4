/** A night in a list, with a button that deletes it where it is cancelled and mine to delete (NIGHT-116). */
import { Trash2 } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { useCallAction } from '../call-action.ts'
import { useDeleteNight } from '../../data/whole-night-lists.ts'
import { wholeNightLists as text } from '../../more-messages.ts'
import { OutcomeNotice } from '../../ui/async-action.tsx'
import { IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { NightRow, nightName } from './night-row.tsx'

/** @param onDeleted called when the night, and the button with the focus, are about to go */
export function DeletableNight({
  onDeleted,
  ...row
}: ComponentProps<typeof NightRow> & { onDeleted: () => void }) {
  const { night } = row
  const deletion = useDeleteNight(night.night_id)
  const action = useCallAction()
  const [isAsking, setAsking] = useState(false)
  if (night.status !== 'cancelled' || !night.may_delete) return <NightRow {...row} />
  return (
    <>
      <div className="flex min-w-0 items-center">
        <div className="min-w-0 flex-1">
          <NightRow {...row} />
        </div>
        <IconButton
          label={text.delete({ name: nightName(night) })}
          aria-haspopup="dialog"
          disabled={action.busy}
          onClick={() => setAsking(true)}
        >
          <Trash2 aria-hidden />
        </IconButton>
      </div>
      <OutcomeNotice outcome={action.outcome} />
      <ConfirmDialog
        open={isAsking}
        title={text.deleteTitle}
        confirmLabel={text.deleteConfirm}
        onConfirm={action.run(() => deletion.mutateAsync().then(onDeleted), { failed: text.deleteFailed })}
        onClose={() => setAsking(false)}
      >
        <p>{text.deleteText}</p>
      </ConfirmDialog>
    </>
  )
}
