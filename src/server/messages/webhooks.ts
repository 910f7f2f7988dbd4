/** Messages to webhooks: their formats, and their signature (NIGHT-68 to NIGHT-72). */
import { createHmac } from 'node:crypto'
import { summaryOf } from '../catalogue/catalogue.ts'
import { findInviteOf } from '../storage/groups/links.ts'
import { type Announcement, isStillTrue, noteResult, type Week } from '../storage/notifications/messages.ts'
import { chosenLanguage } from '../storage/players/players.ts'
import { messageIn, type WeekNamed } from './format.ts'
import type { Channel, ChannelOptions } from './sender.ts'

/** What Discord says of a forum channel's webhook: https://docs.discord.com/developers/topics/opcodes-and-status-codes */
const DISCORD_NEEDS_THREAD = 220001

/** The messages to webhooks. */
export function toWebhooks(options: ChannelOptions): Channel<'messages'> {
  const { database, catalogue, publicUrl, textsOf, clock } = options

  /** The games of a week in place of their appids. */
  async function namesIn({ owned, wanted, played }: Week): Promise<WeekNamed> {
    const summaries = async (appids: readonly number[]) =>
      (await catalogue.games(appids)).map(({ details }) => summaryOf(details))
    return {
      owned: await summaries(owned),
      wanted: await summaries(wanted),
      played: await summaries(played),
    }
  }

  return {
    outbox: 'messages',
    atOnce: 8,

    async open({ webhook_id, message_id, body: stored, created_at: writtenAt }) {
      const webhook = await database.queries
        .selectFrom('webhooks')
        .selectAll()
        .where('webhook_id', '=', webhook_id)
        .executeTakeFirst()
      const announcement = JSON.parse(stored) as Announcement
      const when = { writtenAt, now: clock() }
      if (!webhook || !(await isStillTrue(database.queries, announcement, when))) return undefined
      // The group's owner has set it (NIGHT-113).
      const texts = textsOf(await chosenLanguage(database.queries, webhook.created_by))
      const { messages } = texts
      return {
        about: { webhook: webhook_id },

        async request() {
          const appid = announcement.night?.pick ?? null
          const [game] = await catalogue.games(appid === null ? [] : [appid])
          const pick = game ? summaryOf(game.details) : null
          const { night } = announcement
          const invite = night
            ? (await findInviteOf(database.queries, { night_id: night.night_id }, clock()))?.token
            : undefined
          const week = announcement.week && (await namesIn(announcement.week))
          const context = { publicUrl, invite, texts, pick, week }
          const body = JSON.stringify(messageIn[webhook.format](announcement, context))
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
          if (outcome.kind === 'sent') return noteResult(tx, webhook_id, at)
          const { why, status, code } = outcome
          const isForum = webhook.format === 'discord' && code === DISCORD_NEEDS_THREAD
          const { failures } = messages
          const failure = isForum
            ? failures.forum
            : why === 'refused'
              ? failures.refused({ status })
              : failures[why]
          const text = isLast ? messages.givenUp({ failure }) : failure
          return noteResult(tx, webhook_id, at, text)
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
