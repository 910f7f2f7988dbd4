/**
 * Sends the messages that wait, to webhooks and to devices; all servers share the work (NIGHT-71 to NIGHT-74, PUSH-11,
 * decision 012).
 */
import type { OutgoingHttpHeaders } from 'node:http'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { type Database, DatabaseUnavailableError } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import { PublicWebError, requestPublic, type WebAccess } from '../pictures/public-request.ts'
import { type Claimed, claimMessages, endClaim, type Outbox } from '../storage/notifications/outbox.ts'
import { createRowByRow, type Log, type Loop, type RowByRow, startLoop } from '../sync/loop.ts'
import type { TextsOf } from '../texts/texts.ts'
import { withinMs } from '../time.ts'

/** How long an address may take to respond, by default (NIGHT-71). */
const TIMEOUT_MS = 10_000
/** A claim lasts longer than sending takes, so that no other server sends the same message. */
const LEASE_IN_TIMEOUTS = 3
const POLL_MS = 3_000
const WORK_POLL_MS = 10_000
/** Pauses before the second and further attempts: an hour in all. */
const RETRY_MS = [30_000, 2 * 60_000, 6 * 60_000, 15 * 60_000, 36.5 * 60_000]
const RETRIES_MS = RETRY_MS.reduce((sum, ms) => sum + ms)
/** Longest pause that an address may ask for. */
const RETRY_AFTER_MAX_MS = 60 * 60_000

/** Why an attempt failed. */
type Failure = {
  why: PublicWebError['why'] | 'redirects' | 'refused' | 'unknown'
  /** Of the response, 0 without one. */
  status: number
  /** Whether another attempt could succeed. */
  retry: boolean
  /** How long the address asked to wait. */
  afterMs: number
}

/** A claimed message as it is sent, and its target. */
export type Delivery = {
  url: string
  headers: OutgoingHttpHeaders
  body: string | Buffer
  /** Stores what the attempt says of the target. `isLast`: the message is not tried again. */
  settle: (
    tx: Tx,
    failure: Failure | undefined,
    { at, isLast }: { at: number; isLast: boolean },
  ) => Promise<unknown>
  /** The target, for the log; no secret. */
  about: object
}

/** What the messages of an outbox say, and where they go. */
export type Channel<Name extends Outbox> = {
  outbox: Name
  /** How many are sent at a time, each to another target. */
  atOnce: number
  /** Undefined when the message is not wanted any more. */
  open: (message: Claimed<Name>) => Promise<Delivery | undefined>
}

export type ChannelOptions = {
  database: Database
  catalogue: Pick<Catalogue, 'games'>
  publicUrl: string
  textsOf: TextsOf
  clock: () => number
}

type SenderOptions = {
  database: Database
  webhooks: Channel<'messages'>
  devices: Channel<'push_messages'>
  clock: () => number
  log: Log
  web?: WebAccess | undefined
  /** How long an address may take to respond, in milliseconds; less than the lease of a message. */
  timeoutMs?: number | undefined
}

/** Does what is due; returns whether there may be more. */
type DueWork = (rows: RowByRow, now: number) => Promise<boolean>

/** The sender of one server; nothing runs before `start`. */
export function createMessageSender({
  database,
  webhooks,
  devices,
  clock,
  log,
  web,
  timeoutMs = TIMEOUT_MS,
}: SenderOptions) {
  const rows = createRowByRow(log)
  const dueWork: DueWork[] = []
  let loops: Loop[] = []
  let stopping = new AbortController()

  /**
   * Sends what is due, until nothing is; returns how many messages were tried. An address that responds slowly keeps its own
   * place, while others are sent in the rest.
   */
  async function sendDue<Name extends Outbox>(channel: Channel<Name>): Promise<number> {
    const sending = new Set<Promise<void>>()
    let tried = 0
    try {
      do {
        // One of these may end during the claim, after which more can be claimed.
        const before = [...sending]
        const limit = stopping.signal.aborted ? 0 : channel.atOnce - sending.size
        const lease = { now: clock(), leaseMs: LEASE_IN_TIMEOUTS * timeoutMs, limit }
        for (const message of await claimMessages(database, channel.outbox, lease)) {
          const sent = sendOne(channel, message).then(() => void sending.delete(sent))
          sending.add(sent)
          tried++
        }
        if (sending.size > 0) await withinMs(Promise.race([...before, ...sending]), POLL_MS)
      } while (sending.size > 0)
    } finally {
      await Promise.allSettled(sending)
    }
    return tried
  }

  async function sendOne<Name extends Outbox>(
    { outbox, open }: Channel<Name>,
    message: Claimed<Name>,
  ): Promise<void> {
    let delivery: Delivery | undefined
    let failure: Failure | undefined
    try {
      delivery = await open(message)
      failure = delivery && (await post(delivery))
    } catch (error) {
      // The claim runs out, and then it is sent.
      if (stopping.signal.aborted) return
      if (error instanceof DatabaseUnavailableError) throw error
      const isOfWeb = error instanceof PublicWebError
      if (!isOfWeb && message.attempts === 1)
        log.error({ err: error, outbox, ...delivery?.about }, 'a message could not be sent')
      // What cannot be written waits like what is not accepted, and is given up.
      failure = { why: isOfWeb ? error.why : 'unknown', status: 0, retry: true, afterMs: 0 }
    }
    const at = clock()
    const retryAt = nextAttempt(message, failure, at)
    await database.transaction(async (tx) => {
      await delivery?.settle(tx, failure, { at, isLast: retryAt === null })
      await endClaim(tx, outbox, message, { retryAt, at })
    })
    if (failure)
      log.info(
        { ...delivery?.about, reason: failure.why, status: failure.status },
        'a message was not accepted',
      )
  }

  /** Sends a request; undefined when it was accepted. @throws PublicWebError */
  async function post({ url, headers, body }: Delivery): Promise<Failure | undefined> {
    const response = await requestPublic(
      new URL(url),
      {
        method: 'POST',
        body,
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]),
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      },
      web,
    )
    // What it says is of no use.
    response.destroy()
    return failureOf(response.statusCode ?? 0, response.headers['retry-after'])
  }

  const send = <Name extends Outbox>(channel: Channel<Name>) =>
    startLoop(channel.outbox, async () => ((await sendDue(channel)) > 0 ? 0 : POLL_MS), log)

  return {
    /** Adds work on nights that is done when its time has come. */
    addWork(work: DueWork): void {
      dueWork.push(work)
    },

    start(): void {
      if (loops.length > 0) return
      stopping = new AbortController()
      // Each in a loop of its own, so that none holds another up: webhooks that respond slowly, work that fails.
      loops = [
        send(webhooks),
        send(devices),
        ...dueWork.map((work) =>
          startLoop('nights', async () => ((await work(rows, clock())) ? 0 : WORK_POLL_MS), log),
        ),
      ]
    },

    /** Ends what is being sent; it is sent again by another server or later. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(loops.map((loop) => loop.stop()))
      loops = []
    },

    /** Does what is due and sends it, once; for tests. */
    async runOnce(): Promise<number> {
      const done: PromiseSettledResult<boolean>[] = []
      for (const work of dueWork) done.push(...(await Promise.allSettled([work(rows, clock())])))
      for (const each of done) if (each.status === 'rejected') throw each.reason
      return (await sendDue(webhooks)) + (await sendDue(devices))
    },
  }
}

/**
 * When a message is tried again; null when it was sent or is given up. One that waited an hour for others is tried only
 * once.
 */
function nextAttempt(
  { attempts, created_at }: { attempts: number; created_at: number },
  failure: Failure | undefined,
  at: number,
): number | null {
  const pause = attempts === 1 && at >= created_at + RETRIES_MS ? undefined : RETRY_MS[attempts - 1]
  return failure?.retry && pause !== undefined ? at + Math.max(pause, failure.afterMs) : null
}

/** What a response means; a redirect is not followed. @param retryAfter in seconds, of which some services send fractions */
function failureOf(status: number, retryAfter: string | undefined): Failure | undefined {
  if (status >= 200 && status < 300) return undefined
  return {
    why: status >= 300 && status < 400 ? 'redirects' : 'refused',
    status,
    // Other refusals of the request itself would be repeated.
    retry: status >= 500 || [408, 425, 429].includes(status),
    afterMs: Math.min(RETRY_AFTER_MAX_MS, Math.ceil(1000 * Number(retryAfter)) || 0),
  }
}
