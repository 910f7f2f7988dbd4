/** Who shares how many games with whom in a group (API-44). */
import { queryOptions } from '@tanstack/react-query'
import { query } from './http.ts'
import { keys } from './keys.ts'

export const groupOverlapQuery = (groupId: number) =>
  queryOptions({
    // Below the common games: what changes those changes this.
    queryKey: [...keys.sharedGames(groupId), 'overlap'],
    queryFn: ({ signal }) => query('GET /api/groups/:id/overlap', { params: { id: groupId } }, signal),
  })
