/** The webhooks of groups and users (NIGHT-67, NIGHT-147). */
import { randomBytes } from 'node:crypto'
import type { Webhook, webhooksContract } from '#shared/contract/webhooks.ts'
import type { SteamId } from '#shared/entities.ts'
import { MESSAGES_PER_HOUR } from '#shared/limits.ts'
import type { Queries, Tx } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { AppError } from '../errors.ts'
import { countUse } from '../storage/used-once.ts'
import {
  addMessage,
  type Announcement,
  deleteWebhooks,
  findWebhook,
  lockWebhook,
  setWebhook,
  type WebhookOwner,
} from '../storage/messages.ts'
import { lockPlayers } from '../storage/players.ts'
import { isoTime } from '../time.ts'
import { requireAccount, requireOwner } from './access.ts'
import { checkedUrl } from './public-url.ts'

const SECRET_BYTES = 32

type Target = Pick<Webhook, 'url' | 'format'>

/** Handlers of webhooks. */
export function webhooksHandlers({ database, clock, web }: Deps) {
  const { queries } = database

  return {
    read: ({ params: { id } }) => shown(queries, { groupId: id }),
    set: ({ params: { id }, body, user }) => set({ groupId: id }, body, user),
    remove: ({ params: { id }, user }) => remove({ groupId: id }, user),
    test: ({ params: { id }, user }) => test({ groupId: id }, user),

    readOwn: ({ user }) => shown(queries, { user }),
    setOwn: ({ body, user }) => set({ user }, body, user),
    removeOwn: ({ user }) => remove({ user }, user),
    testOwn: ({ user }) => test({ user }, user),
  } satisfies Handlers<typeof webhooksContract>

  async function set(owner: WebhookOwner, { url: given, format }: Target, user: SteamId): Promise<Webhook> {
    const url = await checkedUrl(given, {
      web,
      name: 'webhook_url',
      code: 'invalid_webhook_url',
      field: 'url',
    })
    return database.transaction(async (tx) => {
      requireAccount(await lockPlayers(tx, [user]), user)
      await lockGroupOf(tx, owner, user)
      if (!(await countUse(database, tx, 'webhook', user, clock())))
        throw new AppError('webhook_limit_reached')
      const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`
      await setWebhook(tx, owner, { url, format, secret, by: user, at: clock() })
      return (await shown(tx, owner))!
    })
  }

  async function remove(owner: WebhookOwner, user: SteamId): Promise<undefined> {
    await database.transaction(async (tx) => {
      await lockGroupOf(tx, owner, user)
      await deleteWebhooks(tx, owner)
    })
  }

  function test(owner: WebhookOwner, user: SteamId): Promise<Webhook> {
    return database.transaction(async (tx) => {
      const group = await lockGroupOf(tx, owner, user)
      const webhook = await lockWebhook(tx, owner)
      if (!webhook) throw new AppError('webhook_not_found')
      if (!(await addMessage(tx, webhook, clock(), { event: 'test', group, night: null })))
        throw new AppError('message_limit_reached', {
          reason: 'messages_per_hour',
          values: { count: MESSAGES_PER_HOUR },
        })
      return (await shown(tx, owner))!
    })
  }
}

/** Locks the group of a webhook, whose owner the user must be; null for a user's own webhook. */
async function lockGroupOf(tx: Tx, owner: WebhookOwner, user: SteamId): Promise<Announcement['group']> {
  if ('user' in owner) return null
  const { name } = await requireOwner(tx, owner.groupId, user)
  return { group_id: owner.groupId, name }
}

async function shown(db: Queries | Tx, owner: WebhookOwner): Promise<Webhook | null> {
  const row = await findWebhook(db, owner)
  if (!row) return null
  const { url, format, secret, last_error, waiting } = row
  return {
    url,
    format,
    secret,
    created_at: isoTime(row.created_at)!,
    last_ok_at: isoTime(row.last_ok_at),
    last_error,
    last_error_at: isoTime(row.last_error_at),
    waiting,
  }
}
