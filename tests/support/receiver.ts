/** A receiver of webhooks over https, in a web of the test's own; for server and browser tests. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { WebAccess } from '../../src/server/pictures/public-request.ts'

/** A certificate for hooks.test, which only tests trust; made by openssl, valid for a hundred years. */
const read = (name: string) => readFileSync(join(import.meta.dirname, 'certificates', name), 'utf8')

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }
type Answer = { status: number; headers?: Record<string, string> }

/** Starts a receiver at `https://hooks.test:{port}`, and gives the web in which only it exists; the caller closes it. */
export async function openReceiver() {
  const received: Received[] = []
  let answer: (request: Received) => Answer = () => ({ status: 204 })
  const server = createServer(
    { key: read('hooks.test.key'), cert: read('hooks.test.crt') },
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const one = {
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        }
        received.push(one)
        const { status, headers = {} } = answer(one)
        response.writeHead(status, headers).end('thank you')
      })
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const web: WebAccess = {
    lookup: async (host) => (host === 'hooks.test' ? ['127.0.0.1'] : []),
    policy: (address, to) => address === '127.0.0.1' && to === port,
    ca: read('hooks.test.crt'),
  }
  return {
    url: `https://hooks.test:${port}/nights`,
    web,
    received,
    /** Bodies so far, parsed. */
    bodies: () => received.map(({ body }) => JSON.parse(body) as Record<string, unknown>),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    respond: (next: (request: Received) => Answer) => void (answer = next),
  }
}
