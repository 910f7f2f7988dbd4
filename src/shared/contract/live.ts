/**
 * Changes of a game night as they happen (NIGHT-40 to NIGHT-49). Pages read the stream with `fetch`, because an
 * `EventSource` cannot send the session's token.
 */
import { z } from 'zod'
import { nightIdInPath } from '../nights/entities.ts'
import { endpoint } from './endpoint.ts'

export const liveContract = {
  watch: endpoint({
    method: 'GET',
    path: '/api/nights/:id/events',
    summary:
      'Changes of a game night as server-sent events; with Last-Event-ID or ?since=version, the first one at once if the version is another',
    access: 'night_player',
    stream: true,
    status: 200,
    params: z.object({ id: nightIdInPath }),
  }),
}

/** The data of an event `change`; its id is the version too. Read the night again after each, also at the same version. */
export const nightChange = z.object({ version: z.int() })
export type NightChange = z.infer<typeof nightChange>
