/** Stops a game night from repeating, after a question (SERIES-11). */
import { useCallAction } from '../../layout/call-action.ts'
import { useStopRepeating, type Night } from '../../data/nights.ts'
import { nightSeries as text } from '../../more-messages.ts'
import { OutcomeNotice } from '../../ui/async-action.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'

/** @param onStopped called when the button is about to go */
export function StopRepeating({ night, onStopped }: { night: Night; onStopped: () => void }) {
  const stopping = useStopRepeating(night.night_id)
  const { busy, outcome, run } = useCallAction()
  const { series } = night
  if (!series || !night.my.may_stop_repeating) return null
  return (
    <>
      <OutcomeNotice outcome={outcome} />
      <ConfirmButton
        busy={busy}
        busyLabel={text.stopping}
        question={text.stopTitle}
        consequence={text.stopText}
        onConfirm={run(() => stopping.mutateAsync(series.series_id).then(onStopped), {
          failed: text.stopFailed,
        })}
      >
        {text.stop}
      </ConfirmButton>
    </>
  )
}
