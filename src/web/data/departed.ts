/** Friends who are known to have left a group. */
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SteamId } from '#shared/entities.ts'
import { hasCode } from './api-error.ts'
import { keys } from './keys.ts'

const NONE: readonly SteamId[] = []

/**
 * Friends who are known to have left a group. No endpoint lists them for members: the server says so when it refuses to
 * add one (MEM-7), and the query cache remembers it.
 */
export function useDeparted(groupId: number) {
  const client = useQueryClient()
  const { data: departed = NONE } = useQuery<readonly SteamId[]>({
    queryKey: keys.departed(groupId),
    queryFn: skipToken,
  })
  return {
    departed,
    /** Remembers a person whom the server refused to add because they left. */
    rememberRefusal: (steamId: SteamId, error: unknown) => {
      if (hasCode(error, 'has_left_group') && !departed.includes(steamId))
        client.setQueryData<readonly SteamId[]>(keys.departed(groupId), (known = NONE) => [...known, steamId])
    },
  }
}
