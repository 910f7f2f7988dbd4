/** What the owner of a group sets for its game nights: rules and sharing (NIGHT-109). */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type InputOf, mutate, query } from './http.ts'
import { keys } from './keys.ts'

/** What a group has chosen for its nights; its owner may have changed it, so it is always read. */
export const nightSettingsQuery = (groupId: number) =>
  queryOptions({
    queryKey: keys.nightSettings(groupId),
    queryFn: ({ signal }) => query('GET /api/groups/:id/night_settings', { params: { id: groupId } }, signal),
    staleTime: 0,
  })

/** Changes what a group has chosen for its nights. */
export function useChangeNightSettings(groupId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<'PUT /api/groups/:id/night_settings'>['body']) =>
      mutate('PUT /api/groups/:id/night_settings', { params: { id: groupId }, body }),
    onSuccess: (settings) => {
      client.setQueryData(keys.nightSettings(groupId), settings)
      // Links may be gone.
      client.removeQueries({ queryKey: keys.shares() })
    },
  })
}
