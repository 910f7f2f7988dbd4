/** An overloaded server refuses requests at once, with the time to retry (LIM-20). */
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AppError } from '../errors.ts'
import { renderFailures } from './failures.ts'
import { createOverloadGuard, type OverloadLimits } from './overload.ts'

/** Limits that these tests do not reach. */
const GENEROUS: OverloadLimits = {
  inFlight: 10_000,
  inFlightPerAddress: 10_000,
  inFlightPerUser: 10_000,
  workMs: 60_000,
  waitMs: 60_000,
  stuckMs: 60_000,
}

async function serve(limits: Partial<OverloadLimits>, work: () => Promise<void> | void) {
  const app = Fastify({ forceCloseConnections: true })
  renderFailures(app, { note: () => {} })
  const overload = createOverloadGuard({ ...GENEROUS, ...limits })
  app.addHook('onRequest', async (request, reply) => void overload.admit(reply.raw, request.ip))
  app.addHook('onClose', overload.stop)
  app.get('/', async () => {
    await work()
    return 'done'
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return url
}

const sendRequest = async (url: string) => {
  const response = await fetch(url)
  const body = await response.text()
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body }
}
const refusal = {
  status: 503,
  retryAfter: '2',
  body: '{"error":"The server is busy. Try again in a moment.","code":"busy"}',
}

test('a request in progress takes a slot until it is answered', async () => {
  const waiting: (() => void)[] = []
  const url = await serve({ inFlight: 3 }, () => new Promise((resolve) => waiting.push(resolve)))
  const accepted = [sendRequest(url), sendRequest(url), sendRequest(url)]
  await expect.poll(() => waiting.length).toBe(3)
  expect(await sendRequest(url)).toEqual(refusal)
  for (const finish of waiting) finish()
  expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([200, 200, 200])
  const later = sendRequest(url)
  await expect.poll(() => waiting.length).toBe(4)
  waiting[3]!()
  expect((await later).status).toBe(200)
})

test('LIM-19: a client that disconnects releases its slot', async () => {
  let received = 0
  const url = await serve({ inFlight: 1 }, () => (received++ === 0 ? new Promise(() => {}) : undefined))
  const impatient = new AbortController()
  const aborted = fetch(url, { signal: impatient.signal }).catch(() => 'gave up')
  await expect.poll(() => received).toBe(1)
  expect((await sendRequest(url)).status).toBe(503)
  impatient.abort()
  expect(await aborted).toBe('gave up')
  await expect.poll(async () => (await sendRequest(url)).status).toBe(200)
})

test('LIM-20: in a burst that keeps the process busy, requests that would wait too long are refused', async () => {
  const request = burstOf({ workMs: 60 })
  // Synchronous: no timer runs until the loop has ended.
  const responses = Array.from({ length: 100 }, () => request(2))
  const firstRefusal = responses.indexOf('refused')
  expect(firstRefusal).toBeGreaterThanOrEqual(32)
  expect(new Set(responses.slice(firstRefusal))).toEqual(new Set(['refused']))
  // After its timers have run, requests are accepted again.
  await expect.poll(() => request(0)).toBe('accepted')
})

test('in a burst that other processes delay, requests are refused only after a longer wait', () => {
  const request = burstOf({ workMs: 60, waitMs: 600 })
  // Wall time passes while this process uses no CPU time.
  const responses = Array.from({ length: 100 }, () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    return request(0)
  })
  const firstRefusal = responses.indexOf('refused')
  expect(firstRefusal).toBeGreaterThanOrEqual(32)
  expect(responses.slice(firstRefusal)).toEqual(Array(100 - firstRefusal).fill('refused'))
})

test('a delayed burst is not an overload while little CPU time was used', () => {
  const request = burstOf({ workMs: 200 })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  expect(Array.from({ length: 50 }, () => request(0))).toEqual(Array(50).fill('accepted'))
})

test('a long pause with few requests is not an overload', () => {
  const request = burstOf({ workMs: 60 })
  expect(Array.from({ length: 5 }, () => request(50))).toEqual(Array(5).fill('accepted'))
})

/** Admits requests one after another, each of which keeps the process busy for some milliseconds. */
function burstOf(limits: Partial<OverloadLimits>): (workMs: number) => 'accepted' | 'refused' {
  const overload = createOverloadGuard({ ...GENEROUS, ...limits })
  onTestFinished(overload.stop)
  return (workMs) => {
    const result = refusalOf(() => overload.admit(openResponse(), '192.0.2.1')) ? 'refused' : 'accepted'
    for (const until = performance.now() + workMs; performance.now() < until;);
    return result
  }
}

/** The code of the refusal that is thrown; undefined when there is none. */
function refusalOf(acquire: () => void): string | undefined {
  try {
    acquire()
    return undefined
  } catch (error) {
    return (error as AppError).code
  }
}

/** An open response. */
function openResponse() {
  return Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse
}

describe('slots', () => {
  function startGuard(limits: Partial<OverloadLimits>) {
    const overload = createOverloadGuard({ ...GENEROUS, ...limits })
    onTestFinished(overload.stop)
    /** Acquires a slot, which must be free. */
    const admit = (address: string, user?: string) => {
      const response = openResponse()
      const slot = overload.admit(response, address)
      const refusal = user === undefined ? undefined : refusalOf(() => slot.countFor(user))
      return { slot, response, refusal }
    }
    const refusalFor = (address: string) => refusalOf(() => overload.admit(openResponse(), address))
    return { overload, admit, refusalFor }
  }

  test('a disconnected client takes none', () => {
    const { overload, refusalFor } = startGuard({ inFlight: 1 })
    const gone = Object.assign(openResponse(), { destroyed: true }) as unknown as ServerResponse
    for (let n = 0; n < 10; n++) overload.admit(gone, '192.0.2.1')
    expect(refusalFor('192.0.2.1')).toBeUndefined()
  })

  test('each is released only once, however often release is called', () => {
    const { admit, refusalFor } = startGuard({ inFlight: 2 })
    const first = admit('192.0.2.1')
    admit('192.0.2.2')
    first.slot.release()
    first.slot.release()
    first.response.emit('close')
    admit('192.0.2.3')
    expect(refusalFor('192.0.2.4')).toBe('busy')
    // Acquiring it again is refused like any other request, because all slots are in use.
    expect(refusalOf(first.slot.acquire)).toBe('busy')
  })

  test('LIM-18: one address has a quota of them, and so has one user from all addresses together', () => {
    const { admit, refusalFor } = startGuard({ inFlightPerAddress: 3, inFlightPerUser: 2 })
    const held = [admit('2001:db8:1:2::1', 'a'), admit('2001:db8:1:2::9', 'a')]
    expect(held.map(({ refusal }) => refusal)).toEqual([undefined, undefined])
    expect(admit('192.0.2.7', 'a').refusal).toBe('too_many_requests')
    expect(admit('2001:db8:1:2:3::1', 'b').refusal).toBeUndefined()
    expect(refusalFor('2001:db8:1:2::1')).toBe('too_many_requests')
    expect(refusalFor('2001:db8:1:3::1')).toBeUndefined()
    held[0]!.response.emit('close')
    expect(refusalFor('2001:db8:1:2::1')).toBeUndefined()
    expect(admit('192.0.2.8', 'a').refusal).toBeUndefined()
  })

  test('a server without a free slot for a while is stuck, but not when one was free in between', async () => {
    const { overload, admit } = startGuard({ inFlight: 1, stuckMs: 100 })
    const { slot } = admit('192.0.2.1')
    expect(overload.isStuck()).toBe(false)
    await expect.poll(() => overload.isStuck()).toBe(true)
    slot.release()
    expect(overload.isStuck()).toBe(false)
    slot.acquire()
    expect(overload.isStuck()).toBe(false)
  })
})
