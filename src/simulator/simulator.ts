/**
 * Simulates Steam over HTTP: Web API, sign-in, pictures and faults. It imports nothing from the product, so
 * that the two cannot share a bug; tests compare it with recorded responses.
 * Requirements: DEMO-6.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { handleControl } from './control.ts'
import { createFaults, send, sendFaulty, type EndpointName } from './faults.ts'
import {
  cancelledUrl,
  createOpenidProvider,
  returnUrlOf,
  SignInRequestError,
  type OpenidProvider,
} from './openid.ts'
import { pictureReply } from './pictures.ts'
import { createPopulation, type Population } from './population.ts'
import { errorPage, escapeMarkup, redirect, type Reply } from './reply.ts'
import { languageOfPage, signInPage } from './sign-in-page.ts'
import { answerWebApi, webApiCall } from './web-api.ts'
import type { World } from './world.ts'

export type SimulatorOptions = {
  /** Port to listen on; default 0: any free port. */
  port?: number
  host?: string
  /** The world to serve; it is modified by changes. */
  world: World
  /** The only API key to accept; default: any. */
  apiKey?: string
  /** Name on the sign-in page of the site that players sign in to; default: the host of its return URL. */
  pageTitle?: string
  /**
   * URL below which another server shows the sign-in page and the pictures, which it gets from `page`. The port of the
   * simulator then has neither, and players can sign in to the origin of this URL only.
   */
  pagesUrl?: string
  /** Delay of every response, in milliseconds. */
  latencyMs?: number
  /** Enables the control API (control.ts), with which any program can change the world; off by default. */
  control?: boolean
  /** Confirms an assertion any number of times; Steam does it once. */
  confirmsTwice?: boolean
  /** What assertions are signed with; simulators with the same secret confirm each other's. Default: random. */
  secret?: string
  /** Current time in milliseconds since 1970, for the nonce of an assertion. */
  now?: () => number
}

/** A recorded request, without its query, which contains the API key. */
export type Call = {
  method: string
  path: string
  endpoint: EndpointName
  /** Steam ids that it was about. */
  steamIds: string[]
  /** When it came, by `performance.now()`. */
  at: number
}

export type Simulator = Awaited<ReturnType<typeof startSimulator>>

/** Most recorded requests; above it the older half is dropped. */
const RECORDED_CALLS_MAX = 100_000
const BODY_MAX_BYTES = 16 * 1024 * 1024
const OPENID_PATH = '/openid/login'
const SIGN_IN_AS_PATH = `${OPENID_PATH}/as`
/** What browsers request; the rest is for servers. */
const PAGES: readonly EndpointName[] = ['sign_in_page', 'sign_in', 'picture']

/** A browser's request to another server; `path` is that below `pagesUrl`, with its query. */
export type PageRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string }

/**
 * Starts a simulator; rejects when it cannot listen. The result has:
 *
 * - `url`: its origin
 * - `picturesUrl`: base URL of the pictures (pictures.ts)
 * - `apiUrl`, `openidUrl`: in place of Steam's Web API and OpenID endpoint
 * - `checkUrl`: the endpoint's address on this machine, for `check_authentication`
 * - `page(request)`: a page or picture for the server that has `pagesUrl`; undefined for any other path
 * - `assertionFor(steamId, returnTo, options?)`: the URL of a browser's redirect after signing in, forged on request
 * - `fail(rule)`, `clearFaults()`, `setLatency(ms)`: faults (faults.ts)
 * - `calls`, `callsTo(endpoint, steamId?)`, `clearCalls()`: recorded requests
 * - `world`, and its changes: `addPlayer`, `updatePlayer`, `setGames`, `befriend`, `unfriend`, `removePlayer`, `addApp`
 * - `close()`: closes the server and all connections
 */
export async function startSimulator({
  port = 0,
  host = '127.0.0.1',
  world,
  apiKey,
  pageTitle,
  pagesUrl: pagesElsewhere,
  latencyMs = 0,
  control = false,
  confirmsTwice = false,
  secret,
  now = Date.now,
}: SimulatorOptions) {
  const population = createPopulation(world)
  const faults = createFaults()
  const calls: Call[] = []
  const closing = new AbortController()
  let latency = latencyMs

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: boundPort } = server.address() as AddressInfo
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`
  const pagesUrl = pagesElsewhere ?? url
  const site = new URL(pagesUrl)
  const openid = createOpenidProvider({
    endpoint: `${pagesUrl}${OPENID_PATH}`,
    confirmsTwice,
    secret: secret ?? randomBytes(20),
    now,
  })
  const context: Context = {
    population,
    openid,
    pagesUrl,
    onlySite: pagesElsewhere === undefined ? undefined : site.origin,
    apiKey,
    pageTitle,
    now,
  }

  const setLatency = (ms: number) => void (latency = ms)
  const clearCalls = () => void (calls.length = 0)
  const controls = {
    population,
    fail: faults.fail,
    clearFaults: faults.clear,
    calls: () => calls,
    clearCalls,
    setLatency,
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET'
    // Proxies send the absolute form; anything else, such as the `*` of OPTIONS, is no URL of a page.
    const target = (request.url ?? '/').replace(/^https?:\/\/[^/]*/i, '')
    if (!target.startsWith('/')) return send(errorPage(400, 'This is not the path of a page.'), response)
    const { pathname: path, searchParams: query } = new URL(`${url}${target}`)
    if (!hasOwnHost(request.headers, host))
      return send(errorPage(403, 'The simulator does not have this host name.'), response)
    const isControl = path.startsWith('/_simulator/')
    if ((isControl || path === SIGN_IN_AS_PATH) && !isSameOrigin(request.headers, url))
      return send(errorPage(403, 'Requests from other sites are not allowed.'), response)
    const body = await bodyOf(request)
    if (body === undefined) return send(errorPage(413, 'The body is too large.'), response)
    if (isControl && control) return send(handleControl(method, path, body, controls), response)
    const found = route(
      { method, path, query, body, language: languageOfPage(request.headers['accept-language']) },
      context,
    )
    if (!found || (pagesElsewhere !== undefined && PAGES.includes(found.endpoint)))
      return send(errorPage(404, 'Not found.'), response)

    const { endpoint, steamIds, reply } = found
    calls.push({ method, path, endpoint, steamIds, at: performance.now() })
    if (calls.length > RECORDED_CALLS_MAX) calls.splice(0, RECORDED_CALLS_MAX / 2)
    const rule = faults.take(endpoint, steamIds)
    if (latency > 0) await pause(latency, undefined, { signal: closing.signal })
    if (rule) await sendFaulty(rule, reply, response, closing.signal)
    else send(reply(), response)
  }

  function page({ method, path: target, headers, body }: PageRequest): Reply | undefined {
    const { pathname: path, searchParams: query } = new URL(`${url}${target}`)
    const found = route(
      { method, path, query, body, language: languageOfPage(headers['accept-language']) },
      context,
    )
    if (!found || !PAGES.includes(found.endpoint)) return undefined
    // The page's form posts, and so does nothing else.
    if (method === 'POST' ? path !== SIGN_IN_AS_PATH : path === SIGN_IN_AS_PATH) return undefined
    if (!hasOwnHost(headers, site.hostname))
      return errorPage(403, 'The simulator does not have this host name.')
    if (path === SIGN_IN_AS_PATH && !isSameOrigin(headers, site.origin))
      return errorPage(403, 'Requests from other sites are not allowed.')
    return found.reply()
  }

  return {
    url,
    picturesUrl: `${pagesUrl}/pictures`,
    apiUrl: url,
    openidUrl: `${pagesUrl}${OPENID_PATH}`,
    checkUrl: `${url}${OPENID_PATH}`,
    page,
    assertionFor: openid.assertionFor,
    ...population,
    calls,
    /** The recorded requests to an endpoint, or only those about one player. */
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

type SimulatorRequest = {
  method: string
  path: string
  query: URLSearchParams
  body: string
  /** Of the sign-in page. */
  language: ReturnType<typeof languageOfPage>
}
type Context = {
  population: Population
  openid: OpenidProvider
  pagesUrl: string
  /** The only origin that players may sign in to; undefined: any. */
  onlySite: string | undefined
  apiKey: string | undefined
  pageTitle: string | undefined
  now: () => number
}
/** The endpoint of a request; `reply` creates the response, after the latency. */
type Route = { endpoint: EndpointName; steamIds: string[]; reply: () => Reply }

function route(request: SimulatorRequest, context: Context): Route | undefined {
  const { method, path, query } = request
  const { population, pagesUrl, apiKey, now } = context
  const call = webApiCall(path, query)
  if (call) {
    const reply = () => answerWebApi(call, { query, population, pagesUrl, now: now() }, apiKey)
    return { ...call, reply: isRead(method) ? reply : () => errorPage(405, 'Please use GET.') }
  }
  if (path === OPENID_PATH || path === `${OPENID_PATH}/` || path === SIGN_IN_AS_PATH)
    return routeSignIn(request, context)
  const picture = isRead(method) ? pictureReply(path, population) : undefined
  return picture && { endpoint: 'picture', steamIds: [], reply: () => picture }
}

/**
 * Sign-in: GET shows the page, POST with `check_authentication` verifies an assertion. Below `/as`, GET or the page's
 * form picks a player or cancels.
 */
function routeSignIn(
  { method, path, query, body, language }: SimulatorRequest,
  { population, openid, pagesUrl, onlySite, pageTitle }: Context,
): Route {
  const form = new URLSearchParams(body)
  if (path.endsWith('/as')) {
    const picked = method === 'POST' ? form : query
    const steamId = picked.get('steamid') ?? ''
    return {
      endpoint: 'sign_in',
      steamIds: [steamId].filter(Boolean),
      reply: withErrorPage(() => {
        const returnTo = returnUrlOf(picked, onlySite)
        if (picked.has('cancel')) return redirect(cancelledUrl(returnTo))
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
    reply: withErrorPage(() => {
      const returnTo = returnUrlOf(query, onlySite)
      const base = new URL(pagesUrl).pathname.replace(/\/$/, '')
      return signInPage({
        population,
        query,
        title: pageTitle ?? new URL(returnTo).host,
        base,
        returnTo,
        language,
      })
    }),
  }
}

function withErrorPage(reply: () => Reply): () => Reply {
  return () => {
    try {
      return reply()
    } catch (error) {
      if (error instanceof SignInRequestError)
        return { ...errorPage(400, escapeMarkup(error.message)), refusal: error.message }
      throw error
    }
  }
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The body as text; undefined when it is too large. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  // Destroying the request would close the connection before the refusal is sent.
  const arriving: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false })
  for await (const chunk of arriving) {
    size += chunk.byteLength
    if (size > BODY_MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

// The simulator has no passwords and is reachable by the browsers on its machine, so it rejects foreign host names that
// resolve to it (DNS rebinding) and foreign forms (cross-site request forgery; DEMO-5).

/** Whether the `Host` header is an IP address, `localhost` or the simulator's own host name. */
function hasOwnHost({ host = '' }: IncomingHttpHeaders, ownHost: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return hostname === 'localhost' || hostname === ownHost || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}

/**
 * Whether a request comes from the simulator's own pages or from a program. Browsers send `Origin` and
 * `Sec-Fetch-Site`; programs send neither.
 * @param ownOrigin the origin of the pages, which a proxy may serve with https
 */
function isSameOrigin(
  { origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders,
  ownOrigin: string,
): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin === `http://${host}` || origin === ownOrigin
}
