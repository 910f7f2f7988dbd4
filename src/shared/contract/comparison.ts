/** Games two people both own (API-12). */
import { z } from 'zod'
import { comparisonEntry, steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'

export const comparisonContract = {
  compare: endpoint({
    method: 'GET',
    path: '/api/compare/:mySteamId/:friendSteamId',
    summary: 'Games we both own, largest sum of playtime first; x-total-count says how many',
    access: 'self_with_connected',
    cacheable: true,
    heavy: true,
    params: z.object({ mySteamId: steamId, friendSteamId: steamId }),
    body: z.undefined(),
    response: z.array(comparisonEntry),
  }),
}
