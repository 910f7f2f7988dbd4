/** A server that is asked for too much (CONTRACT.md 'Limits'): the rest is refused at once and told when to come back. */
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { renderFailures } from './failures.ts'
import { refuseOverload, type OverloadLimits } from './overload.ts'

async function serve(limits: OverloadLimits, work: () => Promise<void> | void) {
  const app = Fastify({ forceCloseConnections: true })
  renderFailures(app)
  const overload = refuseOverload(limits)
  app.addHook('onRequest', (_request, reply, done) => done(overload.admit(reply.raw)))
  app.addHook('onClose', overload.stop)
  app.get('/', async () => {
    await work()
    return 'done'
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return url
}

const ask = async (url: string) => {
  const response = await fetch(url)
  const body = await response.text()
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body }
}
const refusal = {
  status: 503,
  retryAfter: '2',
  body: '{"error":"The server is busy. Try again in a moment.","code":"busy"}',
}

test('what is in flight is counted, and its place is free again when it is answered', async () => {
  const waiting: (() => void)[] = []
  const url = await serve(
    { inFlight: 3, workMs: 60_000, waitMs: 60_000 },
    () => new Promise((resolve) => waiting.push(resolve)),
  )
  const accepted = [ask(url), ask(url), ask(url)]
  await expect.poll(() => waiting.length).toBe(3)
  expect(await ask(url)).toEqual(refusal)
  for (const answer of waiting) answer()
  expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([200, 200, 200])
  const later = ask(url)
  await expect.poll(() => waiting.length).toBe(4)
  waiting[3]!()
  expect((await later).status).toBe(200)
})

test('a client that hangs up gives its place back', async () => {
  let asked = 0
  const url = await serve({ inFlight: 1, workMs: 60_000, waitMs: 60_000 }, () =>
    asked++ === 0 ? new Promise(() => {}) : undefined,
  )
  const impatient = new AbortController()
  const given = fetch(url, { signal: impatient.signal }).catch(() => 'gave up')
  await expect.poll(() => asked).toBe(1)
  expect((await ask(url)).status).toBe(503)
  impatient.abort()
  expect(await given).toBe('gave up')
  await expect.poll(async () => (await ask(url)).status).toBe(200)
})

test('of a crowd that keeps the process from coming round, those who waited too long are refused', async () => {
  const asks = crowdOf({ inFlight: 10_000, workMs: 60, waitMs: 60_000 })
  // One turn of the process: nothing else runs until the loop has ended.
  const answers = Array.from({ length: 100 }, () => asks(2))
  const firstRefusal = answers.indexOf('refused')
  expect(firstRefusal).toBeGreaterThanOrEqual(32)
  expect(new Set(answers.slice(firstRefusal))).toEqual(new Set(['refused']))
  // When it has come round, all is well again.
  await expect.poll(() => asks(0)).toBe('accepted')
})

test('of a crowd that the machine keeps waiting, only those who waited much too long are refused', () => {
  const asks = crowdOf({ inFlight: 10_000, workMs: 60, waitMs: 600 })
  // Others have the processor: time passes, but this process does no work.
  const answers = Array.from({ length: 100 }, () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    return asks(0)
  })
  const firstRefusal = answers.indexOf('refused')
  expect(firstRefusal).toBeGreaterThanOrEqual(32)
  expect(answers.slice(firstRefusal)).toEqual(Array(100 - firstRefusal).fill('refused'))
})

test('a crowd that came late is no overload while little was worked', () => {
  const asks = crowdOf({ inFlight: 10_000, workMs: 200, waitMs: 60_000 })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  expect(Array.from({ length: 50 }, () => asks(0))).toEqual(Array(50).fill('accepted'))
})

test('a long pause alone is no overload', () => {
  const asks = crowdOf({ inFlight: 10_000, workMs: 60, waitMs: 60_000 })
  expect(Array.from({ length: 5 }, () => asks(50))).toEqual(Array(5).fill('accepted'))
})

/** Requests that meet the hook one after another, each of which keeps the process for some milliseconds. */
function crowdOf(limits: OverloadLimits): (workMs: number) => 'accepted' | 'refused' {
  const { admit, stop } = refuseOverload(limits)
  onTestFinished(stop)
  return (workMs) => {
    const answer = admit(new EventEmitter() as unknown as ServerResponse) ? 'refused' : 'accepted'
    for (const until = performance.now() + workMs; performance.now() < until;);
    return answer
  }
}
