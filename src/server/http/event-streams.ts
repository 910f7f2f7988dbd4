/**
 * Responses that stay open and send events (LIVE-1): `text/event-stream` of the HTML standard. They do not take slots
 * of requests in progress (`overload.ts`), but have limits of their own (LIM-47).
 */
import type { ServerResponse } from 'node:http'
import type { Change, Topic } from '#shared/contract/live.ts'
import { Gauge, type Registry } from 'prom-client'
import type { EventStream } from '../live/circles.ts'
import { slotLimits, type SlotLimitsGiven, Slots, takeAll } from '../slots.ts'

/**
 * How often a comment is sent, so that proxies keep the connection open. A client that reads nothing between two of them is
 * disconnected.
 */
const HEARTBEAT_MS = 25_000
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

export type EventStreams = ReturnType<typeof createEventStreams>

type Options = {
  /** Headers of every response with data. */
  headers: Record<string, string>
  registry: Registry
  slotLimits?: SlotLimitsGiven | undefined
  heartbeatMs?: number | undefined
}

export function createEventStreams({
  headers,
  registry,
  slotLimits: given = {},
  heartbeatMs = HEARTBEAT_MS,
}: Options) {
  const streams = new Set<OpeningStream>()
  const all = new Slots({ ...slotLimits.streams, ...given.streams })
  const users = new Slots({ ...slotLimits.streamsOfUser, ...given.streamsOfUser })
  let isClosing = false
  new Gauge({
    name: 'event_streams',
    help: 'Open streams of events',
    registers: [registry],
    collect() {
      this.set(streams.size)
    },
  })
  const allHeaders = new Headers({
    ...headers,
    'content-type': CONTENT_TYPE,
    // Proxies must not wait for more before they pass an event on.
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })

  return {
    /**
     * Takes a slot for a user's stream. It is given back when the response closes, at the latest.
     * @throws AppError too_many_requests, busy when there is none
     */
    enter(response: ServerResponse, user: string): OpeningStream {
      if (isClosing) throw slotLimits.streams.refusal()
      const giveBack = takeAll([all, ''], [users, user])
      const stream = streamOn(response, heartbeatMs, allHeaders)
      streams.add(stream)
      stream.onClose(() => {
        streams.delete(stream)
        giveBack()
      })
      return stream
    },

    /** Ends all streams, says when clients should connect again, and lets no more in. */
    close(): void {
      isClosing = true
      for (const stream of [...streams]) stream.shutDown()
    },
  }
}

export type OpeningStream = ReturnType<typeof streamOn>

/** A stream whose response has not begun. */
function streamOn(response: ServerResponse, heartbeatMs: number, headers: Headers) {
  const listeners: (() => void)[] = []
  /** What waits to be sent. */
  const waiting = new Set<Topic>()
  /** Set when the stream is opened. */
  let heartbeat: NodeJS.Timeout | undefined
  let isClosed = false
  /** Whether the client had not read at the last heartbeat what was sent before. */
  let wasUnread = false

  function close(): void {
    if (isClosed) return
    isClosed = true
    clearInterval(heartbeat)
    for (const listener of listeners) listener()
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
    else if (wasUnread) response.destroy()
    wasUnread = isUnread
  }

  response.once('close', close)
  response.on('drain', () => {
    wasUnread = false
    sendWaiting()
  })
  return {
    send(topics) {
      for (const topic of topics) waiting.add(topic)
      sendWaiting()
    },
    end() {
      if (!isClosed && heartbeat) response.end()
      close()
    },
    onClose(listener) {
      if (isClosed) listener()
      else listeners.push(listener)
    },
    /** Sends the head, and what was sent before it. */
    open(): void {
      if (isClosed) return
      response.setHeaders(headers).writeHead(200).write(`retry: ${RETRY_MS}\n\n`)
      heartbeat = setInterval(beat, heartbeatMs).unref()
      sendWaiting()
    },
    /** Gives its slot back; the response is unchanged. */
    abandon: close,
    /** Ends it, and says when the client should connect again. */
    shutDown(): void {
      const isUnread = response.writableNeedDrain
      close()
      if (!heartbeat) return
      if (isUnread) return void response.destroy()
      response.end(`retry: ${RETRY_MS + Math.round(Math.random() * RETRY_SPREAD_MS)}\n\n`)
      const linger = setTimeout(() => response.destroy(), LINGER_MS).unref()
      response.once('close', () => clearTimeout(linger))
    },
  } satisfies EventStream & Record<string, unknown>
}
