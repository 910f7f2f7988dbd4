/** Open connections: how long a request may take to arrive and a response to be taken, and how many one address may have (LIM-21, LIM-24, LIM-25). */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../errors.ts'
import { createProxyList, networkOf } from '../client-address.ts'
import { rawRefusal } from './failures.ts'

export type ConnectionLimits = {
  /** A request that has not arrived by then, its body included, is refused, in milliseconds. */
  requestMs: number
  /** A response whose head was sent must have been taken by then, in milliseconds. */
  responseMs: number
  /** How often the server looks for either, in milliseconds. */
  checkEveryMs: number
  /** Connections that one address may have open; an IPv6 network counts as one address, trusted proxies do not count. */
  perAddress: number
}

/** Browsers keep up to six connections open for over a minute: 150 people behind one address have 900. */
export const defaultConnectionLimits: ConnectionLimits = {
  requestMs: 30_000,
  responseMs: 60_000,
  checkEveryMs: 5000,
  perAddress: 1000,
}

/** Options of an HTTP server by which requests arrive in time. For bodies Node takes the larger of the two. */
export function requestTimeouts({ requestMs, checkEveryMs }: ConnectionLimits) {
  return { requestTimeout: requestMs, headersTimeout: requestMs, connectionsCheckingInterval: checkEveryMs }
}

/**
 * Requests that a connection may have under way. Browsers and proxies send the next one after the response; each one
 * that is sent ahead holds memory until its turn.
 */
const PIPELINED_MAX = 16

/** Responses on their way, in order, and since when the first of them was seen so. */
type Watched = { responses: ServerResponse[]; since: number }

/**
 * Watches a server's connections from now on; stops when the server closes.
 * @param trusted addresses and networks of proxies, which speak for many
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
    // Gone already.
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
      if (watched.responses[0]?.headersSent !== true) continue
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
  // Not waited for: a client that opens connections without end must not hold more of them.
  socket.end(rawRefusal(refusal), () => socket.destroy())
}
