/** Where the server listens: at every address of its host name, with one server behind all of them. */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'

type Place = { port: number; backlog: number }

/**
 * Listens at an address, or at each address of a name such as `localhost`. The framework would make a server of its own
 * for each further address, without the timeouts, limits and fast answers of the first.
 * @throws the error of the system when the first address cannot be listened at
 */
export async function listen(http: FastifyInstance, host: string, place: Place): Promise<void> {
  const addresses = isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address)
  await listenAt(http, addresses, place)
}

/** As {@link listen}, at addresses. A further one that cannot be listened at is left out, and the log says so. */
export async function listenAt(
  http: FastifyInstance,
  [first, ...others]: readonly string[],
  { port, backlog }: Place,
): Promise<void> {
  await http.listen({ host: first, port, backlog })
  const bound = http.server.address()
  for (const host of others) {
    const listener = createServer((socket) => void http.server.emit('connection', socket))
    listener.listen({ host, port: typeof bound === 'object' ? bound?.port : port, backlog })
    try {
      await once(listener, 'listening')
    } catch (error) {
      http.log.warn({ err: error, host }, 'cannot listen at a further address')
      continue
    }
    http.server.once('close', () => listener.close())
  }
}
