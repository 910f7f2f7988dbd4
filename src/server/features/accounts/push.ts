/** Devices that are notified (PUSH-1 to PUSH-3). */
import { ECDH, hash } from 'node:crypto'
import type { pushContract } from '#shared/contract/push.ts'
import { languageOfHeader } from '#shared/languages.ts'
import { PUSH_SUBSCRIPTIONS_PER_DAY } from '#shared/limits.ts'
import type { Deps } from '../../deps.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { AppError } from '../../errors.ts'
import { checkedUrl } from '../../pictures/public-request.ts'
import { countUse } from '../../storage/accounts/used-once.ts'
import { readPushKeys } from '../../storage/installation.ts'
import { lockPlayers } from '../../storage/players/players.ts'
import {
  endSubscriptions,
  REFUSALS_MAX,
  saveSubscription,
} from '../../storage/notifications/push-subscriptions.ts'
import { listSessions } from '../../storage/accounts/sessions.ts'
import { requireAccount } from '../access.ts'

export function pushHandlers({ database, clock, web }: Deps) {
  return {
    key: async () => ({ public_key: (await readPushKeys(database.queries)).publicKey }),

    subscribe: async ({ params: { steamId }, body, caller, acceptLanguage }) => {
      const { keys, expirationTime = null } = body
      requirePoint(keys.p256dh)
      const endpoint = await checkedUrl(body.endpoint, 'endpoint', web)
      // The same whoever subscribes on a device; half of the hash is enough to tell devices apart.
      const subscription_id = hash('sha256', endpoint, 'base64url').slice(0, 22)
      const now = clock()
      const before = await database.transaction(async (tx) => {
        // Somebody else may be signing in on the same device.
        await database.lock(tx, `push:${subscription_id}`)
        requireAccount(await lockPlayers(tx, [steamId]), steamId)
        const sessions = await listSessions(tx, steamId, now)
        if (!sessions.some(({ session_id }) => session_id === caller.sessionId))
          throw new AppError('not_signed_in')
        const known = await tx
          .selectFrom('push_subscriptions')
          .select('refusals')
          .where('steam_id', '=', steamId)
          .where('subscription_id', '=', subscription_id)
          .executeTakeFirst()
        if (!known && !(await countUse(database, tx, 'push', steamId, now)))
          throw new AppError('too_many_requests', {
            reason: 'devices_per_day',
            values: { count: PUSH_SUBSCRIPTIONS_PER_DAY },
          })
        await saveSubscription(tx, {
          steam_id: steamId,
          subscription_id,
          session_id: caller.sessionId,
          endpoint,
          ...keys,
          language: languageOfHeader(acceptLanguage),
          created_at: now,
          expires_at: expirationTime === null ? null : Math.trunc(expirationTime),
        })
        return known
      })
      return { subscription_id, is_refused: (before?.refusals ?? 0) >= REFUSALS_MAX }
    },

    unsubscribe: async ({ params: { steamId, subscriptionId } }) => {
      await database.transaction((tx) =>
        endSubscriptions(tx, (all) =>
          all.where('steam_id', '=', steamId).where('subscription_id', '=', subscriptionId),
        ),
      )
    },
  } satisfies Handlers<typeof pushContract>
}

/** Messages can be encrypted only for a point of the curve. @throws AppError invalid_input */
function requirePoint(p256dh: string): void {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'base64url', 'compressed')
  } catch (cause) {
    throw new AppError('invalid_input', {
      field: 'keys.p256dh',
      problem: 'keys.p256dh: must be a point of P-256',
      cause,
    })
  }
}
