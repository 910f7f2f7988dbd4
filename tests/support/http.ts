/** Servers of tests, and requests with any path and with headers that `fetch` does not allow, such as Host and Origin. */
import { once } from 'node:events'
import { type IncomingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RawResponse = { status: number; headers: IncomingHttpHeaders; body: string }
type Options = { method?: string; headers?: Record<string, string>; body?: string }

/** Has a server listen on a free port of loopback. `close` ends its connections too. */
export async function listening(server: Server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { port, url: `http://127.0.0.1:${port}`, close }
}

/** The path and query of a URL, as they are written. */
export const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '')

/** Sends a request and reads the whole response, of a stream its first part; follows no redirect. */
export function rawRequest(
  url: string,
  { method = 'GET', headers = {}, body }: Options = {},
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    // As it is written: parsing would resolve dots.
    const path = pathOf(url) || '/'
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      const read = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text })
      if (response.headers['content-type']?.startsWith('text/event-stream'))
        response.once('data', () => response.destroy()).once('close', read)
      response.on('data', (chunk: string) => (text += chunk))
      response.on('error', reject)
      response.on('end', read)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
