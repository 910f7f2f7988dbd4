/** Listens at every IP address of the host name, with one server for all of them. */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer, isIP, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Listening sockets per address. Node accepts one connection per socket and turn of the event loop: with one socket an
 * overloaded server accepts so few that new visitors and health checks wait behind attackers who only connect. Linux
 * distributes connections among sockets that share a port.
 */
const SOCKETS = process.platform === 'linux' ? 64 : 1
const SHARED_PORT = { reusePort: SOCKETS > 1 }

/**
 * Listens at an address, or at each address of a name such as `localhost`. The framework would create another server
 * for each further address, without the timeouts, limits and doors of the first. Returns a function that resolves when
 * all connections have ended; closing `http` waits only for one socket's connections.
 * @throws the system's error when the name is unknown or listening at the first address fails
 */
export async function listen(
  http: FastifyInstance,
  { host, port, backlog }: { host: string; port: number; backlog: number },
): Promise<() => Promise<void>> {
  const [first, ...others] = isIP(host)
    ? [host]
    : (await lookup(host, { all: true })).map(({ address }) => address)
  // A second server started by mistake could share the port too.
  await requireFree({ host: first, port })
  const besides: Server[] = []
  // The framework closes only its own socket.
  http.addHook('preClose', (done) => {
    for (const listener of besides) listener.close()
    done()
  })
  await http.listen({ host: first, port, backlog, ...SHARED_PORT })
  const shared = { port: (http.server.address() as AddressInfo).port, backlog, ...SHARED_PORT }
  const hosts = [first!, ...others].flatMap((each) => Array<string>(SOCKETS).fill(each)).slice(1)
  for (const each of hosts) besides.push(await openSocket(http, { host: each, ...shared }))
  const ended = Promise.all(besides.map((listener) => once(listener, 'close')))
  return () => ended.then(() => {})
}

type Place = { host: string; port: number; backlog: number; reusePort?: boolean }

/** Makes a listening server accept connections at another address too; a failure is only logged. */
export async function listenBesides(http: FastifyInstance, place: Place): Promise<void> {
  const listener = await openSocket(http, place)
  http.server.once('close', () => listener.close())
}

async function openSocket(http: FastifyInstance, place: Place): Promise<Server> {
  const listener = createServer((connection) => void http.server.emit('connection', connection))
  listener.listen(place)
  await once(listener, 'listening').catch((error: unknown) =>
    http.log.warn({ err: error, host: place.host }, 'cannot listen at a further address'),
  )
  return listener
}

async function requireFree(place: { host: string | undefined; port: number }): Promise<void> {
  const probe = createServer().listen(place)
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}
