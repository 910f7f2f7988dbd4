/** Calls made by pressing a button, and their outcomes as notices show them. */
import { messages } from 'virtual:texts'
import { type Outcome, useAsyncAction } from '../ui/forms/async-action.tsx'
import { failureText, isNetworkError } from '../data/api-error.ts'

/** The outcome of a call that failed. @param text what failed; the server's reason follows it */
export function failedOutcome(text: string, error: unknown): Outcome {
  return {
    tone: 'error',
    text,
    reason: failureText(error, messages.somethingWrong),
    untilBack: isNetworkError(error),
  }
}

/**
 * Makes one call at a time.
 * @returns `run` makes the handler of a button; without `done` nothing is said of a success, because the page shows it
 */
export function useCallAction() {
  const { busy, outcome, start } = useAsyncAction()
  const run =
    (call: () => Promise<unknown>, { done, failed }: { done?: string; failed: string }) =>
    () =>
      void start(async () => {
        try {
          await call()
          return done === undefined ? undefined : { tone: 'success', text: done }
        } catch (error) {
          return failedOutcome(failed, error)
        }
      })
  return { busy, outcome, run }
}
