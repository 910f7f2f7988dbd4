/** A small HTTP server on loopback with scripted responses, which records its requests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { listening } from './http.ts'

export type ReceivedRequest = {
  method: string
  /** The path without the query. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}
/** Responds to one request; `nth` counts from 1. */
export type Script = (response: ServerResponse, request: ReceivedRequest, nth: number) => void

/** Starts a server; it ends with the test. `requests` grows with each request, in the order of arrival. */
export async function scriptedServer(script: Script): Promise<{ url: string; requests: ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = []
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://server')
      const request: ReceivedRequest = {
        method: incoming.method ?? '',
        path: pathname,
        query: searchParams,
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString(),
      }
      const nth = requests.push(request)
      script(response, request, nth)
    })
  })
  const { url, close } = await listening(server)
  onTestFinished(close)
  return { url, requests }
}

/** Responds with a status and a body, as JSON unless the headers say otherwise. */
export function answer(
  response: ServerResponse,
  status: number,
  body: string | Uint8Array,
  headers: Record<string, string> = { 'content-type': 'application/json; charset=UTF-8' },
): void {
  response.writeHead(status, headers).end(body)
}
