/**
 * Syncs left today, sync progress, and recent activity.
 * Requirements: API-38, DASH-31.
 */
import { z } from 'zod'
import { steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'

const readState = z.object({
  status: z.enum(['ok', 'private', 'never']),
  synced_at: z.iso.datetime().nullable(),
  /** It is being synced automatically, or waits for that (SYNC-18). */
  reading: z.boolean(),
})

export const syncStatus = z.object({
  limit: z.int(),
  left: z.int(),
  /** When the next sync becomes available; null while some are left. */
  next_free_at: z.iso.datetime().nullable(),
  /** Friends' libraries: the total, how many were synced or found private, and how many are waiting. */
  libraries: z.object({ total: z.int(), read: z.int(), waiting: z.int() }),
  games: readState,
  friends: readState,
})
export type SyncStatus = z.infer<typeof syncStatus>

/** Recent Activity (DASH-31): groups synced recently, and friends who played a new game. */
export const activity = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('group_synced'),
    at: z.iso.datetime(),
    group_id: z.int(),
    group_name: z.string(),
  }),
  z.object({
    kind: z.literal('friend_played'),
    at: z.iso.datetime(),
    steam_id: steamId,
    display_name: z.string().nullable(),
    appid: z.int(),
    game_name: z.string(),
  }),
])
export type Activity = z.infer<typeof activity>

export const syncContract = {
  status: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/sync_status',
    summary: 'Syncs left today and progress of syncing friends’ libraries',
    access: 'self',
    params: z.object({ steamId }),
    response: syncStatus,
  }),
  activity: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/activity',
    summary: 'Recent activity: up to two groups synced recently and one friend who played a new game',
    access: 'self',
    params: z.object({ steamId }),
    response: z.array(activity),
  }),
}
