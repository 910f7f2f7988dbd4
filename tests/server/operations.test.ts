/** /healthz, /readyz and /metrics while the server is full, and a host with several addresses (OPS-15 to OPS-17). */
import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { listen, listenBesides } from '../../src/server/http/listen.ts'
import { rawRequest, sendRaw } from '../attack/raw-http.ts'
import { startTestApp } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'

test('OPS-15: a full server is healthy while slots become free, and unhealthy when none does for a while', async () => {
  const app = await startTestApp({
    oneServer: 'requests in progress are counted in memory',
    overloadLimits: { inFlight: 2, stuckMs: 500 },
    steamTiming: { timeoutMs: 3000, tries: 1 },
  })
  const people = [await app.player(), await app.player()]
  app.simulator.fail({ endpoint: 'GetFriendList', kind: 'slow', ms: 60_000 })
  const status = async (path: string) => (await fetch(app.url + path)).status
  const syncs = people.map((person) =>
    person.request(`/api/users/${person.steam_id}/sync_friends`, { method: 'POST' }),
  )
  await expect.poll(() => status('/api/groups/1')).toBe(503)
  expect(await status('/healthz')).toBe(200)
  await expect.poll(() => status('/healthz'), { timeout: 3000 }).toBe(503)
  expect(await status('/readyz')).toBe(200)
  expect(await status('/metrics')).toBe(200)
  expect(await status('/api/groups/1')).toBe(503)
  await Promise.all(syncs)
  expect(await status('/healthz')).toBe(200)
})

test('OPS-45: forwarded requests without TRUST_PROXY are warned of once', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const app = await startTestApp({ logger, oneServer: 'each server warns' })
  for (const path of ['/healthz', '/api/groups/1', '/login', '/healthz'])
    await fetch(app.url + path, {
      headers: { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' },
    })
  const warnings = lines.map((line) => JSON.parse(line) as { level: number; msg: string; address: string })
  expect(warnings).toEqual([
    expect.objectContaining({
      level: 40,
      address: expect.stringMatching(/127\.0\.0\.1|^::1$/) as string,
      msg: expect.stringMatching(
        /^A request has forwarding headers, but TRUST_PROXY does not name/,
      ) as string,
    }),
  ])
  expect(lines.join()).not.toContain('203.0.113.7')
})

test('a second address of the host has the same doors, limits and timeouts as the first', async () => {
  const app = await startTestApp({ connectionLimits: { requestMs: 300, checkEveryMs: 50, perAddress: 3 } })
  const ada = await app.player()
  const port = Number(new URL(app.address).port)
  const further = { host: '127.0.0.2', port }
  await listenBesides(app.http, { ...further, backlog: 16 })
  const path = `/api/users/${ada.steam_id}/total_playtime`
  const cached = async () => {
    const metrics = await (await fetch(`${app.url}/metrics`)).text()
    return Number(
      /http_cached_responses_total\{route="[^"]*total_playtime",status="200"\} (\d+)/.exec(metrics)?.[1] ?? 0,
    )
  }
  const there = async (bytes: string | Uint8Array) => {
    const socket = connect({ ...further, localAddress: '127.0.0.2' })
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.on('error', () => {})
    socket.write(bytes)
    await once(socket, 'close')
    return text
  }

  // Sent twice, because the first use of a session is written and invalidates the cache.
  await ada.request(path)
  await ada.request(path)
  const before = await cached()
  const bytes = rawRequest(app.address, `GET ${path}`, [`Authorization: Bearer ${ada.token}`])
  expect(await there(bytes)).toMatch(/^HTTP\/1\.1 200 [^]*total_playtime_minutes/)
  expect(await cached()).toBe(before + 1)
  // Invalid and slow requests are refused in the format of every other failure.
  expect(await there('HACK / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*invalid_input/)
  expect(await there('GET / HTTP/1.1\r\nX-Slow: ')).toMatch(/^HTTP\/1\.1 408 [^]*invalid_input/)
  // The limit of connections per address.
  for (let n = 0; n < 3; n++) {
    const socket = connect({ ...further, localAddress: '127.0.0.2' })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
  }
  expect(await there('')).toMatch(/^HTTP\/1\.1 429 /)

  await app.close()
  await expect(sendRaw(`http://127.0.0.2:${port}`, 'x')).rejects.toThrow()
})

// Only Linux spreads connections over sockets that share a port.
test.runIf(process.platform === 'linux')(
  'OPS-15: an overloaded server accepts many new connections per turn of its event loop',
  async () => {
    const port = await freePort()
    const http = Fastify()
    onTestFinished(() => http.close())
    await listen(http, { host: '127.0.0.1', port, backlog: 512 })
    let accepted = 0
    http.server.on('connection', () => accepted++)
    const clients = Array.from({ length: 200 }, () => connect({ host: '127.0.0.1', port }))
    onTestFinished(() => clients.forEach((client) => client.destroy()))
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    for (let turns = 0; turns < 20; turns++) await turn()
    expect(accepted).toBeGreaterThan(100)
  },
)

test('a port that another server listens at is refused, also to a second server of the same kind', async () => {
  const place = { host: '127.0.0.1', port: await freePort(), backlog: 16 }
  const [first, second] = [Fastify(), Fastify()]
  onTestFinished(async () => {
    await first.close()
    await second.close()
  })
  await listen(first, place)
  await expect(listen(second, place)).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
