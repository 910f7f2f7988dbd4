/**
 * The baseline of the benchmarks: node:http in one process, with the same responses from memory. A request that is not
 * GET is appended to the file BARE_FILE and flushed to disk before it is answered.
 */
import { fdatasyncSync, openSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** `encoding`: `Accept-Encoding` of the request; `body`: in base64. */
export type RecordedResponse = {
  method: string
  encoding: string
  path: string
  status: number
  headers: Record<string, string>
  body: string
}
export type BareMessage = 'usage' | { responses: RecordedResponse[] }

type Stored = { status: number; headers: Record<string, string>; body: Buffer }
/** By `Accept-Encoding` and URL. */
const reads = new Map<string, Stored>()
/** By method and kind of URL: all writes of a kind get the same response. */
const writes = new Map<string, Stored>()
const written = process.env.BARE_FILE === undefined ? undefined : openSync(process.env.BARE_FILE, 'a')

const kindOf = (method: string, path: string) => `${method} ${path.replaceAll(/\d+/g, '0')}`

const server = createServer((request, response) => {
  if (request.method === 'GET')
    return answer(response, reads.get(`${request.headers['accept-encoding'] ?? ''} ${request.url}`))
  const body: Buffer[] = []
  request.on('data', (chunk: Buffer) => body.push(chunk))
  request.on('end', () => store(request, response, Buffer.concat(body)))
})

function store({ method = '', url = '' }: IncomingMessage, response: ServerResponse, body: Buffer): void {
  if (written !== undefined) {
    writeSync(written, Buffer.concat([Buffer.from(`${method} ${url} `), body, Buffer.from('\n')]))
    fdatasyncSync(written)
  }
  answer(response, writes.get(kindOf(method, url)))
}

function answer(response: ServerResponse, stored: Stored | undefined): void {
  if (stored) response.writeHead(stored.status, stored.headers).end(stored.body)
  else response.writeHead(404).end()
}

process.on('message', (message: BareMessage) => {
  if (message === 'usage') {
    const { user, system } = process.cpuUsage()
    process.send?.({ rss: process.memoryUsage().rss, cpuMs: (user + system) / 1000 })
    return
  }
  for (const { method, encoding, path, status, headers, body } of message.responses) {
    const stored = { status, headers, body: Buffer.from(body, 'base64') }
    if (method === 'GET') reads.set(`${encoding} ${path}`, stored)
    else writes.set(kindOf(method, path), stored)
  }
  process.send?.('loaded')
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
