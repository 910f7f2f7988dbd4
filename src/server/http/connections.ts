/**
 * Limits on connections: time to send a request, time to receive a response, and number per address (LIM-21, LIM-24,
 * LIM-25).
 * Requirements: LIM-35.
 */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createProxyList, networkOf } from '../client-address.ts'
import type { AppError } from '../errors.ts'
import { slotLimits, Slots } from '../slots.ts'
import { isEventStream } from './event-streams.ts'
import { rawRefusal } from './failures.ts'
import type { Door } from './doors.ts'

export type ConnectionLimits = {
  /** Time for a request to arrive, including its body, in milliseconds. */
  requestMs: number
  /** Time for a client to receive a response, from its head on, in milliseconds. */
  responseMs: number
  /** How often the server checks both, in milliseconds. */
  checkEveryMs: number
  /** Open connections of one address; an IPv6 /64 counts as one address, trusted proxies are not counted. */
  perAddress: number
}

export const defaultConnectionLimits: ConnectionLimits = {
  requestMs: 30_000,
  responseMs: 60_000,
  checkEveryMs: 5000,
  perAddress: slotLimits.connections.perKey,
}

/** Node's timeouts for arriving requests. Both have the same value, because for bodies Node uses the larger one. */
export function requestTimeouts({ requestMs, checkEveryMs }: ConnectionLimits) {
  return { requestTimeout: requestMs, headersTimeout: requestMs, connectionsCheckingInterval: checkEveryMs }
}

/**
 * Pipelined requests that a connection may have in progress. Browsers and proxies send the next request after the
 * response; each request sent ahead holds memory.
 */
const PIPELINED_MAX = 16

/** A connection's responses in progress, in order, and since when the first one has been sending. */
type Watched = { responses: ServerResponse[]; since: number }

/**
 * Enforces the limits on a server's connections until the server closes; requests pass the door that is returned.
 * @param trusted addresses and networks of proxies, whose connections carry many clients
 */
export function watchConnections(
  server: Server,
  { responseMs, checkEveryMs, perAddress }: ConnectionLimits,
  trusted: readonly string[],
): Door {
  const isProxy = createProxyList(trusted)
  const slots = new Slots({ ...slotLimits.connections, perKey: perAddress })
  const open = new Map<Socket, Watched>()

  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress
    // Closed already.
    if (peer === undefined) return void socket.destroy()
    if (!isProxy(peer)) {
      try {
        socket.once('close', slots.take(networkOf(peer)))
      } catch (refusal) {
        // Destroyed at once, because a client with too many connections must not hold more of them.
        return void socket.end(rawRefusal(refusal as AppError), () => socket.destroy())
      }
    }
    open.set(socket, { responses: [], since: 0 })
    socket.once('close', () => open.delete(socket))
  })

  const timer = setInterval(() => {
    const now = performance.now()
    for (const [socket, watched] of open) {
      dropFinished(watched)
      const [response] = watched.responses
      if (response?.headersSent !== true || isEventStream(response)) continue
      if (watched.since === 0) watched.since = now
      else if (now - watched.since > responseMs) socket.destroy()
    }
  }, checkEveryMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))

  return ({ socket }, response, next) => {
    const watched = open.get(socket)
    if (watched) {
      dropFinished(watched)
      watched.responses.push(response)
      if (watched.responses.length > PIPELINED_MAX) return void socket.destroy()
    }
    next()
  }
}

function dropFinished(watched: Watched): void {
  while (watched.responses[0]?.writableFinished) {
    watched.responses.shift()
    watched.since = 0
  }
}
