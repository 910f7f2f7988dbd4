/** Deleting the account, confirmed by typing a word. */
import { Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useDeleteAccount } from '../../data/account.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { messages } from '../../messages.ts'
import { account as texts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/async-action.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'

export function DeleteAccountCard() {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <Card title={texts.delete}>
      <p className="text-sm text-soft">{texts.deleteHint}</p>
      <Button
        variant="danger"
        icon={<Trash2 aria-hidden />}
        className="self-start"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {texts.deleteButton}
      </Button>
      <Dialog open={isOpen} title={texts.deleteTitle} onClose={close}>
        <Confirmation onCancel={close} />
      </Dialog>
    </Card>
  )
}

function Confirmation({ onCancel }: { onCancel: () => void }) {
  const { steamId } = useSignedIn()
  const deletion = useDeleteAccount(steamId)
  const action = useAsyncAction()
  const [typed, setTyped] = useState('')
  const isConfirmed = typed.trim().toUpperCase() === texts.deleteWord

  async function deleteAll(): Promise<Outcome | undefined> {
    try {
      // The deletion signs out, and the route guard redirects to /login.
      await deletion.mutateAsync()
      return undefined
    } catch (error) {
      return failedOutcome(texts.deleteFailed, error)
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isConfirmed) void action.start(deleteAll)
  }

  return (
    <form onSubmit={submit} className="grid gap-4">
      <p className="text-soft">{texts.deleteHint}</p>
      <p className="font-medium">{texts.deleteConsequence}</p>
      <TextField
        label={texts.deleteType({ word: texts.deleteWord })}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <OutcomeNotice outcome={action.outcome} />
      <footer className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" onClick={onCancel}>
          {messages.wizard.cancel}
        </Button>
        <Button
          type="submit"
          variant="danger"
          disabled={!isConfirmed}
          busy={action.busy}
          busyLabel={texts.deleting}
        >
          {texts.deleteConfirm}
        </Button>
      </footer>
    </form>
  )
}
