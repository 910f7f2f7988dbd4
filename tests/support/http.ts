/** Requests with headers that `fetch` does not allow, such as Host and Origin, and with any path. */
import { type IncomingHttpHeaders, request } from 'node:http'

export type RawResponse = { status: number; headers: IncomingHttpHeaders; body: string }
type Options = { method?: string; headers?: Record<string, string>; body?: string }

/** The path and query of a URL, as they are written. */
export const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '')

/** Sends a request and reads the whole response; follows no redirect. */
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
      response.on('data', (chunk: string) => (text += chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
