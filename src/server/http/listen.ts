/** Where the server listens: at every address of its host name, with one server behind all of them. */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Listens at an address, or at each address of a name such as `localhost`. The framework would make a server of its own
 * for each further address, without the timeouts, limits and fast path of the first.
 * @throws the error of the system when the name is unknown or the first address cannot be listened at
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

/** Has a server that listens take connections of another address too; where it cannot, the log says so. */
export async function listenBesides(
  http: FastifyInstance,
  place: { host: string; port: number; backlog: number },
): Promise<void> {
  const listener = createServer((socket) => void http.server.emit('connection', socket))
  listener.listen(place)
  try {
    await once(listener, 'listening')
  } catch (error) {
    return http.log.warn({ err: error, host: place.host }, 'cannot listen at a further address')
  }
  http.server.once('close', () => listener.close())
}
