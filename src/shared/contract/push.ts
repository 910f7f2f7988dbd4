/** Notifications on a user's devices by Web Push (PUSH-1 to PUSH-12). */
import { z } from 'zod'
import { steamId } from '../entities.ts'
import { PUSH_ENDPOINT_MAX } from '../limits.ts'
import { endpoint } from './endpoint.ts'

/** The last time that JavaScript has. */
const TIME_MAX = 8.64e15
const mine = z.object({ steamId })

/** Bytes as base64url, as browsers write the keys of a subscription; of exactly this length. */
const bytes = (length: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[\\w-]{${Math.ceil((length * 4) / 3)}}={0,2}$`),
      `must be ${length} bytes as base64url`,
    )
    .transform((text) => text.replaceAll('=', ''))

/** What `PushSubscription.toJSON()` of a browser gives. */
const subscription = z.object({
  endpoint: z
    .string()
    .min(1, 'is required')
    .max(PUSH_ENDPOINT_MAX, `must have at most ${PUSH_ENDPOINT_MAX} characters`),
  /** Milliseconds since 1970; null for never. */
  expirationTime: z.number().min(0).max(TIME_MAX).nullish(),
  keys: z.object({
    /** A point of P-256, uncompressed. */
    p256dh: bytes(65),
    auth: bytes(16),
  }),
})

export const pushContract = {
  key: endpoint({
    method: 'GET',
    path: '/api/push/key',
    summary: 'The public key that a browser needs to subscribe: a point of P-256, as base64url',
    access: 'signed_in',
    response: z.object({ public_key: z.string() }),
  }),
  subscribe: endpoint({
    method: 'POST',
    path: '/api/users/:steamId/push_subscriptions',
    summary:
      'Notify me on the device of this session; the subscription is what the browser gives, and ends with the session',
    access: 'self',
    status: 201,
    params: mine,
    body: subscription,
    response: z.object({
      subscription_id: z.string(),
      /** Whether it is off, because its push service refuses messages for good; a new subscription is on. */
      is_refused: z.boolean(),
    }),
  }),
  unsubscribe: endpoint({
    method: 'DELETE',
    path: '/api/users/:steamId/push_subscriptions/:subscriptionId',
    summary: 'Stop notifying me on a device',
    access: 'self',
    params: mine.extend({
      subscriptionId: z.string().regex(/^[\w-]{1,43}$/, 'must be the id of a subscription'),
    }),
  }),
}
