/** Syncs that failed: their pages show no error (PAGE-8), but say quietly what became of the last try (PAGE-27). */
import { useMutationState, type MutationKey } from '@tanstack/react-query'
import { failureText } from './api-error.ts'

/**
 * When the last request of this mutation was sent (ISO 8601) and why it failed, also of one sent before the screen was left;
 * undefined if it succeeded or still runs.
 */
export function useLastFailure(mutationKey: MutationKey): { at: string; why: string } | undefined {
  const last = useMutationState({ filters: { mutationKey }, select: ({ state }) => state }).at(-1)
  if (last?.status !== 'error') return undefined
  return { at: new Date(last.submittedAt).toISOString(), why: failureText(last.error, '') }
}
