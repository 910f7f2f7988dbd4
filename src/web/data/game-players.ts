/** How many can play a game, as a group has it (API-54). */
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { mutate, query } from './http.ts'
import { keys } from './keys.ts'

export const gamePlayersQuery = (groupId: number, appid: number) =>
  queryOptions({
    queryKey: keys.gamePlayers(groupId, appid),
    queryFn: ({ signal }) =>
      query('GET /api/groups/:id/games/:gameId/players', { params: { id: groupId, gameId: appid } }, signal),
  })

/** A function that corrects it for the group, or takes the correction back with null; its lists and nights follow. */
export function useCorrectPlayers(groupId: number, appid: number) {
  const client = useQueryClient()
  return async (playersMax: number | null) => {
    const answer = await mutate('PUT /api/groups/:id/games/:gameId/players', {
      params: { id: groupId, gameId: appid },
      body: { players_max: playersMax },
    })
    client.setQueryData(keys.gamePlayers(groupId, appid), answer)
    await Promise.all([
      client.invalidateQueries({ queryKey: keys.sharedGames(groupId) }),
      client.invalidateQueries({ queryKey: keys.allNights() }),
    ])
  }
}
