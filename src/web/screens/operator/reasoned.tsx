/** Actions of an operator: each asks first, needs a reason for the log, and says what came of it (OPER-17). */
import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { OPERATOR_REASON_MAX } from '#shared/limits.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { operator as texts } from '../../more-messages.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/async-action.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { useRequiredText } from '../../ui/required-text.ts'

export type Asked = {
  title: string
  /** The consequence, in a sentence. */
  text: string
  /** Whom or what it concerns. */
  subject?: ReactNode
  confirmLabel: string
  /** Nothing is lost by it, so it is not red. */
  isHarmless?: boolean
  run: (reason: string) => Promise<unknown>
  done: string
}

/**
 * @returns `ask` opens the dialog; `notice` has the outcome, and gets the focus because the button that was pressed may
 *   have gone; render both it and `dialog`
 */
export function useReasoned(): { ask: (asked: Asked) => void; notice: ReactNode; dialog: ReactNode } {
  const [asked, setAsked] = useState<Asked>()
  const [done, setDone] = useState<Outcome>()
  const box = useRef<HTMLDivElement>(null)
  const close = () => setAsked(undefined)
  return {
    ask: (next) => {
      setDone(undefined)
      setAsked(next)
    },
    notice: (
      <div ref={box} tabIndex={-1} className={done ? 'focus-visible:outline-none' : 'sr-only'}>
        <OutcomeNotice outcome={done} />
      </div>
    ),
    dialog: (
      <Dialog open={asked !== undefined} title={asked?.title ?? ''} onClose={close}>
        {asked && (
          <Confirmation
            asked={asked}
            onCancel={close}
            onDone={() => {
              setDone({ tone: 'success', text: asked.done })
              close()
              // After the dialog has given the focus back.
              setTimeout(() => box.current?.focus())
            }}
          />
        )}
      </Dialog>
    ),
  }
}

function Confirmation({
  asked,
  onCancel,
  onDone,
}: {
  asked: Asked
  onCancel: () => void
  onDone: () => void
}) {
  const action = useAsyncAction()
  const reason = useRequiredText({ max: OPERATOR_REASON_MAX, missing: texts.reasonMissing })

  async function run(): Promise<Outcome | undefined> {
    try {
      await asked.run(reason.text)
      onDone()
      return undefined
    } catch (error) {
      return failedOutcome(texts.actionFailed, error)
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (reason.check()) void action.start(run)
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      {asked.subject !== undefined && <div className="min-w-0 font-semibold">{asked.subject}</div>}
      <p className="text-soft">{asked.text}</p>
      <TextField label={texts.reason} hint={texts.reasonHint} {...reason.field} />
      <OutcomeNotice outcome={action.outcome} />
      <footer className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" onClick={onCancel}>
          {texts.cancel}
        </Button>
        <Button
          type="submit"
          variant={asked.isHarmless === true ? 'primary' : 'danger'}
          busy={action.busy}
          busyLabel={texts.working}
        >
          {asked.confirmLabel}
        </Button>
      </footer>
    </form>
  )
}
