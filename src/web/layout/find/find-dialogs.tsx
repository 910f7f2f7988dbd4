/** The dialogs of Find and of the list of keys; one of them is open, or none. */
import type { Opened } from './find.tsx'
import { FindDialog } from './find-dialog.tsx'
import { KeysDialog } from './keys-dialog.tsx'

export type FindDialogsProps = {
  opened: Opened
  /** What was typed before the code was loaded. */
  initial: string
  onOpen: (what: Opened) => void
}

export function FindDialogs({ opened, initial, onOpen }: FindDialogsProps) {
  // A dialog reports that it has closed later, when the other one may be open.
  const close = (what: Opened) => what === opened && onOpen(undefined)
  return (
    <>
      <FindDialog
        open={opened === 'find'}
        initial={initial}
        onClose={() => close('find')}
        onKeys={() => onOpen('keys')}
      />
      <KeysDialog open={opened === 'keys'} onClose={() => close('keys')} />
    </>
  )
}
