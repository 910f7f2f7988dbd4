/** A receiver of webhooks over https, in a web of the test's own; for server and browser tests. */
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import type { WebAccess } from '../../src/server/pictures/public-request.ts'
import { listening } from './http.ts'

/** A certificate for hooks.test, which only tests trust; made by openssl, valid for a hundred years. */
const read = (name: string) => readFileSync(join(import.meta.dirname, 'certificates', name), 'utf8')

export type Received = { path: string; headers: IncomingHttpHeaders; body: string; bytes: Buffer }
type Answer = { status: number; headers?: Record<string, string>; body?: string }

/** The web in which only the receiver at this port exists. */
export function webOfReceiver(port: number): WebAccess {
  return {
    lookup: async (host) => (host === 'hooks.test' ? ['127.0.0.1'] : []),
    policy: (address, to) => address === '127.0.0.1' && to === port,
    ca: read('hooks.test.crt'),
  }
}

/** Starts a receiver at `https://hooks.test:{port}`, and gives the web in which only it exists; the caller closes it. */
export async function openReceiver() {
  const received: Received[] = []
  let answer: (request: Received) => Answer | undefined = () => ({ status: 204 })
  const server = createServer(
    { key: read('hooks.test.key'), cert: read('hooks.test.crt') },
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const one = {
          path: request.url ?? '',
          headers: request.headers,
          body: bytes.toString(),
          bytes,
        }
        received.push(one)
        const said = answer(one)
        if (said) response.writeHead(said.status, said.headers ?? {}).end(said.body ?? 'thank you')
      })
    },
  )
  const { port, close } = await listening(server)
  return {
    url: `https://hooks.test:${port}/nights`,
    port,
    web: webOfReceiver(port),
    received,
    /** Bodies so far, parsed. */
    bodies: () => received.map(({ body }) => JSON.parse(body) as Record<string, unknown>),
    close,
    /** What it answers from now on; never, where that is undefined. */
    respond: (next: (request: Received) => Answer | undefined) => void (answer = next),
  }
}
