/** Listens at every IP address of the host name, with one server for all of them. */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Listens at an IP address, or at each address of a name such as `localhost`. The framework would create another server
 * for each further address, without the timeouts, limits and fast path of the first.
 * @throws the system's error when the name is unknown or listening at the first address fails
 */
export async function listen(
  http: FastifyInstance,
  { host, port, backlog }: { host: string; port: number; backlog: number },
): Promise<void> {
  const [first, ...others] = isIP(host)
    ? [host]
    : (await lookup(host, { all: true })).map(({ address }) => address)
  await http.listen({ host: first, port, backlog })
  for (const other of others) await listenBesides(http, { host: other, port, backlog })
}

/** Makes a listening server accept connections at another address too; a failure is only logged. */
export async function listenBesides(
  http: FastifyInstance,
  endpoint: { host: string; port: number; backlog: number },
): Promise<void> {
  const listener = createServer((socket) => void http.server.emit('connection', socket))
  listener.listen(endpoint)
  try {
    await once(listener, 'listening')
  } catch (error) {
    return http.log.warn({ err: error, host: endpoint.host }, 'cannot listen at a further address')
  }
  http.server.once('close', () => listener.close())
}
