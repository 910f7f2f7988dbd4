/** Games two people both own (API-12). */
import { z } from 'zod'
import { comparisonEntry, steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'

export const comparisonContract = {
  compare: endpoint({
    method: 'GET',
    path: '/api/compare/:mySteamId/:friendSteamId',
    summary: 'Games that both people own, largest combined playtime first',
    access: 'self_with_connected',
    heavy: true,
    params: z.object({ mySteamId: steamId, friendSteamId: steamId }),
    response: z.array(comparisonEntry),
  }),
}
