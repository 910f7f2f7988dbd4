/** The dialog in which a group is reported (OPER-13). */
import { useState, type FormEvent } from 'react'
import { REPORT_REASON_MAX } from '#shared/limits.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { reportGroup } from '../../data/operator.ts'
import { report as texts } from 'virtual:texts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/forms/async-action.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Dialog } from '../../ui/frames/dialog.tsx'
import { Select, TextField } from '../../ui/forms/field.tsx'
import type { DialogState } from '../../ui/frames/lazy-dialog.tsx'
import { useRequiredText } from '../../ui/forms/required-text.ts'

export function ReportGroupDialog({ groupId, open, onClose }: DialogState & { groupId: number }) {
  return (
    <Dialog open={open} title={texts.title} onClose={onClose}>
      <Report groupId={groupId} onClose={onClose} />
    </Dialog>
  )
}

function Report({ groupId, onClose }: { groupId: number; onClose: () => void }) {
  const action = useAsyncAction()
  const [about, setAbout] = useState<'name' | 'picture'>('name')
  const reason = useRequiredText({ max: REPORT_REASON_MAX, missing: texts.reasonMissing })
  const isSent = action.outcome?.tone === 'success'

  async function send(): Promise<Outcome> {
    try {
      await reportGroup(groupId, { about, reason: reason.text })
      return { tone: 'success', text: texts.sent }
    } catch (error) {
      return failedOutcome(texts.failed, error)
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (reason.check()) void action.start(send)
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      {!isSent && (
        <>
          <p className="text-soft">{texts.text}</p>
          <Select label={texts.what} options={texts.about} value={about} onChange={setAbout} />
          <TextField label={texts.reason} {...reason.field} />
        </>
      )}
      <OutcomeNotice outcome={action.outcome} />
      <footer className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" onClick={onClose}>
          {isSent ? texts.close : texts.cancel}
        </Button>
        {!isSent && (
          <Button type="submit" variant="primary" busy={action.busy} busyLabel={texts.sending}>
            {texts.send}
          </Button>
        )}
      </footer>
    </form>
  )
}
