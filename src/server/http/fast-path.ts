/**
 * What comes first. Every request is counted for its address here, before anything is looked up. Then what is asked
 * most is answered before the framework is asked: answers that are kept, and kept calls of the contract whose answer
 * has to be built. The framework's routing and hooks cost as much as such an answer.
 *
 * No refusal is worded here. Whoever is refused, and whatever fails, goes on to the framework, which finds the same
 * and says so; authentication, limits, access rules and handlers are the ones it uses (`routes.ts`).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { SnapshotToken } from '../database/database.ts'
import { authenticate, tokenHashOf, type AuthContext } from '../sessions/authenticate.ts'
import type { Answer, ResponseCache } from './response-cache.ts'
import type { RequestLimiter } from './limits.ts'
import type { RequestCounter } from './operations.ts'
import type { Overload, Place } from './overload.ts'
import { LARGE_BYTES, type Turns } from './turns.ts'

/** A kept call of the contract: checks the parameters, asks the access rule and the handler. */
export type Read = {
  /** As in the contract, with `:name` for each parameter. */
  path: string
  heavy: boolean
  answer(who: AuthContext, params: Record<string, string>): Promise<Answer>
}

/** What is known of a request that is with the framework now, so that nothing is counted twice. */
export type Arrival = {
  readonly address: string
  /** Why its address may not ask at the moment. */
  readonly refusal: AppError | undefined
  /** Its place among those that are being worked on. */
  place: Place | undefined
  /** Whether it was counted for its token. */
  countedForToken: boolean
}

export type FastPath = {
  /** Has these calls answered here. */
  mount(read: Read): void
  /** Has a server ask here first; everything else goes to the framework that it listens for. */
  serveFirst(server: Server): void
  arrivalOf(request: IncomingMessage): Arrival
}

type Parts = Pick<Deps, 'readCache' | 'sessionUse' | 'clock'> & {
  answers: ResponseCache
  limiter: RequestLimiter
  overload: Overload
  turns: Turns
  counter: RequestCounter
  /** Whose request it is, for the limiter. */
  addressOf: (request: IncomingMessage) => string
}

type Mounted = Read & { pattern: RegExp }
type Found = { read: Mounted; params: Record<string, string> }

/** The front of one server. */
export function createFastPath(parts: Parts): FastPath {
  const { readCache, sessionUse, clock, answers, limiter, overload, turns, counter, addressOf } = parts
  const reads: Mounted[] = []
  const arrivals = new WeakMap<IncomingMessage, Arrival>()

  function arrivalOf(request: IncomingMessage, refusal?: AppError): Arrival {
    let arrival = arrivals.get(request)
    if (!arrival) {
      arrival = { address: addressOf(request), refusal, place: undefined, countedForToken: false }
      arrivals.set(request, arrival)
    }
    return arrival
  }

  function readAt(url: string): Found | undefined {
    for (const read of reads) {
      const found = read.pattern.exec(url)
      if (found) return { read, params: found.groups! }
    }
    return undefined
  }

  /** Answers a request from memory; false when nothing is there, or it has to wait for its turn or is too much. */
  function sendKept(
    request: IncomingMessage,
    response: ServerResponse,
    tokenHash: string,
    state: SnapshotToken,
  ): boolean {
    const session = readCache.knownSession(tokenHash, clock())
    if (!session || !sessionUse.note(session)) return false
    const ready = answers.find(request, session.steam_id, state)
    if (!ready || ready.bytes > LARGE_BYTES || limiter.countToken(tokenHash)) return false
    counter.kept(ready.route, ready.send(request, response))
    return true
  }

  /** Sends an answer, in its turn where it is heavy; returns the status, undefined when nobody is there any more. */
  async function send(
    request: IncomingMessage,
    response: ServerResponse,
    { read, params }: Found,
    who: AuthContext,
  ): Promise<number | undefined> {
    let turn = read.heavy ? turns.take(who.user, response) : undefined
    if (turn instanceof Promise) turn = await turn
    let built = 0
    try {
      if (response.destroyed) return undefined
      const ready = turn && answers.find(request, who.user, who.state)
      if (ready) return ready.send(request, response)
      const answer = await read.answer(who, params)
      built = answer.text.length
      return await answers.send(request, response, { ...who, route: read.path }, answer)
    } finally {
      turn?.end(built)
    }
  }

  /** Builds an answer and sends it. Throws what the framework is to say. */
  async function build(
    request: IncomingMessage,
    response: ServerResponse,
    { address, tokenHash }: { address: string; tokenHash: string },
    { read, params }: Found,
  ): Promise<void> {
    const started = performance.now()
    const place = overload.admit(response, address)
    if (place instanceof AppError) throw place
    let countedForToken = false
    try {
      const who = await authenticate(parts, tokenHash)
      const refused = limiter.countToken(tokenHash)
      if (refused) throw refused
      countedForToken = true
      const crowded = place.holdFor(who.user)
      if (crowded) throw crowded
      const status = await send(request, response, { read, params }, who)
      // Its work is done: that a client takes its time to read is not to keep others out.
      place.leave()
      if (status !== undefined) counter.built('GET', read.path, status, performance.now() - started)
    } catch (error) {
      Object.assign(arrivalOf(request), { place, countedForToken })
      throw error
    }
  }

  return {
    mount: (read) => {
      const pattern = new RegExp(`^${read.path.replaceAll(/:(\w+)/g, '(?<$1>[\\w-]+)')}$`)
      reads.push({ ...read, pattern })
    },

    arrivalOf,

    serveFirst: (server) => {
      const listeners = server.listeners('request') as ((
        request: IncomingMessage,
        response: ServerResponse,
      ) => void)[]
      server.removeAllListeners('request')
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const pass = () => {
          if (response.destroyed) return
          for (const listener of listeners) listener(request, response)
        }
        // The rest of what was sent ahead on a connection that was ended for it.
        if (request.socket.destroyed) return
        // Before anything is looked up: who asks too often costs nothing but this.
        const address = addressOf(request)
        const refusal = limiter.countAddress(address, request.url ?? '')
        if (refusal) {
          arrivalOf(request, refusal)
          return pass()
        }
        const tokenHash = request.method === 'GET' ? tokenHashOf(request) : undefined
        if (tokenHash === undefined) return pass()
        const answer = (state: SnapshotToken) => {
          if (response.destroyed || sendKept(request, response, tokenHash, state)) return
          const found = readAt(request.url ?? '')
          if (!found) return pass()
          build(request, response, { address, tokenHash }, found).catch(() => {
            if (response.headersSent) response.destroy()
            else pass()
          })
        }
        let state: SnapshotToken | Promise<SnapshotToken>
        try {
          state = readCache.refresh()
        } catch {
          // Thrown from here it would end the process; the framework meets the same failure and makes it a 500.
          return pass()
        }
        if (state instanceof Promise) state.then(answer, pass)
        else answer(state)
      })
    },
  }
}
