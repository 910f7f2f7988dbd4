/**
 * Limits on connections: time to send a request, time to receive a response, and number per address (LIM-21, LIM-24,
 * LIM-25).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../errors.ts'
import { createProxyList, networkOf } from '../client-address.ts'
import { isEventStream } from './event-streams.ts'
import { rawRefusal } from './failures.ts'

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

/** Browsers keep up to six connections open for over a minute: 150 people behind one address have 900. */
export const defaultConnectionLimits: ConnectionLimits = {
  requestMs: 30_000,
  responseMs: 60_000,
  checkEveryMs: 5000,
  perAddress: 1000,
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
 * Enforces the limits on a server's connections until the server closes.
 * @param trusted addresses and networks of proxies, whose connections carry many clients
 */
export function watchConnections(
  server: Server,
  { responseMs, checkEveryMs, perAddress }: ConnectionLimits,
  trusted: readonly string[],
): void {
  const isProxy = createProxyList(trusted)
  const counts = new Map<string, number>()
  const open = new Map<Socket, Watched>()

  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress
    // Closed already.
    if (peer === undefined) return void socket.destroy()
    if (!isProxy(peer)) {
      const network = networkOf(peer)
      const count = (counts.get(network) ?? 0) + 1
      if (count > perAddress) return refuse(socket)
      counts.set(network, count)
      socket.once('close', () => {
        const left = counts.get(network)! - 1
        if (left > 0) counts.set(network, left)
        else counts.delete(network)
      })
    }
    open.set(socket, { responses: [], since: 0 })
    socket.once('close', () => open.delete(socket))
  })

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const watched = open.get(socket)
    if (!watched || response.writableFinished) return
    dropFinished(watched)
    watched.responses.push(response)
    if (watched.responses.length > PIPELINED_MAX) socket.destroy()
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
}

function dropFinished(watched: Watched): void {
  while (watched.responses[0]?.writableFinished) {
    watched.responses.shift()
    watched.since = 0
  }
}

function refuse(socket: Socket): void {
  const refusal = new AppError('too_many_requests', {
    text: 'Too many connections from this address.',
    retryAfterSeconds: 10,
  })
  // Destroyed at once, because a client with too many connections must not hold more of them.
  socket.end(rawRefusal(refusal), () => socket.destroy())
}
