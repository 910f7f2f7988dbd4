/** The dialog in which a group is reported (OPER-13). */
import { useRef, useState, type FormEvent } from 'react'
import { REPORT_REASON_MAX } from '#shared/limits.ts'
import { failureText } from '../../data/http.ts'
import { reportGroup } from '../../data/operator.ts'
import { messages } from '../../messages.ts'
import { reportTexts as texts } from '../../messages/report-group.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/async-action.tsx'
import { Button } from '../../ui/button.tsx'
import { isTooLong } from '../../ui/characters.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import type { DialogState } from '../../ui/lazy-dialog.tsx'

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
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const isSent = action.outcome?.tone === 'success'

  async function send(): Promise<Outcome> {
    try {
      await reportGroup(groupId, { about, reason: reason.trim() })
      return { tone: 'success', text: texts.sent }
    } catch (error) {
      return { tone: 'error', text: texts.failed, reason: failureText(error, messages.somethingWrong) }
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const isBlank = reason.trim() === ''
    setMissing(isBlank)
    if (isBlank || isTooLong(reason, REPORT_REASON_MAX)) field.current?.focus()
    else void action.start(send)
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      {!isSent && (
        <>
          <p className="text-soft">{texts.text}</p>
          <Select label={texts.what} options={texts.about} value={about} onChange={setAbout} />
          <TextField
            ref={field}
            label={texts.reason}
            autoComplete="off"
            aria-required
            maxCharacters={REPORT_REASON_MAX}
            value={reason}
            error={isMissing ? texts.reasonMissing : undefined}
            onChange={(event) => {
              setReason(event.target.value)
              setMissing(false)
            }}
          />
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
