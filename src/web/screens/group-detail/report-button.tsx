/** Reporting the name or picture of a group to the operator (OPER-13); for everyone but its owner. */
import { Flag } from 'lucide-react'
import { reportTexts as texts } from '../../more-messages.ts'
import { Button } from '../../ui/button.tsx'
import { useLazyDialog } from '../../ui/lazy-dialog.tsx'

export function ReportGroup({ groupId }: { groupId: number }) {
  const { open, dialog } = useLazyDialog(
    async () => (await import('./report-group-dialog.tsx')).ReportGroupDialog,
    { groupId },
  )
  return (
    <div className="grid justify-items-start">
      <Button variant="quiet" icon={<Flag aria-hidden />} aria-haspopup="dialog" onClick={open}>
        {texts.button}
      </Button>
      {dialog}
    </div>
  )
}
