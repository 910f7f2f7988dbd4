/** The pickers of people on the dashboard. */
import { queryOptions } from '@tanstack/react-query'

/**
 * The code of the pickers is loaded after the cards, because it is a tenth of the dashboard's code. It is a query, so
 * that it is refetched like data after an outage (PAGE-19).
 */
export const pickers = queryOptions({
  queryKey: ['code', 'pickers'],
  queryFn: async () => {
    const [{ FriendPicker }, { PeoplePicker }] = await Promise.all([
      import('../../ui/people/friend-picker.tsx'),
      import('../../ui/people/people-picker.tsx'),
    ])
    return { FriendPicker, PeoplePicker }
  },
  staleTime: Infinity,
})
