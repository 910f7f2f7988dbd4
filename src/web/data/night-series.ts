/** Game nights that repeat (SERIES-1). */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { mutate } from './http.ts'
import { keys } from './keys.ts'

/** Stops a night from repeating; nights that exist stay. */
export function useStopRepeating(nightId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (seriesId: number) => mutate('DELETE /api/night_series/:id', { params: { id: seriesId } }),
    // What the server refused was decided by what this page did not know yet.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.night(nightId) }),
        client.invalidateQueries({ queryKey: keys.nightLists() }),
      ]),
  })
}
