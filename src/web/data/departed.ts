/** Who is known to have left a group. */
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SteamId } from '#shared/entities.ts'
import { hasCode } from './api-error.ts'
import { keys } from './keys.ts'

const NONE: readonly SteamId[] = []

/**
 * Who is known here to have left a group. No call lists them: the server says it of the person that one tries to add
 * (MEM-7), and what it said is remembered as other answers are.
 */
export function useDeparted(groupId: number) {
  const client = useQueryClient()
  const { data: departed = NONE } = useQuery<readonly SteamId[]>({
    queryKey: keys.departed(groupId),
    queryFn: skipToken,
  })
  return {
    departed,
    /** Takes note of why a person was not added. */
    noteRefusal: (steamId: SteamId, error: unknown) => {
      if (hasCode(error, 'has_left_group') && !departed.includes(steamId))
        client.setQueryData<readonly SteamId[]>(keys.departed(groupId), (known = NONE) => [...known, steamId])
    },
  }
}
