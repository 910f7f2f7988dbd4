/** Sends the messages that wait for webhooks; all servers share the list (NIGHT-71 to NIGHT-74, decision 012). */
import type { WebhookFormat } from '#shared/contract/webhooks.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Database } from '../database/database.ts'
import { PublicWebError, requestPublic, type WebAccess } from '../pictures/public-request.ts'
import {
  type Announcement,
  announceStarts,
  type ClaimedMessage,
  claimMessages,
  endClaim,
  noteFailure,
} from '../storage/messages.ts'
import { chosenLanguage } from '../storage/players.ts'
import { noteGone, noteSuccess } from '../storage/webhooks.ts'
import type { Log } from '../sync/log.ts'
import { type Loop, startLoop } from '../sync/loop.ts'
import type { ServerTexts, TextsOf } from '../texts/texts.ts'
import { messageIn } from './format.ts'
import { signatureOf } from './signature.ts'

/** Messages sent at a time, each to another webhook. */
const AT_ONCE = 8
/** How long an address may take to respond, by default (NIGHT-71). */
const TIMEOUT_MS = 10_000
/** A claim lasts longer than sending takes, so that no other server sends the same message. */
const LEASE_IN_TIMEOUTS = 3
const POLL_MS = 3_000
const STARTS_POLL_MS = 10_000
/** Pauses before the second and further attempts: an hour in all. */
const RETRY_MS = [30_000, 2 * 60_000, 6 * 60_000, 15 * 60_000, 36.5 * 60_000]
/** Longest pause that an address may ask for. */
const RETRY_AFTER_MAX_MS = 60 * 60_000
/** After so many responses in a row that there is nothing at the address, it is switched off. */
const GONE_MAX = 3

type SenderOptions = {
  database: Database
  catalogue: Pick<Catalogue, 'ensure' | 'summary'>
  publicUrl: string
  textsOf: TextsOf
  clock: () => number
  log: Log
  web?: WebAccess | undefined
  /** How long an address may take to respond, in milliseconds; less than the lease of a message. */
  timeoutMs?: number | undefined
}

/** What came of one attempt. */
type Outcome =
  | { kind: 'sent' }
  /** `retry`: whether another attempt could succeed; `afterMs`: how long the address asked to wait. */
  | { kind: 'failed'; text: string; retry: boolean; isGone: boolean; afterMs: number }
  | { kind: 'stopped' }

export type MessageSender = ReturnType<typeof createMessageSender>

/** The sender of one server; nothing runs before `start`. */
export function createMessageSender({
  database,
  catalogue,
  publicUrl,
  textsOf,
  clock,
  log,
  web,
  timeoutMs = TIMEOUT_MS,
}: SenderOptions) {
  let loops: Loop[] = []
  let stopping = new AbortController()

  /** Sends what is due; returns how many messages were tried. */
  async function sendDue(): Promise<number> {
    const claimed = await claimMessages(database, {
      now: clock(),
      leaseMs: LEASE_IN_TIMEOUTS * timeoutMs,
      limit: AT_ONCE,
    })
    await Promise.all(claimed.map((message) => sendOne(message)))
    return claimed.length
  }

  async function sendOne(message: ClaimedMessage): Promise<void> {
    const { webhook } = message
    // The owner of the group has set it (NIGHT-113).
    const texts = textsOf(await chosenLanguage(database.queries, webhook.created_by))
    const outcome = await attempt(message, texts)
    const at = clock()
    await database.transaction(async (tx) => {
      if (outcome.kind === 'stopped') return endClaim(tx, message, { retryAt: at, at, tried: false })
      if (outcome.kind === 'sent') {
        await noteSuccess(tx, webhook.webhook_id, at)
        return endClaim(tx, message, { retryAt: null, at })
      }
      const pause = RETRY_MS[message.attempts - 1]
      const retryAt = pause === undefined || !outcome.retry ? null : at + Math.max(pause, outcome.afterMs)
      const { text: failure } = outcome
      const text = retryAt === null ? texts.messages.givenUp({ failure }) : failure
      const textOff = texts.messages.off({ failure })
      if (outcome.isGone) await noteGone(tx, webhook, { text: failure, textOff, at, max: GONE_MAX })
      else await noteFailure(tx, webhook.webhook_id, { text, at })
      await endClaim(tx, message, { retryAt, at })
    })
    if (outcome.kind === 'failed')
      log.info({ webhook: webhook.webhook_id, reason: outcome.text }, 'a message was not accepted')
  }

  async function attempt(message: ClaimedMessage, texts: ServerTexts): Promise<Outcome> {
    const { webhook, message_id, body: stored } = message
    try {
      const body = await render(JSON.parse(stored) as Announcement, webhook.format, texts)
      const response = await requestPublic(
        new URL(webhook.url),
        {
          method: 'POST',
          body,
          signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]),
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'user-agent': 'Shelfmates/1.0 (webhooks)',
            // The same for every attempt.
            'idempotency-key': `${webhook.webhook_id}-${message_id}`,
            'x-shelfmates-signature': signatureOf(webhook.secret, body, clock()),
          },
        },
        web,
      )
      // What it says besides the status is of no use.
      response.destroy()
      return outcomeOf(response.statusCode ?? 0, response.headers['retry-after'], clock(), texts)
    } catch (error) {
      if (stopping.signal.aborted) return { kind: 'stopped' }
      if (error instanceof PublicWebError) return failed(texts.messages.failures[error.why])
      log.error({ err: error, webhook: webhook.webhook_id }, 'a message could not be sent')
      return failed(texts.messages.failures.unknown)
    }
  }

  async function render(
    announcement: Announcement,
    format: WebhookFormat,
    texts: ServerTexts,
  ): Promise<string> {
    const appid = announcement.night?.pick ?? null
    if (appid !== null) await catalogue.ensure([appid])
    const pick = appid === null ? null : catalogue.summary(appid)
    return JSON.stringify(messageIn[format](announcement, { publicUrl, texts, pick }))
  }

  return {
    start(): void {
      if (loops.length > 0) return
      stopping = new AbortController()
      loops = [
        startLoop('messages', async () => ((await sendDue()) > 0 ? 0 : POLL_MS), log),
        startLoop(
          'starting nights',
          async () => {
            await announceStarts(database, clock())
            return STARTS_POLL_MS
          },
          log,
        ),
      ]
    },
    /** Ends what is being sent; it is sent again by another server or later. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(loops.map((loop) => loop.stop()))
      loops = []
    },
    /** Announces what starts and sends what is due, once; for tests. */
    async runOnce(): Promise<number> {
      await announceStarts(database, clock())
      return sendDue()
    },
  }
}

const failed = (text: string): Outcome => ({ kind: 'failed', text, retry: true, isGone: false, afterMs: 0 })

/** What a response means; a redirect is not followed. */
function outcomeOf(
  status: number,
  retryAfter: string | undefined,
  now: number,
  { messages: { failures } }: ServerTexts,
): Outcome {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  const isGone = status === 404 || status === 410
  return {
    kind: 'failed',
    text: status >= 300 && status < 400 ? failures.redirects : failures.refused({ status }),
    // Other refusals of the request itself would be repeated.
    retry: status >= 500 || isGone || [408, 425, 429].includes(status),
    isGone,
    afterMs: Math.min(RETRY_AFTER_MAX_MS, pauseIn(retryAfter, now)),
  }
}

/** The pause in a Retry-After header, in seconds or as a date (RFC 9110), in milliseconds. */
function pauseIn(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  // Some services send fractions.
  const ms = /^\d+(\.\d+)?$/.test(header) ? Math.ceil(Number(header) * 1000) : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}
