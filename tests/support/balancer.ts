/**
 * A small load balancer, as nginx or Caddy in front of several servers: requests in turn to those that are ready, and
 * to the next one where a server does not take them, or does not answer one that only reads.
 */
import { hash } from 'node:crypto'
import {
  Agent,
  createServer,
  get,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { listening } from './http.ts'

const HEALTH_EVERY_MS = 250
const HEALTH_WITHIN_MS = 1500

/** A request as its client saw it; `status` is 0 when the client left. Streams are not among them. */
export type Served = { at: number; method: string; path: string; status: number; ms: number }

/** How long a server may take before its response begins, in milliseconds. */
type Patience = { readsMs: number; writesMs: number }
const PATIENT: Patience = { readsMs: 15_000, writesMs: 30_000 }

/** Starts a balancer on 127.0.0.1; servers are added by their port. The caller closes it. */
export async function startBalancer() {
  let patience = PATIENT
  const agent = new Agent({ keepAlive: true })
  const upstreams = new Map<string, { isReady: boolean }>()
  const served: Served[] = []
  const closing = new AbortController()
  let turn = 0

  /** The next server that is ready and not among those that were tried. */
  function nextPort(tried: ReadonlySet<string>): string | undefined {
    const ready = [...upstreams].filter(([port, { isReady }]) => isReady && !tried.has(port))
    return ready[turn++ % ready.length]?.[0]
  }

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const isRead = incoming.method === 'GET'
    const tried = new Set<string>()
    for (;;) {
      const port = nextPort(tried)
      if (port === undefined) return void outgoing.writeHead(502).end()
      tried.add(port)
      try {
        const response = await send(port, incoming, outgoing, Buffer.concat(chunks))
        outgoing.writeHead(response.statusCode!, response.headers)
        outgoing.flushHeaders()
        response.on('error', () => outgoing.destroy()).pipe(outgoing)
        return
      } catch (error) {
        if (outgoing.destroyed) return
        const { code } = error as NodeJS.ErrnoException
        if (code === 'ECONNREFUSED') upstreams.get(port)!.isReady = false
        else if (!isRead) return void outgoing.writeHead(code === 'TIMEOUT' ? 504 : 502).end()
      }
    }
  }

  /** Resolves when the response begins. The connection to the server ends with the client's. */
  function send(
    port: string,
    { method, url, headers }: IncomingMessage,
    outgoing: ServerResponse,
    body: Buffer,
  ): Promise<IncomingMessage> {
    const forwarded: OutgoingHttpHeaders = {
      ...headers,
      'x-forwarded-for': addressOf(headers.authorization),
      'x-forwarded-host': headers.host,
      'x-forwarded-proto': 'http',
    }
    const sent = request({ host: '127.0.0.1', port, agent, method, path: url, headers: forwarded })
    const leave = () => sent.destroy()
    outgoing.once('close', leave)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => sent.destroy(Object.assign(new Error('no response in time'), { code: 'TIMEOUT' })),
        // A sign-in waits for Steam, as a sync does.
        method === 'GET' && !url?.startsWith('/auth/') ? patience.readsMs : patience.writesMs,
      )
      sent.once('response', (response) => {
        clearTimeout(timer)
        resolve(response)
      })
      sent.on('error', (error) => {
        clearTimeout(timer)
        outgoing.off('close', leave)
        reject(error)
      })
      sent.end(body)
    })
  }

  const server = createServer((incoming, outgoing) => {
    const at = performance.now()
    outgoing.once('close', () => {
      const { method = '', url: path = '' } = incoming
      if (path.includes('/events')) return
      const status = outgoing.writableFinished ? outgoing.statusCode : 0
      served.push({ at, method, path, status, ms: performance.now() - at })
    })
    pass(incoming, outgoing).catch(() => outgoing.destroy())
  })
  const { url, close } = await listening(server)

  async function watch(port: string): Promise<void> {
    while (!closing.signal.aborted) {
      upstreams.get(port)!.isReady = await isReady(port)
      await pause(HEALTH_EVERY_MS, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  return {
    url,
    served,
    setPatience: (changed = PATIENT) => void (patience = changed),
    /** Adds a server; requests are sent to it while it is ready. */
    add(port: string): void {
      upstreams.set(port, { isReady: false })
      void watch(port)
    },
    /** The ports of the servers that are ready. */
    ready: () => [...upstreams].filter(([, { isReady }]) => isReady).map(([port]) => port),
    close: async () => {
      closing.abort()
      agent.destroy()
      await close()
    },
  }
}

/** Players have addresses of their own, so that the limits of one address are not what is tried. */
function addressOf(token = ''): string {
  return `10.${[...hash('sha256', token, 'buffer').subarray(0, 3)].join('.')}`
}

function isReady(port: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path: '/readyz', timeout: HEALTH_WITHIN_MS }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(false))
  })
}
