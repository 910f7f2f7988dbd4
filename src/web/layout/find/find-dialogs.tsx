/** The dialogs of Find and of the list of keys; one of them is open, or none. */
import { FindDialog } from './find-dialog.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import type { FindDialogsProps, Opened } from './opened.ts'

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
