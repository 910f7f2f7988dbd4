/** Opens the list of all nights of a person or a group (NIGHT-104). */
import { History } from 'lucide-react'
import type { NightList, NightListOf } from '../../data/night-lists.ts'
import { nightLists as text } from '../../messages/night-lists.ts'
import { Button } from '../../ui/button.tsx'
import { useLazyDialog } from '../../ui/lazy-dialog.tsx'

const load = async () => (await import('./nights-dialog.tsx')).NightsDialog
const NONE: NightList = { nights: [], more_from: [] }

/** Invisible without nights; only an icon in small windows. */
export function AllNights({ list = NONE, of }: { list: NightList | undefined; of: NightListOf }) {
  const { open, dialog } = useLazyDialog(load, { list, of })
  const count = list.more_from.reduce((sum, host) => sum + host.count, list.nights.length)
  return (
    <>
      <Button
        variant="quiet"
        icon={<History aria-hidden />}
        title={text.all(count)}
        aria-haspopup="dialog"
        className={`shrink-0 max-xl:size-11 max-xl:p-0! max-xl:[&_svg]:size-5! ${count === 0 ? 'hidden!' : ''}`}
        onClick={open}
      >
        <span className="max-xl:sr-only">{text.all(count)}</span>
      </Button>
      {dialog}
    </>
  )
}
