/** The baseline of the benchmarks: node:http in one process, with the same responses from memory. */
import { createServer } from 'node:http'

type Recorded = { headers: Record<string, string>; body: string }
/** By `Accept-Encoding` and URL. */
const responses = new Map<string, { headers: Record<string, string>; body: Buffer }>()

const server = createServer((request, response) => {
  const recorded = responses.get(`${request.headers['accept-encoding'] ?? ''} ${request.url}`)
  if (!recorded) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, recorded.headers)
  response.end(recorded.body)
})

process.on('message', (message: Record<string, Recorded> | 'usage') => {
  if (message === 'usage') {
    const { user, system } = process.cpuUsage()
    process.send?.({ rss: process.memoryUsage().rss, cpuMs: (user + system) / 1000 })
    return
  }
  for (const [key, { headers, body }] of Object.entries(message))
    responses.set(key, { headers, body: Buffer.from(body, 'base64') })
  process.send?.('loaded')
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
