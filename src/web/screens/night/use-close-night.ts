/** Ends the vote of a night, for its host (NIGHT-87). */
import { failureText } from '../../data/http.ts'
import { type Night, useCloseVote } from '../../data/nights.ts'
import { messages } from '../../messages.ts'
import { nights } from '../../messages/nights.ts'
import { useAsyncAction } from '../../ui/async-action.tsx'

export function useCloseNight({ night_id }: Pick<Night, 'night_id'>) {
  const closing = useCloseVote(night_id)
  const { busy, outcome, start } = useAsyncAction()
  return {
    busy,
    outcome,
    close: (by: 'votes' | 'draw', onClosed?: () => void) =>
      void start(async () => {
        try {
          await closing.mutateAsync(by)
          onClosed?.()
          return undefined
        } catch (error) {
          return {
            tone: 'error',
            text: nights.host.closeFailed,
            reason: failureText(error, messages.somethingWrong),
          }
        }
      }),
  }
}
