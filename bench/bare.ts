/** The limit that the product is measured against: node:http, one process, the same bytes from memory by address. */
import { createServer } from 'node:http'

type Answer = { headers: Record<string, string>; body: string }
const answers = new Map<string, { headers: Record<string, string>; body: Buffer }>()

const server = createServer((request, response) => {
  const answer = answers.get(`${request.headers['accept-encoding'] ?? ''} ${request.url}`)
  if (!answer) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, answer.headers)
  response.end(answer.body)
})

process.on('message', (message: Record<string, Answer> | 'usage') => {
  if (message === 'usage') {
    const { user, system } = process.cpuUsage()
    process.send?.({ rss: process.memoryUsage().rss, cpuMs: (user + system) / 1000 })
    return
  }
  for (const [key, { headers, body }] of Object.entries(message))
    answers.set(key, { headers, body: Buffer.from(body, 'base64') })
  process.send?.('loaded')
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
