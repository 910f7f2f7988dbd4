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
  /**
   * How often a comment is sent, in milliseconds, so that proxies keep the connection open. A client that reads nothing
   * between two of them is disconnected.
   */
  heartbeatMs: number
}

export const defaultStreamLimits: StreamLimits = {
  perUser: slotLimits.streamsOfUser.perKey,
  perServer: slotLimits.streams.total,
  heartbeatMs: 25_000,
}

/** When clients connect again after a loss. After a shutdown they spread over a few seconds. */
const RETRY_MS = 2000
const RETRY_SPREAD_MS = 3000
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
  const streams = new Set<OpeningStream>()
  const all = new Slots({ ...slotLimits.streams, total: limits.perServer })
  const users = new Slots({ ...slotLimits.streamsOfUser, perKey: limits.perUser })
  let isClosing = false
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
  const allHeaders = new Headers({
    ...headers,
    'content-type': CONTENT_TYPE,
    // Proxies must not wait for more before they pass an event on.
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })

  return {
    enter(response, user) {
      if (isClosing) throw slotLimits.streams.refusal()
      const giveBack = takeAll([all, ''], [users, user])
      const stream = streamOn(response, {
        heartbeatMs: limits.heartbeatMs,
        headers: allHeaders,
        onClose: (reason) => {
          streams.delete(stream)
          giveBack()
          if (reason) ended.inc({ reason })
        },
      })
      streams.add(stream)
      return stream
    },

    close() {
      isClosing = true
      for (const stream of [...streams]) stream.end('shutdown')
    },
  }
}

type StreamOptions = {
  heartbeatMs: number
  headers: Headers
  /** `reason`: undefined for a stream that was never opened. */
  onClose: (reason: EndReason | undefined) => void
}

function streamOn(response: ServerResponse, { heartbeatMs, headers, onClose }: StreamOptions): OpeningStream {
  const listeners: (() => void)[] = []
  /** What waits to be sent. */
  const waiting = new Set<Topic>()
  /** While the stream is open. */
  let heartbeat: NodeJS.Timeout | undefined
  let isClosed = false
  /** Whether the client had not read at the last heartbeat what was sent before. */
  let wasUnread = false

  function close(reason: EndReason | undefined): void {
    if (isClosed) return
    isClosed = true
    clearInterval(heartbeat)
    onClose(reason)
    for (const listener of listeners) listener()
  }

  function end(reason: EndReason): void {
    if (isClosed) return
    const isUnread = response.writableNeedDrain
    close(heartbeat && reason)
    if (!heartbeat) return
    if (reason === 'slow' || (reason === 'shutdown' && isUnread)) return void response.destroy()
    if (reason !== 'shutdown') return void response.end()
    response.end(`retry: ${RETRY_MS + Math.round(Math.random() * RETRY_SPREAD_MS)}\n\n`)
    const linger = setTimeout(() => response.destroy(), LINGER_MS).unref()
    response.once('close', () => clearTimeout(linger))
  }

  function sendWaiting(): void {
    if (!heartbeat || isClosed || response.writableNeedDrain || waiting.size === 0) return
    const data: Change = { topics: [...waiting] }
    waiting.clear()
    response.write(`event: change\ndata: ${JSON.stringify(data)}\n\n`)
  }

  function beat(): void {
    const isUnread = response.writableNeedDrain
    if (!isUnread) response.write(':\n\n')
    else if (wasUnread) end('slow')
    wasUnread = isUnread
  }

  response.once('close', () => close(heartbeat && 'client'))
  response.on('drain', () => {
    // In the place of the comment that found no room.
    if (wasUnread && heartbeat && !isClosed) response.write(':\n\n')
    wasUnread = false
    sendWaiting()
  })
  return {
    open() {
      if (isClosed) return
      response.setHeaders(headers).writeHead(200).write(`retry: ${RETRY_MS}\n\n`)
      heartbeat = setInterval(beat, heartbeatMs).unref()
      sendWaiting()
    },
    abandon: () => close(undefined),
    send(topics) {
      for (const topic of topics) waiting.add(topic)
      sendWaiting()
    },
    end,
    onClose(listener) {
      if (isClosed) listener()
      else listeners.push(listener)
    },
  }
}
