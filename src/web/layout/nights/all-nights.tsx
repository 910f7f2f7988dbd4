/** Opens the list of all nights of a person or a group (NIGHT-104). */
import { History } from 'lucide-react'
import type { NightSummary } from '#shared/nights/entities.ts'
import { nightLists as text } from '../../messages/night-lists.ts'
import { Button } from '../../ui/button.tsx'
import { useLazyDialog } from '../../ui/lazy-dialog.tsx'

const load = async () => (await import('./nights-dialog.tsx')).NightsDialog

/** Invisible without nights; only an icon in small windows. */
export function AllNights({ nights, ofGroup }: { nights: readonly NightSummary[]; ofGroup: boolean }) {
  const { open, dialog } = useLazyDialog(load, { nights, ofGroup })
  return (
    <>
      <Button
        variant="quiet"
        icon={<History aria-hidden />}
        title={text.all(nights.length)}
        aria-haspopup="dialog"
        className={`shrink-0 max-xl:size-11 max-xl:p-0! max-xl:[&_svg]:size-5! ${nights.length === 0 ? 'hidden!' : ''}`}
        onClick={open}
      >
        <span className="max-xl:sr-only">{text.all(nights.length)}</span>
      </Button>
      {dialog}
    </>
  )
}
