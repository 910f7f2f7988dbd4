/**
 * Clients that disconnect, stall, or never close their connection: their slots and descriptors are released, and others
 * are served meanwhile (LIM-18, LIM-21).
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { engines, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { stallDatabase } from './stall.ts'

/** A connection to the app that stays open until the test ends; `closed` resolves when the server ended it. */
async function open(app: TestApp, { allowHalfOpen = false, localAddress = '127.0.0.1' } = {}) {
  const socket = connect({
    port: Number(new URL(app.address).port),
    host: '127.0.0.1',
    localAddress,
    allowHalfOpen,
  })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  const closed = new Promise<number>((resolve) => socket.once('close', () => resolve(performance.now())))
  return { socket, closed }
}

const connectionsOf = (app: TestApp) =>
  new Promise<number>((resolve) => app.http.server.getConnections((_error, count) => resolve(count)))

const INVENTED = 'x'.repeat(43)
const get = (path: string, token: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
/** A request whose announced body never arrives. */
const halfSent = (token: string) =>
  `POST /api/groups HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
  'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{'

const statusOf = async (player: TestPlayer) =>
  (await player.request(`/api/users/${player.steam_id}/settings`)).status

describe.each(engines)('LIM-18: a client that disconnects releases its slot (%s)', (engine) => {
  /** Sends `bytes` on each of `sockets` connections, many at a time, and resets each at once. */
  async function resetAtOnce(app: TestApp, sockets: number, bytes: string) {
    // The connections used for signing in stay open.
    const before = await connectionsOf(app)
    for (let sent = 0; sent < sockets; sent += 20)
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const { socket, closed } = await open(app)
          socket.write(bytes, () => socket.resetAndDestroy())
          await closed
        }),
      )
    await expect.poll(() => connectionsOf(app), { timeout: 5000 }).toBeLessThanOrEqual(before)
  }

  const ways: [string, (me: TestPlayer) => string][] = [
    ['invented tokens', () => get('/api/users/76561197960265729/games', INVENTED)],
    ['a valid token', (me) => get(`/api/users/${me.steam_id}/games`, me.token)],
    ['a request to the framework', (me) => get(`/api/users/${me.steam_id}/settings`, me.token)],
    ['a body that is still arriving', (me) => halfSent(me.token)],
  ]
  test.each(ways)('%s', async (_name, bytes) => {
    const app = await startTestApp({
      engine,
      slotLimits: { requests: { total: 20 } },
      requestLimits: { perAddress: 1e6, perToken: 1e6 },
    })
    const ada = await app.player({ games: { Portal: 60 } })
    const release = await stallDatabase(app.database)
    await resetAtOnce(app, 200, bytes(ada)).finally(release)
    await expect.poll(() => statusOf(ada), { timeout: 5000 }).toBe(200)
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
  })
})

describe('a body that never arrives', () => {
  test('LIM-18: takes no slot: others are served while 100 of one account are arriving', async () => {
    const app = await startTestApp({ slotLimits: { requests: { total: 20 } } })
    const [ada, eve] = [await app.player(), await app.player()]
    for (let n = 0; n < 100; n++) (await open(app)).socket.write(halfSent(eve.token))
    await expect.poll(() => connectionsOf(app)).toBeGreaterThanOrEqual(100)
    expect(await statusOf(ada)).toBe(200)
    expect((await fetch(`${app.url}/auth/steam`, { redirect: 'manual' })).status).toBe(302)
  })

  test('LIM-21: is refused when the time for a request is over', async () => {
    const app = await startTestApp({ connectionLimits: { requestMs: 1000, checkEveryMs: 100 } })
    const eve = await app.player()
    const { socket, closed } = await open(app)
    const sent = performance.now()
    socket.write(halfSent(eve.token))
    let answer = ''
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString()))
    const took = (await closed) - sent
    expect(took).toBeGreaterThan(900)
    expect(took).toBeLessThan(2500)
    expect(answer).toMatch(/^HTTP\/1\.1 408 [^]+"code":"too_slow"/)
  })

  test('LIM-21: by default a request has 30 seconds, its body included, and the server checks every five', async () => {
    const { server } = (await startTestApp()).http
    const { headersTimeout, requestTimeout, connectionsCheckingInterval } = server as typeof server & {
      connectionsCheckingInterval: number
    }
    expect({ headersTimeout, requestTimeout, connectionsCheckingInterval }).toEqual({
      headersTimeout: 30_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 5000,
    })
  })
})

describe('a client that never closes its half of a connection', () => {
  const ways: [string, string | undefined][] = [
    ['after a request that was too slow', halfSent(INVENTED)],
    ['after headers that were too slow', 'GET / HTTP/1.1\r\nX-Slow: '],
    ['after sending nothing', undefined],
    ['after an invalid request', '\x16\x03\x01\x02\x00'],
  ]
  test.each(ways)('LIM-21: %s: the server closes the connection', async (_name, bytes) => {
    const app = await startTestApp({ connectionLimits: { requestMs: 300, checkEveryMs: 50 } })
    const sockets: Socket[] = []
    for (let n = 0; n < 5; n++) {
      const { socket } = await open(app, { allowHalfOpen: true })
      socket.resume()
      if (bytes !== undefined) socket.write(bytes)
      sockets.push(socket)
    }
    await expect.poll(() => connectionsOf(app), { timeout: 10_000 }).toBe(0)
    // They never ended their half.
    expect(sockets.map((socket) => socket.writableEnded)).toEqual(Array(5).fill(false))
  })
})

describe('a client that does not read', () => {
  test('LIM-21: takes no slot, and is disconnected in the end', async () => {
    const app = await startTestApp({
      slotLimits: { requests: { total: 1 } },
      connectionLimits: { idleMs: 3000 },
    })
    const ada = await app.player()
    // More than the buffers of a connection hold.
    const games = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [String(10 + 10 * n), n]))
    const eve = await app.player({ games })
    const accepted = once(app.http.server, 'connection') as Promise<[Socket]>
    const { socket } = await open(app)
    const [serverSide] = await accepted
    const disconnected = once(serverSide, 'close')
    socket.write(get(`/api/users/${eve.steam_id}/games`, eve.token))
    await once(socket, 'readable')
    expect(serverSide.writableLength).toBeGreaterThan(0)
    await expect.poll(() => statusOf(ada)).toBe(200)
    await disconnected
  })
})

test('an upload that the client cancels is not logged as an error', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const app = await startTestApp({ logger })
  const eve = await app.player()
  const { group_id } = await app.group({ owner: eve })
  const head =
    `POST /api/groups/${group_id}/picture HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${eve.token}\r\n` +
    'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n' +
    '--b\r\nContent-Disposition: form-data; name="picture"; filename="p.png"\r\nContent-Type: image/png\r\n\r\n'
  for (const bytes of [head, head + 'x'.repeat(5000)]) {
    const received = once(app.http.server, 'request') as Promise<[IncomingMessage]>
    const { socket } = await open(app)
    socket.write(bytes)
    const [incoming] = await received
    await expect.poll(() => incoming.readableFlowing).toBe(true)
    lines.length = 0
    socket.destroy()
    await expect.poll(() => lines.join('')).toMatch(/the client disconnected before its request had arrived/)
    expect(lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([])
  }
})
