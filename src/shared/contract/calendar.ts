/** Game nights in calendars (NIGHT-62, NIGHT-65). The feed itself is at `GET /calendar/{token}.ics`. */
import { z } from 'zod'
import { steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'

const mine = z.object({ steamId })

/** Where a calendar subscribes to a player's game nights; the address is all that it takes to read them. */
const calendarFeed = z.object({ url: z.string(), created_at: z.iso.datetime() })

export const calendarContract = {
  feed: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/calendar',
    summary: 'The address of my calendar of game nights; null while it is switched off',
    access: 'self',
    params: mine,
    response: calendarFeed.nullable(),
  }),
  renewFeed: endpoint({
    method: 'POST',
    path: '/api/users/:steamId/calendar',
    summary: 'Switch my calendar on, or give it another address; the one before is no longer valid',
    access: 'self',
    params: mine,
    response: calendarFeed,
  }),
  switchOffFeed: endpoint({
    method: 'DELETE',
    path: '/api/users/:steamId/calendar',
    summary: 'Switch my calendar off',
    access: 'self',
    params: mine,
  }),
}
