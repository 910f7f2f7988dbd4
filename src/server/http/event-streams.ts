/**
 * Responses that stay open and send events (LIVE-1): `text/event-stream` of the HTML standard. They do not take slots
 * of requests in progress (`overload.ts`), but have limits of their own (LIM-47).
 */
import type { ServerResponse } from 'node:http'
import type { Change, Topic } from '#shared/contract/live.ts'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { EndReason, EventStream } from '../event-stream.ts'
import { slotLimits, Slots, takeAll } from '../slots.ts'

export type StreamLimits = {
  perUser: number
  perServer: number
  /** A comment is sent when nothing was for this long, in milliseconds, so that proxies keep the connection open. */
  heartbeatMs: number
  /** How long a client may leave unread what was sent, in milliseconds, once its buffers are full. */
  unreadMs: number
}

export const defaultStreamLimits: StreamLimits = {
  perUser: slotLimits.streamsOfUser.perKey,
  perServer: slotLimits.streams.total,
  heartbeatMs: 25_000,
  unreadMs: 30_000,
}

/** When clients connect again after a loss. After a shutdown they spread over a few seconds. */
const RETRY_MS = 2000
const RETRY_SPREAD_MS = 3000
/** How often heartbeats and slow clients are looked after; shorter for the short limits of tests. */
const CHECK_MS = 1000
/** How long clients have to receive the end at a shutdown. */
const LINGER_MS = 1000

const CONTENT_TYPE = 'text/event-stream; charset=utf-8'

/** Whether this is or was a stream. */
export function hasEvents(response: ServerResponse): boolean {
  return response.getHeader('content-type') === CONTENT_TYPE
}

/** A stream whose response has not begun. */
export type OpeningStream = EventStream & {
  /** Sends the head, and what was sent before it. */
  open(): void
  /** Gives its slot back; the response is unchanged. */
  abandon(): void
}

export type EventStreams = {
  /**
   * Takes a slot for a user's stream. It is given back when the response closes, at the latest.
   * @throws AppError too_many_requests, busy when there is none
   */
  enter(response: ServerResponse, user: string): OpeningStream
  /** Ends all streams, says when clients should connect again, and lets no more in. */
  close(): void
}

type Options = {
  limits: StreamLimits
  /** Headers of every response with data. */
  headers: Record<string, string>
  registry: Registry
}

/** The event streams of one server. */
export function createEventStreams({ limits, headers, registry }: Options): EventStreams {
  const streams = new Set<Stream>()
  const all = new Slots({ ...slotLimits.streams, total: limits.perServer })
  const users = new Slots({ ...slotLimits.streamsOfUser, perKey: limits.perUser })
  let isClosing = false
  let timer: NodeJS.Timeout | undefined
  new Gauge({
    name: 'event_streams',
    help: 'Open streams of events',
    registers: [registry],
    collect() {
      this.set(streams.size)
    },
  })
  const ended = new Counter({
    name: 'event_streams_ended_total',
    help: 'Streams of events that have ended, by reason',
    labelNames: ['reason'],
    registers: [registry],
  })
  const allHeaders = {
    ...headers,
    'content-type': CONTENT_TYPE,
    // Proxies must not wait for more before they pass an event on.
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  }

  function leave(stream: Stream): void {
    streams.delete(stream)
    if (streams.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function check(): void {
    const now = performance.now()
    for (const stream of streams) stream.check(now)
  }

  return {
    enter(response, user) {
      if (isClosing) throw slotLimits.streams.refusal()
      const giveBack = takeAll([all, ''], [users, user])
      const stream = new Stream(response, {
        limits,
        headers: allHeaders,
        onClose: (reason) => {
          leave(stream)
          giveBack()
          if (reason) ended.inc({ reason })
        },
      })
      streams.add(stream)
      timer ??= setInterval(check, Math.min(CHECK_MS, limits.heartbeatMs, limits.unreadMs)).unref()
      return stream
    },

    close() {
      isClosing = true
      for (const stream of [...streams]) stream.end('shutdown')
    },
  }
}

type StreamOptions = {
  limits: StreamLimits
  headers: Record<string, string>
  /** `reason`: undefined for a stream that was never opened. */
  onClose: (reason: EndReason | undefined) => void
}

class Stream implements OpeningStream {
  readonly #response: ServerResponse
  readonly #options: StreamOptions
  readonly #listeners: (() => void)[] = []
  #isOpen = false
  #isClosed = false
  #reason: EndReason = 'client'
  /** What waits to be sent. */
  readonly #waiting = new Set<Topic>()
  /** Since when the client has not read what was sent. */
  #unreadSince: number | undefined
  #sentAt = 0

  constructor(response: ServerResponse, options: StreamOptions) {
    this.#response = response
    this.#options = options
    response.once('close', () => this.#close(this.#isOpen ? this.#reason : undefined))
    response.on('drain', () => this.#drained())
  }

  open(): void {
    if (this.#isClosed) return
    this.#isOpen = true
    for (const [name, value] of Object.entries(this.#options.headers)) this.#response.setHeader(name, value)
    this.#response.writeHead(200)
    this.#write(`retry: ${RETRY_MS}\n\n`)
    this.#sendWaiting()
  }

  abandon(): void {
    this.#close(undefined)
  }

  send(topics: Iterable<Topic>): void {
    for (const topic of topics) this.#waiting.add(topic)
    this.#sendWaiting()
  }

  end(reason: EndReason): void {
    if (this.#isClosed) return
    if (!this.#isOpen) return this.#close(undefined)
    this.#reason = reason
    const response = this.#response
    const isUnread = this.#unreadSince !== undefined
    this.#close(reason)
    if (reason === 'slow' || (reason === 'shutdown' && isUnread)) return void response.destroy()
    if (reason !== 'shutdown') return void response.end()
    response.end(`retry: ${RETRY_MS + Math.round(Math.random() * RETRY_SPREAD_MS)}\n\n`)
    const linger = setTimeout(() => response.destroy(), LINGER_MS).unref()
    response.once('close', () => clearTimeout(linger))
  }

  onClose(listener: () => void): void {
    if (this.#isClosed) listener()
    else this.#listeners.push(listener)
  }

  /** Sends a heartbeat if it is time, and ends the stream of a client that does not read. */
  check(now: number): void {
    if (!this.#isOpen) return
    const { heartbeatMs, unreadMs } = this.#options.limits
    if (this.#unreadSince !== undefined) {
      if (now - this.#unreadSince >= unreadMs) this.end('slow')
    } else if (now - this.#sentAt >= heartbeatMs) this.#write(':\n\n')
  }

  #sendWaiting(): void {
    if (!this.#isOpen || this.#isClosed || this.#unreadSince !== undefined || this.#waiting.size === 0) return
    const data: Change = { topics: [...this.#waiting] }
    this.#waiting.clear()
    this.#write(`event: change\ndata: ${JSON.stringify(data)}\n\n`)
  }

  #write(text: string): void {
    this.#sentAt = performance.now()
    if (!this.#response.write(text)) this.#unreadSince = this.#sentAt
  }

  #drained(): void {
    this.#unreadSince = undefined
    this.#sendWaiting()
  }

  #close(reason: EndReason | undefined): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#options.onClose(reason)
    for (const listener of this.#listeners) listener()
  }
}
