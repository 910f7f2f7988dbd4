/** Sharing the pick by a link (NIGHT-107): its button. */
import { Share2 } from 'lucide-react'
import type { Night } from '../../data/nights.ts'
import { nightShare as text } from '../../more-messages.ts'
import { Button } from '../../ui/button.tsx'
import { useLazyDialog } from '../../ui/lazy-dialog.tsx'

const load = async () => (await import('./share-dialog.tsx')).ShareDialog

export function SharePick({ night, game }: { night: Night; game: string }) {
  const { open, dialog } = useLazyDialog(load, { night, game })
  return (
    <>
      <Button icon={<Share2 aria-hidden />} aria-haspopup="dialog" onClick={open}>
        {text.share}
      </Button>
      {dialog}
    </>
  )
}
