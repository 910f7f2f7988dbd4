/** The webhook of a group (NIGHT-67). */
import { randomBytes } from 'node:crypto'
import type { Webhook, webhooksContract } from '#shared/contract/webhooks.ts'
import { MESSAGES_PER_HOUR } from '#shared/limits.ts'
import type { Queries, Tx } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { AppError } from '../errors.ts'
import { checkPublic, hostWithPort, PublicWebError } from '../pictures/public-request.ts'
import { countUse } from '../storage/account-uses.ts'
import { addMessage, deleteWebhooks, lockWebhook } from '../storage/messages.ts'
import { lockPlayers } from '../storage/players.ts'
import { findWebhook, setWebhook } from '../storage/webhooks.ts'
import { isoTime } from '../time.ts'
import { requireAccount, requireOwner } from './access.ts'

const SECRET_BYTES = 32
/** How long setting a webhook waits for name servers. */
const CHECK_MS = 5_000

/** Handlers of webhooks. */
export function webhooksHandlers({ config, database, clock, web }: Deps) {
  return {
    read: ({ params: { id } }) => shown(database.queries, id),

    set: async ({ params: { id }, body, user }) => {
      const url = await checkedUrl(body.url)
      return database.transaction(async (tx) => {
        requireAccount(await lockPlayers(tx, [user]), user)
        await requireOwner(tx, id, user)
        if ((await countUse(database, tx, 'webhook', user, clock())) === undefined)
          throw new AppError('webhook_limit_reached')
        const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`
        await setWebhook(tx, id, { url, format: body.format, secret, by: user, at: clock() })
        return (await shown(tx, id))!
      })
    },

    remove: async ({ params: { id }, user }) => {
      await database.transaction(async (tx) => {
        await requireOwner(tx, id, user)
        await deleteWebhooks(tx, { groupIds: [id] })
      })
      return undefined
    },

    test: ({ params: { id }, user }) =>
      database.transaction(async (tx) => {
        const { name } = await requireOwner(tx, id, user)
        const webhook = await lockWebhook(tx, id)
        if (!webhook) throw new AppError('webhook_not_found')
        if (webhook.off_at !== null) throw new AppError('webhook_is_off')
        const announcement = { event: 'test' as const, group: { group_id: id, name }, night: null }
        if (!(await addMessage(tx, webhook, clock(), announcement)))
          throw new AppError('message_limit_reached', {
            text: `A group sends at most ${MESSAGES_PER_HOUR} messages in an hour. Try again later.`,
          })
        return (await shown(tx, id))!
      }),
  } satisfies Handlers<typeof webhooksContract>

  /** A public https address, or one that the operator allows, in its normal form. @throws AppError invalid_webhook_url */
  async function checkedUrl(text: string): Promise<string> {
    const url = URL.parse(text)
    const isAllowed = url !== null && config.webhookAllow.includes(hostWithPort(url))
    const isWeb = url?.protocol === 'https:' || (isAllowed && url.protocol === 'http:')
    if (!isWeb || /[\s\\\p{Cc}\p{Cf}]/u.test(text)) throw refused()
    if (url.username || url.password)
      throw refused('The webhook URL must not contain a user name or password.')
    url.hash = ''
    try {
      await checkPublic(url, AbortSignal.timeout(CHECK_MS), web)
    } catch (error) {
      if (!(error instanceof PublicWebError)) throw error
      throw refused(
        error.why === 'not_public'
          ? 'The webhook URL must be on the public internet.'
          : 'The host of the webhook URL cannot be found.',
        error,
      )
    }
    return url.href
  }
}

function refused(text?: string, cause?: Error): AppError {
  return new AppError('invalid_webhook_url', { field: 'url', text, cause })
}

async function shown(db: Queries | Tx, groupId: number): Promise<Webhook | null> {
  const row = await findWebhook(db, groupId)
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
    off_at: isoTime(row.off_at),
    waiting,
  }
}
