/**
 * What is asked most, answered before the framework is asked: answers that are kept, and kept calls of the contract
 * whose answer has to be built. The framework's routing and hooks cost as much as such an answer.
 *
 * Nothing is decided here. Whoever is refused, and whatever fails, goes on to the framework, which finds the same and
 * says so; authentication, limits, access rules and handlers are the ones it uses (`routes.ts`).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Deps } from '../deps.ts'
import type { DatabaseState } from '../storage/database.ts'
import { authenticate, tokenHashOf, type Who } from './authentication.ts'
import type { KeptAnswers } from './kept-answers.ts'
import type { RequestLimiter } from './limits.ts'
import type { RequestCounter } from './operations.ts'
import type { Overload } from './overload.ts'

/** A kept call of the contract: checks the parameters, asks the access rule and the handler. */
export type Read = {
  /** As in the contract, with `:name` for each parameter. */
  path: string
  answer(who: Who, params: Record<string, string>): Promise<string | Buffer>
}

export type Front = {
  /** Has these calls answered here. */
  mount(read: Read): void
  /** Has a server ask here first; everything else goes to the framework that it listens for. */
  serveFirst(server: Server): void
  /** What was counted of a request that is with the framework now: it counts once. */
  counted(request: IncomingMessage): Counted | undefined
}

/** The address and the place among requests in flight; the token as well. */
type Counted = 'address' | 'token'

type Parts = Pick<Deps, 'recall' | 'sessionUse' | 'clock'> & {
  answers: KeptAnswers
  limiter: RequestLimiter
  overload: Overload
  counter: RequestCounter
  /** Whose request it is, for the limiter. */
  addressOf: (request: IncomingMessage) => string
}

/** The front of one server. */
export function createFront(parts: Parts): Front {
  const { recall, sessionUse, clock, answers, limiter, overload, counter, addressOf } = parts
  const reads: (Read & { pattern: RegExp })[] = []
  const counted = new WeakMap<IncomingMessage, Counted>()

  function readAt(url: string): { read: Read; params: Record<string, string> } | undefined {
    for (const read of reads) {
      const found = read.pattern.exec(url)
      if (found) return { read, params: found.groups! }
    }
    return undefined
  }

  /** Answers a request from memory; false when nothing is there, or somebody asks too often. */
  function sendKept(
    request: IncomingMessage,
    response: ServerResponse,
    tokenHash: string,
    state: DatabaseState,
  ): boolean {
    const session = recall.knownSession(tokenHash, clock())
    if (!session || !sessionUse.note(session)) return false
    const ready = answers.find(request, session.steam_id, state)
    if (!ready) return false
    if (limiter.countAddress(addressOf(request)) ?? limiter.countToken(tokenHash)) return false
    counter.kept(ready.route, ready.send(request, response))
    return true
  }

  /** Builds an answer and sends it. Throws what the framework is to say. */
  async function build(
    request: IncomingMessage,
    response: ServerResponse,
    tokenHash: string,
    { read, params }: NonNullable<ReturnType<typeof readAt>>,
  ): Promise<void> {
    const started = performance.now()
    let countedAs: Counted | undefined
    try {
      const refusedBefore = overload.admit(response) ?? limiter.countAddress(addressOf(request))
      if (refusedBefore) throw refusedBefore
      countedAs = 'address'
      const who = await authenticate(parts, tokenHash)
      const refused = limiter.countToken(tokenHash)
      if (refused) throw refused
      countedAs = 'token'
      const text = await read.answer(who, params)
      const status = await answers.send(request, response, { ...who, route: read.path }, text)
      counter.built('GET', read.path, status, performance.now() - started)
    } catch (error) {
      if (countedAs) counted.set(request, countedAs)
      throw error
    }
  }

  return {
    mount: (read) => {
      const pattern = new RegExp(`^${read.path.replaceAll(/:(\w+)/g, '(?<$1>[\\w-]+)')}$`)
      reads.push({ ...read, pattern })
    },

    counted: (request) => counted.get(request),

    serveFirst: (server) => {
      const listeners = server.listeners('request') as ((
        request: IncomingMessage,
        response: ServerResponse,
      ) => void)[]
      server.removeAllListeners('request')
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const pass = () => {
          for (const listener of listeners) listener(request, response)
        }
        const tokenHash = request.method === 'GET' ? tokenHashOf(request) : undefined
        if (tokenHash === undefined) return pass()
        const answer = (state: DatabaseState) => {
          if (sendKept(request, response, tokenHash, state)) return
          const found = readAt(request.url ?? '')
          if (!found) return pass()
          build(request, response, tokenHash, found).catch(() => {
            if (response.headersSent) response.destroy()
            else pass()
          })
        }
        let state: DatabaseState | Promise<DatabaseState>
        try {
          state = recall.refresh()
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
