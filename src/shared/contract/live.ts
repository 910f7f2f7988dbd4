/**
 * What changes, as it changes (LIVE-1 to LIVE-7). Pages read the stream with `fetch`, because an `EventSource` cannot
 * send the session's token.
 */
import { z } from 'zod'
import { steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'

export const liveContract = {
  events: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/events',
    summary:
      'What changes, as it changes: server-sent events `change` with the topics to read again; after an ended session the last one is `session`',
    access: 'self',
    stream: true,
    status: 200,
    params: z.object({ steamId }),
  }),
}

/** What has changed: never what it is now, which the calls say to those who may know. */
export type Topic =
  'games' | 'friends' | 'groups' | `group:${number}` | 'nights' | `night:${number}` | 'sync' | 'session'

/** The data of an event `change`. */
export type Change = { topics: Topic[] }
