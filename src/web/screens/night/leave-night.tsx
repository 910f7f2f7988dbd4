/** Leaving a night, after a question that says what becomes of one's vote (NIGHT-81). */
import { DoorOpen } from 'lucide-react'
import { useState } from 'react'
import { useCallAction } from '../../layout/call-action.ts'
import { type Night, useLeaveNight } from '../../data/nights.ts'
import { nights, nightSeries, group as groupTexts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice } from '../../ui/async-action.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'

const text = nights.people

export function LeaveNight({ night, onLeft }: { night: Night; onLeft: () => void }) {
  const { steamId: me } = useSignedIn()
  const leaving = useLeaveNight(me, night.night_id)
  const { busy, outcome, run } = useCallAction()
  const [isAsked, setAsked] = useState(false)
  const vote = !night.my.has_voted ? 'none' : night.status === 'open' ? 'open' : 'ended'
  return (
    <>
      <Button
        icon={<DoorOpen aria-hidden />}
        aria-haspopup="dialog"
        busy={busy}
        onClick={() => setAsked(true)}
      >
        {text.leave}
      </Button>
      <OutcomeNotice outcome={outcome} />
      <ConfirmDialog
        open={isAsked}
        title={text.leaveTitle}
        confirmLabel={groupTexts.leave}
        onConfirm={run(() => leaving.mutateAsync().then(onLeft), { failed: text.leaveFailed })}
        onClose={() => setAsked(false)}
      >
        <p>
          {text.leaveVote[vote]} {text.leaveConsequence}
        </p>
        {night.series && <LeavingSeries night={night} />}
      </ConfirmDialog>
    </>
  )
}

/** What becomes of the next nights: a group's members are asked to them, like before. */
function LeavingSeries({ night }: { night: Night }) {
  const { steamId: me } = useSignedIn()
  return (
    <>
      {night.host_steam_id === me && <p>{nightSeries.leavesAsHost}</p>}
      {!night.group && <p>{nightSeries.leavesChosen}</p>}
    </>
  )
}
