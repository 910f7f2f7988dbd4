/**
 * Sends the messages that wait, to webhooks and to devices; all servers share the work (NIGHT-71 to NIGHT-74, PUSH-11,
 * decision 012).
 */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
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
const STARTS_POLL_MS = 10_000
/** Pauses before the second and further attempts: an hour in all. */
const RETRY_MS = [30_000, 2 * 60_000, 6 * 60_000, 15 * 60_000, 36.5 * 60_000]
const RETRIES_MS = RETRY_MS.reduce((sum, ms) => sum + ms)
/** Longest pause that an address may ask for. */
const RETRY_AFTER_MAX_MS = 60 * 60_000

/** Characters of a refusal that are read. */
const REFUSAL_MAX = 10_000

/** A request to be sent. */
export type Outgoing = { url: string; headers: OutgoingHttpHeaders; body: string | Buffer }

/** What came of one attempt. */
export type Outcome =
  | { kind: 'sent' }
  /**
   * `status`: of the response, 0 without one. `retry`: whether another attempt could succeed; `afterMs`: how long the
   * address asked to wait.
   */
  | {
      kind: 'failed'
      why: Failure
      status: number
      /** That the address gives beside the status, in JSON. */
      code: unknown
      retry: boolean
      afterMs: number
    }
export type Failure = PublicWebError['why'] | 'redirects' | 'refused' | 'unknown'

/** A claimed message and its target, as they are now. */
export type Delivery = {
  request: () => Promise<Outgoing>
  /** Stores what the attempt says of the target. `isLast`: the message is not tried again. */
  settle: (tx: Tx, outcome: Outcome, { at, isLast }: { at: number; isLast: boolean }) => Promise<unknown>
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

/** What channels need. */
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
    const failures: unknown[] = []
    let tried = 0
    do {
      // One of these may end during the claim, after which more can be claimed.
      const before = [...sending]
      const limit = channel.atOnce - sending.size
      const goesOn = limit > 0 && failures.length === 0 && !stopping.signal.aborted
      const leaseMs = LEASE_IN_TIMEOUTS * timeoutMs
      const claimed = goesOn
        ? await claimMessages(database, channel.outbox, { now: clock(), leaseMs, limit }).catch(fail)
        : []
      for (const message of claimed) {
        const sent = sendOne(channel, message)
          .catch(fail)
          .then(() => void sending.delete(sent))
        sending.add(sent)
      }
      tried += claimed.length
      if (sending.size > 0) await withinMs(Promise.race([...before, ...sending]), POLL_MS)
    } while (sending.size > 0)
    if (failures.length > 0) throw failures[0]
    return tried

    function fail(error: unknown): [] {
      failures.push(error)
      return []
    }
  }

  async function sendOne<Name extends Outbox>(
    { outbox, open }: Channel<Name>,
    message: Claimed<Name>,
  ): Promise<void> {
    let delivery: Delivery | undefined
    let outcome: Outcome | 'stopped'
    try {
      delivery = await open(message)
      outcome = await attempt(delivery)
    } catch (error) {
      // Like an address that does not accept it: it waits longer each time, and is given up.
      if (error instanceof DatabaseUnavailableError) throw error
      if (message.attempts <= 1) log.error({ err: error, outbox }, 'a message could not be read')
      outcome = failed('unknown')
    }
    const at = clock()
    await database.transaction(async (tx) => {
      if (outcome === 'stopped') return endClaim(tx, outbox, message, { retryAt: at, at, tried: false })
      const retryAt = nextAttempt(message, outcome, at)
      await delivery?.settle(tx, outcome, { at, isLast: retryAt === null })
      await endClaim(tx, outbox, message, { retryAt, at })
    })
    if (outcome !== 'stopped' && outcome.kind === 'failed')
      log.info(
        { ...delivery?.about, reason: outcome.why, status: outcome.status },
        'a message was not accepted',
      )
  }

  async function attempt(delivery: Delivery | undefined): Promise<Outcome | 'stopped'> {
    if (!delivery) return { kind: 'sent' }
    try {
      const { url, headers, body } = await delivery.request()
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
      const code = response.statusCode === 400 ? await codeIn(response) : undefined
      // What else it says is of no use.
      response.destroy()
      return outcomeOf(response.statusCode ?? 0, code, response.headers['retry-after'], clock())
    } catch (error) {
      if (stopping.signal.aborted) return 'stopped'
      if (error instanceof PublicWebError) return failed(error.why)
      log.error({ err: error, ...delivery.about }, 'a message could not be sent')
      return failed('unknown')
    }
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
      loops = [
        // Apart, so that webhooks that respond slowly hold no notification up.
        send(webhooks),
        send(devices),
        startLoop('starting nights', async () => ((await noteTimes()) ? 0 : STARTS_POLL_MS), log),
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
      await noteTimes()
      return (await sendDue(webhooks)) + (await sendDue(devices))
    },
  }

  /**
   * Takes times and ends votes at their deadlines, creates the next nights of series, and writes the messages about nights
   * that start, now and soon; returns whether there may be more.
   */
  async function noteTimes(): Promise<boolean> {
    const done: PromiseSettledResult<boolean>[] = []
    // A failure must not delay the others.
    for (const work of dueWork) done.push(...(await Promise.allSettled([work(rows, clock())])))
    const failure = done.find((each) => each.status === 'rejected')
    if (failure) throw failure.reason
    return done.some((each) => each.status === 'fulfilled' && each.value)
  }
}

/**
 * When a message is tried again; null when it was sent or is given up. One that waited an hour for others is tried only
 * once.
 */
function nextAttempt(
  { attempts, created_at }: { attempts: number; created_at: number },
  outcome: Outcome,
  at: number,
): number | null {
  const pause = attempts === 1 && at >= created_at + RETRIES_MS ? undefined : RETRY_MS[attempts - 1]
  if (outcome.kind === 'sent' || !outcome.retry || pause === undefined) return null
  return at + Math.max(pause, outcome.afterMs)
}

const failed = (why: Failure): Outcome => ({
  kind: 'failed',
  why,
  status: 0,
  code: undefined,
  retry: true,
  afterMs: 0,
})

/** What a response means; a redirect is not followed. */
function outcomeOf(status: number, code: unknown, retryAfter: string | undefined, now: number): Outcome {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  return {
    kind: 'failed',
    why: status >= 300 && status < 400 ? 'redirects' : 'refused',
    status,
    code,
    // Other refusals of the request itself would be repeated.
    retry: status >= 500 || [408, 425, 429].includes(status),
    afterMs: Math.min(RETRY_AFTER_MAX_MS, pauseIn(retryAfter, now)),
  }
}

/** The code in the body of a refusal, if it is short JSON that has one. */
async function codeIn(response: IncomingMessage): Promise<unknown> {
  let body = ''
  try {
    for await (const part of response.setEncoding('utf8')) {
      body += part
      if (body.length > REFUSAL_MAX) return undefined
    }
    return (JSON.parse(body) as { code?: unknown } | null)?.code
  } catch {
    return undefined
  }
}

/** The pause in a Retry-After header, in seconds or as a date (RFC 9110), in milliseconds. */
function pauseIn(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  // Some services send fractions.
  const ms = /^\d+(\.\d+)?$/.test(header) ? Math.ceil(Number(header) * 1000) : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}
