/**
 * Ends the vote of a night, for its host (NIGHT-87).
 * Requirements: NIGHT-139.
 */
import { useCallAction } from '../../layout/call-action.ts'
import { type Night, useCloseVote, useDraw } from '../../data/nights.ts'
import { nights } from '../../more-messages.ts'

export function useCloseNight({ night_id }: Pick<Night, 'night_id'>) {
  const closing = useCloseVote(night_id)
  const drawing = useDraw(night_id)
  const { busy, outcome, run } = useCallAction()
  return {
    busy,
    outcome,
    /** Who has chosen a draw has confirmed it: it is drawn at once. Of a tie the odds are looked at first. */
    close: (by: 'votes' | 'draw', onClosed?: () => void) =>
      run(
        async () => {
          const { status } = await closing.mutateAsync(by)
          onClosed?.()
          // What fails now is on the page with the button that draws.
          if (by === 'draw' && status === 'tied') await drawing.mutateAsync()
        },
        { failed: nights.host.closeFailed },
      )(),
  }
}
