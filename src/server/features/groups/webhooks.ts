/** The webhooks of groups (NIGHT-67). */
import { randomBytes } from 'node:crypto'
import type { Webhook, webhooksContract } from '#shared/contract/webhooks.ts'
import { MESSAGES_PER_HOUR, WEEK_MS } from '#shared/limits.ts'
import { countOf } from '../../database/chunks.ts'
import type { Queries, Tx } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { AppError } from '../../errors.ts'
import { checkedUrl } from '../../pictures/public-request.ts'
import { countUse } from '../../storage/accounts/used-once.ts'
import { changed } from '../../database/cache-tags.ts'
import { type Announcement, deleteWebhooks, lockWebhook } from '../../storage/notifications/messages.ts'
import { addMessages } from '../../storage/notifications/outbox.ts'
import { isoTime } from '../../time.ts'
import { requireOwner } from '../access.ts'

const SECRET_BYTES = 32

/** Handlers of webhooks. */
export function webhooksHandlers({ database, clock, web }: Deps) {
  return {
    read: ({ params: { id } }) => shown(database.queries, id),

    set: async ({ params: { id }, body, user }) => {
      const url = await checkedUrl(body.url, 'webhook_url', web)
      return database.transaction(async (tx) => {
        await requireOwner(tx, id, user)
        if (!(await countUse(database, tx, 'webhook', user, clock())))
          throw new AppError('webhook_limit_reached')
        const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`
        const before = await lockWebhook(tx, id)
        const { format, weekly = (before?.weekly_due_at ?? null) !== null } = body
        const weekly_due_at = weekly ? (before?.weekly_due_at ?? clock() + WEEK_MS) : null
        const fresh = {
          ...{ url, format, created_by: user, weekly_due_at },
          ...{ last_error: null, last_error_at: null },
        }
        changed(tx, 'sync', [user])
        if (before?.url === url)
          await tx.updateTable('webhooks').set(fresh).where('group_id', '=', id).execute()
        else {
          // A new address gets a new secret, and none of the messages that wait for the one before.
          await deleteWebhooks(tx, { groupIds: [id] })
          await tx
            .insertInto('webhooks')
            .values({ ...fresh, group_id: id, secret, created_at: clock() })
            .execute()
        }
        return (await shown(tx, id))!
      })
    },

    remove: ({ params: { id }, user }) =>
      database.transaction(async (tx) => {
        await requireOwner(tx, id, user)
        await deleteWebhooks(tx, { groupIds: [id] })
      }),

    test: ({ params: { id }, user }) =>
      database.transaction(async (tx) => {
        const { name } = await requireOwner(tx, id, user)
        const webhook = await lockWebhook(tx, id)
        if (!webhook) throw new AppError('webhook_not_found')
        const body = { event: 'test', group: { group_id: id, name }, night: null } satisfies Announcement
        const message = { event: body.event, body, now: clock() }
        if ((await addMessages(tx, 'messages', [webhook.webhook_id], message)).length === 0)
          throw new AppError('message_limit_reached', {
            reason: 'messages_per_hour',
            values: { count: MESSAGES_PER_HOUR },
          })
        return (await shown(tx, id))!
      }),
  } satisfies Handlers<typeof webhooksContract>
}

async function shown(db: Queries | Tx, groupId: number): Promise<Webhook | null> {
  const row = await db.selectFrom('webhooks').selectAll().where('group_id', '=', groupId).executeTakeFirst()
  if (!row) return null
  const { webhook_id, url, format, secret, last_error, weekly_due_at } = row
  const waiting = db.selectFrom('messages').where('webhook_id', '=', webhook_id).where('done_at', 'is', null)
  return {
    url,
    format,
    secret,
    weekly: weekly_due_at !== null,
    created_at: isoTime(row.created_at)!,
    last_ok_at: isoTime(row.last_ok_at),
    last_error,
    last_error_at: isoTime(row.last_error_at),
    waiting: await countOf(waiting),
  }
}
