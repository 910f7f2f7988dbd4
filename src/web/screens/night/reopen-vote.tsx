/** Opens the vote again, for who leads the night, until the pick is drawn (NIGHT-126). */
import { useState } from 'react'
import { ListRestart } from 'lucide-react'
import { useCallAction } from '../../layout/call-action.ts'
import { type Night, useReopenVote } from '../../data/nights.ts'
import { nights } from '../../more-messages.ts'
import { OutcomeNotice } from '../../ui/async-action.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'

const text = nights.host

/** Nothing when it cannot be reopened. */
export function ReopenVote({ night }: { night: Night }) {
  const reopening = useReopenVote(night.night_id)
  const { busy, outcome, run } = useCallAction()
  const [isAsked, setAsked] = useState(false)
  const { status } = night
  if (!night.can_reopen || !night.my.leads || (status !== 'tied' && status !== 'decided')) return null
  return (
    <>
      <Button
        variant="quiet"
        icon={<ListRestart aria-hidden />}
        busy={busy}
        busyLabel={text.reopening}
        onClick={() => setAsked(true)}
      >
        {text.reopen}
      </Button>
      <OutcomeNotice outcome={outcome} />
      <ConfirmDialog
        open={isAsked}
        title={text.reopenTitle}
        isHarmless
        confirmLabel={text.reopen}
        onConfirm={run(() => reopening.mutateAsync(), { failed: text.reopenFailed })}
        onClose={() => setAsked(false)}
      >
        <p>{text.reopenText[status]}</p>
      </ConfirmDialog>
    </>
  )
}
