/** Messages to the webhooks of groups: their formats, and their signature (NIGHT-68 to NIGHT-73). */
import { createHmac } from 'node:crypto'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Database } from '../database/database.ts'
import { type Announcement, noteFailure } from '../storage/messages.ts'
import { findWebhookById, noteGone, noteSuccess } from '../storage/webhooks.ts'
import { messageIn } from './format.ts'
import type { Channel } from './sender.ts'

/** After so many responses in a row that there is nothing at the address, it is switched off. */
const GONE_MAX = 3

type Options = {
  database: Database
  catalogue: Pick<Catalogue, 'ensure' | 'summary'>
  publicUrl: string
  clock: () => number
}

/** The messages to webhooks. */
export function toWebhooks({ database, catalogue, publicUrl, clock }: Options): Channel<'messages'> {
  return {
    outbox: 'messages',

    async open({ webhook_id, message_id, body: stored }) {
      const webhook = await findWebhookById(database.queries, webhook_id)
      if (!webhook) return undefined
      return {
        about: { webhook: webhook_id },

        async request() {
          const announcement = JSON.parse(stored) as Announcement
          const appid = announcement.night?.pick ?? null
          if (appid !== null) await catalogue.ensure([appid])
          const pick = appid === null ? null : catalogue.summary(appid)
          const body = JSON.stringify(messageIn[webhook.format](announcement, { publicUrl, pick }))
          const headers = {
            'content-type': 'application/json',
            'user-agent': 'Shelfmates/1.0 (webhooks)',
            // The same for every attempt.
            'idempotency-key': `${webhook_id}-${message_id}`,
            'x-shelfmates-signature': signatureOf(webhook.secret, body, clock()),
          }
          return { url: webhook.url, headers, body }
        },

        async settle(tx, outcome, { at, isLast }) {
          if (outcome.kind === 'sent') return noteSuccess(tx, webhook_id, at)
          if (outcome.isGone) return noteGone(tx, webhook, { text: outcome.text, at, max: GONE_MAX })
          const text = isLast ? `${outcome.text} A message was given up.` : outcome.text
          return noteFailure(tx, webhook_id, { text, at })
        },
      }
    },
  }
}

/** The header `X-Shelfmates-Signature`: `t` in seconds since 1970, and the HMAC-SHA256 of `{t}.{body}` as hex. */
function signatureOf(secret: string, body: string, now: number): string {
  const t = Math.floor(now / 1000)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}
