/** Webhooks of groups and users (NIGHT-67 to NIGHT-74, NIGHT-147). */
import type { SteamId } from '#shared/entities.ts'
import { changed } from '../database/cache-tags.ts'
import { column } from '../database/chunks.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { lockWebhook, ownedBy, type WebhookOwner, type WebhookRow } from './messages.ts'

/** A webhook with the number of messages that wait to be sent. */
export async function findWebhook(
  db: Queries | Tx,
  owner: WebhookOwner,
): Promise<(WebhookRow & { waiting: number }) | undefined> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('messages')
        .whereRef('messages.webhook_id', '=', 'webhooks.webhook_id')
        .where('done_at', 'is', null)
        .select((count) => count.fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('waiting'),
    )
    .where(ownedBy(owner))
    .executeTakeFirst()
  return row && { ...row, waiting: Number(row.waiting) }
}

/** A webhook; undefined when it was removed. */
export function findWebhookById(db: Queries, webhookId: number): Promise<WebhookRow | undefined> {
  return db.selectFrom('webhooks').selectAll().where('webhook_id', '=', webhookId).executeTakeFirst()
}

/**
 * Sets the webhook of a locked group or user. A new address gets a new secret, and none of the messages
 * that wait for the one before.
 */
export async function setWebhook(
  tx: Tx,
  owner: WebhookOwner,
  {
    url,
    format,
    secret,
    by,
    at,
  }: Pick<WebhookRow, 'url' | 'format' | 'secret'> & { by: SteamId; at: number },
): Promise<void> {
  const before = await lockWebhook(tx, owner)
  const fresh = {
    url,
    format,
    created_by: by,
    last_error: null,
    last_error_at: null,
  }
  if (!before) {
    await tx
      .insertInto('webhooks')
      .values({
        ...fresh,
        group_id: 'groupId' in owner ? owner.groupId : null,
        secret,
        created_at: at,
      })
      .execute()
    return
  }
  const isMoved = before.url !== url
  await tx
    .updateTable('webhooks')
    .set({ ...fresh, ...(isMoved && { secret, created_at: at, last_ok_at: null }) })
    .where('webhook_id', '=', before.webhook_id)
    .execute()
  if (isMoved) await giveUpWaiting(tx, before.webhook_id, at)
}

/** Records that a message was accepted. */
export async function noteSuccess(tx: Tx, webhookId: number, at: number): Promise<void> {
  const rows = await tx
    .updateTable('webhooks')
    .set({ last_ok_at: at, last_error: null, last_error_at: null })
    .where('webhook_id', '=', webhookId)
    .returning('created_by')
    .execute()
  changed(tx, 'sync', column(rows, 'created_by'))
}

async function giveUpWaiting(tx: Tx, webhookId: number, at: number): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ done_at: at, body: '', lease_until: 0 })
    .where('webhook_id', '=', webhookId)
    .where('done_at', 'is', null)
    .execute()
}
