/**
 * A look-alike of the game platform over HTTP: its Web API, its sign-in, its pictures, and what goes wrong with
 * them. It imports nothing of the product, so that the two cannot share a mistake; tests hold it against recorded
 * answers.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { answerControl } from './control.ts'
import { createFaults, send, sendFaulty, type EndpointName } from './faults.ts'
import {
  cancelledAddress,
  createOpenidProvider,
  returnAddressOf,
  SignInRequestError,
  type OpenidProvider,
} from './openid.ts'
import { answerPicture } from './pictures.ts'
import { createPopulation, type Population } from './population.ts'
import { errorPage, escapeMarkup, redirect, type Reply } from './reply.ts'
import { signInPage } from './sign-in-page.ts'
import { answerWebApi, webApiCall } from './web-api.ts'
import { comesFromUs, comesToUs } from './visitors.ts'
import type { World } from './world.ts'

export type SimulatorOptions = {
  /** Where it listens; 0: any free port. */
  port?: number
  host?: string
  /** The world that it serves and, when told so, changes. */
  world: World
  /** The key that calls must carry; left out: any. */
  apiKey?: string
  /** Whom people sign in to, as the sign-in page says it. */
  pageTitle?: string
  /** Milliseconds before every answer. */
  latencyMs?: number
  /** Lets every program that reaches it change the world over HTTP (control.ts); off unless asked for. */
  control?: boolean
  /** Confirms the same sign-in as often as it is asked to; the real platform does it once. */
  confirmsTwice?: boolean
  /** Milliseconds since 1970, for the time in a sign-in's nonce. */
  now?: () => number
}

/** One request that came in. Its query is not kept, because the key travels in it. */
export type Call = {
  method: string
  path: string
  endpoint: EndpointName
  /** Whom it was about. */
  steamIds: string[]
}

export type Simulator = Awaited<ReturnType<typeof startSimulator>>

/** Calls that are remembered; a simulator that runs for long forgets the oldest. */
const CALLS_MAX = 100_000
const BODY_MAX_BYTES = 16 * 1024 * 1024
const OPENID_PATH = '/openid/login'
const SIGN_IN_AS_PATH = `${OPENID_PATH}/as`

/**
 * Starts a simulator. Rejects when it cannot listen.
 *
 * - `url`: its origin
 * - `picturesUrl`: below it are the pictures, as pictures.ts tells
 * - `apiUrl`, `openidUrl`: what stands in for the platform's addresses
 * - `assertionFor(steamId, returnTo, options?)`: where a browser would be sent after signing in, forged if wanted
 * - `fail(rule)`, `clearFaults()`, `setLatency(ms)`: what goes wrong
 * - `calls`, `callsTo(endpoint, steamId?)`, `clearCalls()`: what was asked
 * - `world` and what changes it: `addPlayer`, `updatePlayer`, `setGames`, `befriend`, `unfriend`, `removePlayer`,
 *   `addApp`
 * - `close()` ends every connection
 */
export async function startSimulator({
  port = 0,
  host = '127.0.0.1',
  world,
  apiKey,
  pageTitle,
  latencyMs = 0,
  control = false,
  confirmsTwice = false,
  now = Date.now,
}: SimulatorOptions) {
  const population = createPopulation(world)
  const faults = createFaults()
  const calls: Call[] = []
  const closing = new AbortController()
  let latency = latencyMs

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: boundPort } = server.address() as AddressInfo
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`
  const openid = createOpenidProvider({ endpoint: `${url}${OPENID_PATH}`, confirmsTwice, now })

  const setLatency = (ms: number) => void (latency = ms)
  const clearCalls = () => void (calls.length = 0)
  const knobs = {
    population,
    fail: faults.fail,
    clearFaults: faults.clear,
    calls: () => calls,
    clearCalls,
    setLatency,
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET'
    const { pathname: path, searchParams: query } = new URL(`${url}${request.url ?? '/'}`)
    if (!comesToUs(request.headers, host))
      return send(errorPage(403, 'The simulator has no such name.'), response)
    const isControl = path.startsWith('/_simulator/')
    if ((isControl || path === SIGN_IN_AS_PATH) && !comesFromUs(request.headers))
      return send(errorPage(403, 'Other sites may not do this.'), response)
    const body = await bodyOf(request)
    if (isControl && control) return send(answerControl(method, path, body, knobs), response)
    const served = serve({ method, path, query, body }, { population, openid, url, apiKey, pageTitle })
    if (!served) return send(errorPage(404, 'There is nothing here.'), response)

    const { endpoint, steamIds, reply } = served
    calls.push({ method, path, endpoint, steamIds })
    if (calls.length > CALLS_MAX) calls.splice(0, CALLS_MAX / 2)
    const rule = faults.take(endpoint, steamIds)
    if (latency > 0) await pause(latency, undefined, { signal: closing.signal })
    if (rule) await sendFaulty(rule, reply(), response, closing.signal)
    else send(reply(), response)
  }

  return {
    url,
    picturesUrl: `${url}/pictures`,
    apiUrl: url,
    openidUrl: `${url}${OPENID_PATH}`,
    assertionFor: openid.assertionFor,
    ...population,
    calls,
    /** The calls to one endpoint, all of them or those about one person. */
    callsTo: (endpoint: EndpointName, steamId?: string): Call[] =>
      calls.filter(
        (call) => call.endpoint === endpoint && (steamId === undefined || call.steamIds.includes(steamId)),
      ),
    clearCalls,
    fail: faults.fail,
    clearFaults: faults.clear,
    setLatency,
    close: (): Promise<void> =>
      new Promise((resolve) => {
        closing.abort()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Asked = { method: string; path: string; query: URLSearchParams; body: string }
type Parts = {
  population: Population
  openid: OpenidProvider
  url: string
  apiKey: string | undefined
  pageTitle: string | undefined
}
/** Which endpoint a request is for, and its answer, made when its turn has come. */
type Served = { endpoint: EndpointName; steamIds: string[]; reply: () => Reply }

function serve(asked: Asked, parts: Parts): Served | undefined {
  const { method, path, query } = asked
  const { population, url, apiKey } = parts
  const call = webApiCall(path, query)
  if (call) {
    const reply = () => answerWebApi(call, { query, population, origin: url }, apiKey)
    return { ...call, reply: isRead(method) ? reply : () => errorPage(405, 'Please use GET.') }
  }
  if (path === OPENID_PATH || path === `${OPENID_PATH}/` || path === SIGN_IN_AS_PATH)
    return serveSignIn(asked, parts)
  const picture = isRead(method) ? answerPicture(path, population) : undefined
  return picture && { endpoint: 'picture', steamIds: [], reply: () => picture }
}

/**
 * The sign-in: GET shows the page, POST with `check_authentication` checks an assertion; below `/as` somebody was
 * picked, or the sign-in was cancelled, by GET or by the page's form.
 */
function serveSignIn({ method, path, query, body }: Asked, { population, openid, pageTitle }: Parts): Served {
  const form = new URLSearchParams(body)
  if (path.endsWith('/as')) {
    const picked = method === 'POST' ? form : query
    const steamId = picked.get('steamid') ?? ''
    return {
      endpoint: 'sign_in',
      steamIds: [steamId].filter(Boolean),
      reply: orExplained(() => {
        const returnTo = returnAddressOf(picked)
        if (picked.has('cancel')) return redirect(cancelledAddress(returnTo))
        if (!population.player(steamId)) throw new SignInRequestError('There is no such player.')
        return redirect(openid.assertionFor(steamId, returnTo))
      }),
    }
  }
  if (method === 'POST' && form.get('openid.mode') === 'check_authentication') {
    const steamId = form.get('openid.claimed_id')?.match(/\/id\/(\d+)$/)?.[1]
    return {
      endpoint: 'check_authentication',
      steamIds: steamId === undefined ? [] : [steamId],
      reply: () => openid.checkAuthentication(form),
    }
  }
  return {
    endpoint: 'sign_in_page',
    steamIds: [],
    reply: orExplained(() => {
      const returnTo = returnAddressOf(query)
      return signInPage({ population, query, title: pageTitle ?? new URL(returnTo).host })
    }),
  }
}

function orExplained(reply: () => Reply): () => Reply {
  return () => {
    try {
      return reply()
    } catch (error) {
      if (error instanceof SignInRequestError) return errorPage(400, escapeMarkup(error.message))
      throw error
    }
  }
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > BODY_MAX_BYTES) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
