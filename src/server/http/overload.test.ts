/** An overloaded server refuses requests at once, with the time to retry (LIM-20). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify, { type FastifyRequest } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { slotLimits, type SlotLimitsGiven } from '../slots.ts'
import { sendFailure } from './failures.ts'
import { createRequestSlots, refuseUnderPressure, requestLimits } from './overload.ts'
import { connectionLimits } from './server.ts'

/** Limits that these tests do not reach. */
const GENEROUS: SlotLimitsGiven = {
  requests: { total: 10_000 },
  requestsOfNetwork: { perKey: 10_000, waitMs: 60_000 },
  requestsOfUser: { perKey: 10_000 },
}

/** A server whose clients say their address and user; `work` is what a request does. */
async function serve(
  { delayMs = 60_000, ...limits }: SlotLimitsGiven & { delayMs?: number },
  work: () => Promise<void> | void,
) {
  const app = Fastify({ forceCloseConnections: true })
  app.setErrorHandler(sendFailure)
  const times = { delayMs, stuckMs: 60_000 }
  await refuseUnderPressure(app, times)
  const slots = createRequestSlots(app, times, { ...GENEROUS, ...limits })
  const header = (request: FastifyRequest, name: string) => String(request.headers[name] ?? '')
  app.decorateRequest('address', '')
  app.decorateRequest('user', '')
  app.addHook('onRequest', async (request) => {
    Object.assign(request, { address: header(request, 'x-address'), user: header(request, 'x-user') })
  })
  await app.register(async (scope) => {
    scope.addHook('onRequest', slots.take)
    scope.addHook('onRequest', slots.countForUser)
    scope.addHook('onSend', slots.giveBack)
    scope.get('/', async () => {
      await work()
      return 'done'
    })
  })
  app.get('/healthz', () => 'healthy')
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const send = async (headers: Record<string, string> = {}, signal?: AbortSignal) => {
    const response = await fetch(url, { headers, ...(signal && { signal }) })
    const body = await response.text()
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body }
  }
  return { app, slots, url, send }
}

const refusal = {
  status: 503,
  retryAfter: '2',
  body: '{"error":"The server is busy. Try again in a moment.","code":"busy"}',
}

/** Work that goes on until `finish`. */
function held() {
  const waiting: (() => void)[] = []
  return {
    waiting,
    work: () => new Promise<void>((resolve) => waiting.push(resolve)),
    finish: () => {
      for (const end of waiting.splice(0)) end()
    },
  }
}

test('LIM-20: a request in progress takes a slot until it is answered; when none is free, others are refused', async () => {
  const { waiting, work, finish } = held()
  const { send } = await serve({ requests: { total: 3 } }, work)
  const accepted = [send(), send(), send()]
  await expect.poll(() => waiting.length).toBe(3)
  expect(await send()).toEqual(refusal)
  finish()
  expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([200, 200, 200])
  const later = send()
  await expect.poll(() => waiting.length).toBe(1)
  finish()
  expect((await later).status).toBe(200)
})

test('LIM-18: one address has a quota of them, beyond which it waits; one user has one from all addresses together', async () => {
  const { waiting, work, finish } = held()
  const { send } = await serve(
    { requestsOfNetwork: { perKey: 3, waitMs: 60_000 }, requestsOfUser: { perKey: 2 } },
    work,
  )
  const network = '2001:db8:1:2:'
  const running = [
    send({ 'x-address': `${network}:1`, 'x-user': 'a' }),
    send({ 'x-address': `${network}:9`, 'x-user': 'a' }),
  ]
  await expect.poll(() => waiting.length).toBe(2)
  const statusOf = async (address: string, user: string) =>
    (await send({ 'x-address': address, 'x-user': user })).status
  expect(await statusOf('192.0.2.7', 'a')).toBe(429)
  running.push(send({ 'x-address': `${network}3::1`, 'x-user': 'b' }))
  await expect.poll(() => waiting.length).toBe(3)
  running.push(send({ 'x-address': `${network}:1`, 'x-user': 'd' }))
  // Others do not wait for them.
  running.push(send({ 'x-address': '2001:db8:1:3::1', 'x-user': 'c' }))
  await expect.poll(() => waiting.length).toBe(4)
  finish()
  await expect.poll(() => waiting.length).toBe(1)
  finish()
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array(5).fill(200))
})

test('LIM-20: while the event loop is late, more than a few requests are refused, and the server is healthy', async () => {
  let ms = 20
  const { app, send, url } = await serve({ delayMs: 200 }, () => {
    for (const until = performance.now() + ms; performance.now() < until;);
  })
  // More work than time, until one is refused.
  const answers: Awaited<ReturnType<typeof send>>[] = []
  const load = async () => {
    while (answers.every(({ status }) => status === 200)) answers.push(await send())
  }
  await Promise.all(Array.from({ length: 100 }, load))
  expect(answers.filter(({ status }) => status !== 200)[0]).toEqual(refusal)
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(32)
  expect(await (await fetch(`${url}/healthz`)).text()).toBe('healthy')
  ms = 0
  await expect.poll(() => app.isUnderPressure()).toBe(false)
  expect((await send()).status).toBe(200)
})

test('LIM-15, LIM-18, LIM-21, LIM-22, LIM-47: docs/operate/monitor.md has the limits of a server', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/operate/monitor.md'), 'utf8')
  const [, table = ''] = page.split('| limit ')
  const listed = Object.fromEntries(
    table.split('\n').map((row) => {
      const [, limit = '', value = ''] = row.split('|')
      return [limit.trim(), value.match(/\d[\d,]*/g)?.map((number) => Number(number.replaceAll(',', '')))]
    }),
  ) as Record<string, number[] | undefined>
  const { requestsOfNetwork, requestsOfUser, heavyRequests, streams, streamsOfUser } = slotLimits
  const { perAddress, perToken } = requestLimits
  const { connections, requestMs, idleMs } = connectionLimits
  const { perKey, waiting, waitMs } = requestsOfNetwork
  expect(listed).toMatchObject({
    'requests a minute per IP address': [perAddress, perAddress],
    'requests a minute per session': [perToken],
    'concurrent requests per user': [requestsOfUser.perKey],
    'concurrent requests per address': [perKey, waiting, waitMs / 1000],
    'large responses at a time per user': [heavyRequests.perKey],
    'connections per server': [connections],
    'open pages per user, per server': [streamsOfUser.perKey, streams.total],
    'time to send a request, without traffic': [requestMs / 1000, idleMs / 1000],
  })
})
