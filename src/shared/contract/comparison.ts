/** Games two people both own (API-12), and how much they have in common (API-12). */
import { z } from 'zod'
import { comparisonEntry, comparisonOverlap, libraryStatus, steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'

const pair = z.object({ mySteamId: steamId, friendSteamId: steamId })

export const comparisonContract = {
  compare: endpoint({
    method: 'GET',
    path: '/api/compare/:mySteamId/:friendSteamId',
    summary: 'Games that both people own, largest combined playtime first',
    access: 'self_with_connected',
    heavy: true,
    params: pair,
    response: z.array(comparisonEntry),
  }),
  overlap: endpoint({
    method: 'GET',
    path: '/api/compare/:mySteamId/:friendSteamId/overlap',
    summary:
      'How many games two people own, both or only one of them, and how much of their playing time goes to the same games',
    access: 'self_with_connected',
    heavy: true,
    params: pair,
    response: z.object({
      my_status: libraryStatus,
      their_status: libraryStatus,
      /** Null unless both can be looked at, which is when both are 'ok'. */
      overlap: comparisonOverlap.nullable(),
    }),
  }),
}
