/** What only whole lists of game nights need. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { mutate } from './http.ts'
import { keys } from './keys.ts'

/** Deletes a cancelled night for everyone. */
export function useDeleteNight(nightId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => mutate('DELETE /api/nights/:id', { params: { id: nightId } }),
    onSuccess: () => client.removeQueries({ queryKey: keys.night(nightId) }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.nightLists() }),
  })
}
