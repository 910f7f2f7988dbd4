/** Requests with headers that `fetch` does not allow, such as Host and Origin, and with any path. */
import { type IncomingHttpHeaders, request } from 'node:http'

export type RawResponse = { status: number; headers: IncomingHttpHeaders; body: string }
type Options = { method?: string; headers?: Record<string, string>; body?: string }

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
