/** What stands between browsers and the product. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { listening } from '../support/http.ts'
import type { Product } from '../support/product.ts'

/**
 * What a proxy in front of the product can do to it: pass on to one of two versions, fail, or not answer. `asked`: the paths of
 * all requests.
 */
export type Front = {
  url: string
  asked: string[]
  close: () => Promise<void>
  to: (answers: Product | 'failing' | 'gone') => void
}

export async function startFront(product: Product): Promise<Front> {
  let answers: Product | 'failing' | 'gone' = product
  const asked: string[] = []
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    asked.push(incoming.url!)
    if (answers === 'gone') return incoming.socket.destroy()
    if (answers === 'failing')
      return outgoing.writeHead(500, { 'content-type': 'text/html' }).end('<h1>500 of a proxy</h1>')
    const { hostname, port } = new URL(answers.url)
    const { url: path, method, headers } = incoming
    const passed = request({ hostname, port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  return {
    ...(await listening(server)),
    asked,
    to: (next) => {
      answers = next
      // As a server that goes away does, it ends what is open.
      server.closeAllConnections()
    },
  }
}
