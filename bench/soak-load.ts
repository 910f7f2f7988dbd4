/** The normal load of `npm run soak`, from many IP addresses: open loop (at a fixed rate) or closed loop. */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type LoadRequest, type Method, readOf } from './load-requests.ts'
import { type Population, randomFrom } from './population.ts'

/** Keep-alive connections, as browsers and proxies have them. */
export const CONNECTIONS = 300
/** IP addresses that they come from, 127.0.1.1 and following. */
const ADDRESSES = 100
const SENDING_EVERY_MS = 5

/** `status` is 0 when the connection failed; `retryAfter`: whether there was a header Retry-After. */
export type Result = { status: number; ms: number; retryAfter: boolean }

type Send = (request: LoadRequest) => Promise<Result>

export type Load = {
  /** `clients` clients send one request after another; returns successful responses per second. */
  closedLoop(clients: number, seconds: number): Promise<number>
  /** Sends at a fixed rate, regardless of responses; `unsent` is the number of requests without a free connection. */
  openLoop(perSecond: number, seconds: number): Promise<{ results: Result[]; unsent: number }>
  stop(): void
}

/** The load on one server, by the first `measured` users of the population. */
export function createLoad(url: string, population: Population, measured: number): Load {
  const random = randomFrom(7)
  const agents: Agent[] = []
  const senders: Send[] = Array.from({ length: CONNECTIONS }, (_, n) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    agents.push(agent)
    const localAddress = `127.0.1.${1 + (n % ADDRESSES)}`
    return (outgoing) => send(url, { agent, localAddress }, outgoing)
  })
  const next = (n: number) => requestOf(population, Math.floor(random() * measured), random(), n)

  return {
    async closedLoop(clients, seconds) {
      const until = performance.now() + seconds * 1000
      let succeeded = 0
      await Promise.all(
        senders.slice(0, clients).map(async (send) => {
          while (performance.now() < until) {
            const { status } = await send(next(succeeded))
            if (status > 0 && status < 400) succeeded++
          }
        }),
      )
      return succeeded / seconds
    },

    async openLoop(perSecond, seconds) {
      const results: Result[] = []
      const free = [...senders]
      const started = performance.now()
      let sent = 0
      let unsent = 0
      while (performance.now() - started < seconds * 1000) {
        const due = ((performance.now() - started) / 1000) * perSecond
        for (; sent < due; sent++) {
          const send = free.pop()
          if (!send) {
            unsent++
            continue
          }
          void send(next(sent)).then((result) => {
            free.unshift(send)
            results.push(result)
          })
        }
        await pause(SENDING_EVERY_MS)
      }
      while (free.length < senders.length) await pause(SENDING_EVERY_MS)
      return { results, unsent }
    },

    stop: () => agents.forEach((agent) => agent.destroy()),
  }
}

/** A typical request: nine in ten read, one in ten writes. `choice` is from 0 to 1. */
function requestOf(population: Population, player: number, choice: number, n: number): LoadRequest {
  if (choice < 0.9) return readOf(population, player, choice / 0.9)
  const id = population.ids[player]!
  const token = population.tokens[player]!
  const write = (method: Method, path: string, body: object): LoadRequest => ({
    method,
    path,
    token,
    body: JSON.stringify(body),
  })
  // No pictures, because they have a daily limit.
  if (choice < 0.97)
    return write('PUT', `/api/users/${id}/settings`, { library_visibility: n % 2 ? 'connected' : 'groups' })
  return write('POST', `/api/groups/${population.groups[player]}/members`, { steam_ids: [id] })
}

function send(
  url: string,
  from: { agent: Agent; localAddress: string },
  { method, path, token, body }: LoadRequest,
): Promise<Result> {
  const started = performance.now()
  return new Promise((resolve) => {
    const done = (status: number, retryAfter = false) =>
      resolve({ status, ms: performance.now() - started, retryAfter })
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    }
    const outgoing = request(url + path, { ...from, method, headers }, (response) => {
      response.resume()
      response.on('end', () => done(response.statusCode ?? 0, response.headers['retry-after'] !== undefined))
      response.on('error', () => done(0))
    })
    outgoing.on('error', () => done(0))
    outgoing.end(body)
  })
}
