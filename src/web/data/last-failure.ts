/** Syncs that failed: their pages show no error (PAGE-8), but say quietly what became of the last try (PAGE-27). */
import { useMutationState, type MutationKey } from '@tanstack/react-query'
import { failureText } from './api-error.ts'

/** When a request was sent (ISO 8601), and why it failed; undefined if the last one succeeded or still runs. */
export type LastFailure = { at: string; why: string }

/** The failure of the last request of this mutation, also of one sent before the screen was left. */
export function useLastFailure(mutationKey: MutationKey): LastFailure | undefined {
  const last = useMutationState({ filters: { mutationKey }, select: ({ state }) => state }).at(-1)
  if (last?.status !== 'error') return undefined
  return { at: new Date(last.submittedAt).toISOString(), why: failureText(last.error, '') }
}
