/** The ordinary load of `npm run soak`: what people do, from many addresses, at a fixed rate or one after another. */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Population, randomFrom } from './population.ts'

/** Connections, opened beforehand and kept, as browsers and proxies do. */
export const CONNECTIONS = 300
/** Addresses that they come from, 127.0.1.1 and following. */
const ADDRESSES = 100
const SENDING_EVERY_MS = 5

/** `status` is 0 where the connection failed. */
export type Answer = { status: number; ms: number; retryAfter: boolean }

type Ask = { method: string; path: string; token: string; body?: string }
type Send = (ask: Ask) => Promise<Answer>

export type Load = {
  /** Answers a second when `clients` ask one after another. */
  closedLoop(clients: number, seconds: number): Promise<number>
  /** Sends at a fixed rate, whatever comes back; `unsent` found no connection free. */
  openLoop(perSecond: number, seconds: number): Promise<{ answers: Answer[]; unsent: number }>
  stop(): void
}

/** The load on one server; `measured` people of the population ask. */
export function createLoad(url: string, population: Population, measured: number): Load {
  const random = randomFrom(7)
  const agents: Agent[] = []
  const senders: Send[] = Array.from({ length: CONNECTIONS }, (_, n) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    agents.push(agent)
    const localAddress = `127.0.1.${1 + (n % ADDRESSES)}`
    return (ask) => answerOf(url, { agent, localAddress }, ask)
  })
  const next = (n: number) => askFor(population, Math.floor(random() * measured), random(), n)

  return {
    async closedLoop(clients, seconds) {
      const until = performance.now() + seconds * 1000
      let answered = 0
      await Promise.all(
        senders.slice(0, clients).map(async (send) => {
          while (performance.now() < until) {
            const { status } = await send(next(answered))
            if (status > 0 && status < 400) answered++
          }
        }),
      )
      return answered / seconds
    },

    async openLoop(perSecond, seconds) {
      const answers: Answer[] = []
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
          void send(next(sent)).then((answer) => {
            free.unshift(send)
            answers.push(answer)
          })
        }
        await pause(SENDING_EVERY_MS)
      }
      while (free.length < senders.length) await pause(SENDING_EVERY_MS)
      return { answers, unsent }
    },

    stop: () => agents.forEach((agent) => agent.destroy()),
  }
}

/** What people do: mostly looking, one in ten writes. `choice` is from 0 to 1. */
function askFor({ ids, tokens, groups }: Population, who: number, choice: number, n: number): Ask {
  const id = ids[who]!
  const token = tokens[who]!
  const get = (path: string): Ask => ({ method: 'GET', path, token })
  const write = (method: string, path: string, body: object): Ask => ({
    method,
    path,
    token,
    body: JSON.stringify(body),
  })
  if (choice < 0.2) return get(`/api/users/${id}/games`)
  if (choice < 0.35) return get(`/api/users/${id}/friends_cached`)
  if (choice < 0.45) return get(`/api/groups/${groups[who]}/shared_games`)
  if (choice < 0.55) return get(`/api/users/${id}/groups`)
  if (choice < 0.65) return get(`/api/users/${id}/friends_top_games`)
  if (choice < 0.75) return get(`/api/users/${id}/games/440/friends`)
  if (choice < 0.85) return get(`/api/users/${id}/total_playtime`)
  if (choice < 0.9) return get(`/api/users/${id}/sync_status`)
  // Not pictures: a person may change only so many a day.
  if (choice < 0.97)
    return write('PUT', `/api/users/${id}/settings`, { library_visibility: n % 2 ? 'connected' : 'groups' })
  return write('POST', `/api/groups/${groups[who]}/members`, { steam_ids: [id] })
}

function answerOf(
  url: string,
  from: { agent: Agent; localAddress: string },
  { method, path, token, body }: Ask,
): Promise<Answer> {
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
