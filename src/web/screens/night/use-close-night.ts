/** Ends the vote of a night, for its host (NIGHT-87). */
import { useCallAction } from '../../data/call-action.ts'
import { type Night, useCloseVote } from '../../data/nights.ts'
import { nights } from '../../messages/nights.ts'

export function useCloseNight({ night_id }: Pick<Night, 'night_id'>) {
  const closing = useCloseVote(night_id)
  const { busy, outcome, run } = useCallAction()
  return {
    busy,
    outcome,
    close: (by: 'votes' | 'draw', onClosed?: () => void) =>
      run(() => closing.mutateAsync(by).then(() => onClosed?.()), { failed: nights.host.closeFailed })(),
  }
}
