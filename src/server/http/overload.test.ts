/** A server that is asked for too much (LIM-20): the rest is refused at once and told when to come back. */
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AppError } from '../errors.ts'
import { renderFailures } from './failures.ts'
import { createOverloadGuard, type OverloadLimits } from './overload.ts'

/** Limits that nothing here reaches. */
const GENEROUS: OverloadLimits = {
  inFlight: 10_000,
  inFlightPerAddress: 10_000,
  inFlightPerPerson: 10_000,
  workMs: 60_000,
  waitMs: 60_000,
  stuckMs: 60_000,
}

async function serve(limits: Partial<OverloadLimits>, work: () => Promise<void> | void) {
  const app = Fastify({ forceCloseConnections: true })
  renderFailures(app)
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
  const url = await serve({ inFlight: 3 }, () => new Promise((resolve) => waiting.push(resolve)))
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
  const url = await serve({ inFlight: 1 }, () => (asked++ === 0 ? new Promise(() => {}) : undefined))
  const impatient = new AbortController()
  const given = fetch(url, { signal: impatient.signal }).catch(() => 'gave up')
  await expect.poll(() => asked).toBe(1)
  expect((await ask(url)).status).toBe(503)
  impatient.abort()
  expect(await given).toBe('gave up')
  await expect.poll(async () => (await ask(url)).status).toBe(200)
})

test('of a crowd that keeps the process from coming round, those who waited too long are refused', async () => {
  const asks = crowdOf({ workMs: 60 })
  // One turn of the process: nothing else runs until the loop has ended.
  const answers = Array.from({ length: 100 }, () => asks(2))
  const firstRefusal = answers.indexOf('refused')
  expect(firstRefusal).toBeGreaterThanOrEqual(32)
  expect(new Set(answers.slice(firstRefusal))).toEqual(new Set(['refused']))
  // When it has come round, all is well again.
  await expect.poll(() => asks(0)).toBe('accepted')
})

test('of a crowd that the machine keeps waiting, only those who waited much too long are refused', () => {
  const asks = crowdOf({ workMs: 60, waitMs: 600 })
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
  const asks = crowdOf({ workMs: 200 })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  expect(Array.from({ length: 50 }, () => asks(0))).toEqual(Array(50).fill('accepted'))
})

test('a long pause alone is no overload', () => {
  const asks = crowdOf({ workMs: 60 })
  expect(Array.from({ length: 5 }, () => asks(50))).toEqual(Array(5).fill('accepted'))
})

/** Requests that meet the hook one after another, each of which keeps the process for some milliseconds. */
function crowdOf(limits: Partial<OverloadLimits>): (workMs: number) => 'accepted' | 'refused' {
  const { admit, stop } = createOverloadGuard({ ...GENEROUS, ...limits })
  onTestFinished(stop)
  return (workMs) => {
    const answer = refusalOf(() => admit(openResponse(), '192.0.2.1')) ? 'refused' : 'accepted'
    for (const until = performance.now() + workMs; performance.now() < until;);
    return answer
  }
}

/** The code of the refusal that is thrown; undefined when there is none. */
function refusalOf(enter: () => void): string | undefined {
  try {
    enter()
    return undefined
  } catch (error) {
    return (error as AppError).code
  }
}

/** A response nobody has closed. */
function openResponse() {
  return Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse
}

describe('places', () => {
  function places(limits: Partial<OverloadLimits>) {
    const overload = createOverloadGuard({ ...GENEROUS, ...limits })
    onTestFinished(overload.stop)
    /** Takes a place, which must be there. */
    const take = (address: string, token?: string) => {
      const response = openResponse()
      const place = overload.admit(response, address)
      const refusal = token === undefined ? undefined : refusalOf(() => place.holdFor(token))
      return { place, response, refusal }
    }
    const refusalFor = (address: string) => refusalOf(() => overload.admit(openResponse(), address))
    return { overload, take, refusalFor }
  }

  test('a client that is gone already takes none', () => {
    const { overload, refusalFor } = places({ inFlight: 1 })
    const gone = Object.assign(openResponse(), { destroyed: true }) as unknown as ServerResponse
    for (let n = 0; n < 10; n++) overload.admit(gone, '192.0.2.1')
    expect(refusalFor('192.0.2.1')).toBeUndefined()
  })

  test('each is given back once, however often it is left', () => {
    const { take, refusalFor } = places({ inFlight: 2 })
    const first = take('192.0.2.1')
    take('192.0.2.2')
    first.place.leave()
    first.place.leave()
    first.response.emit('close')
    take('192.0.2.3')
    expect(refusalFor('192.0.2.4')).toBe('busy')
    // Entered again, as after a body: the close gives it back still.
    expect(refusalOf(first.place.enter)).toBe('busy')
  })

  test('one address has a part of them, and so has one token, wherever it comes from', () => {
    const { take, refusalFor } = places({ inFlightPerAddress: 3, inFlightPerPerson: 2 })
    const held = [take('2001:db8:1:2::1', 'a'), take('2001:db8:1:2::9', 'a')]
    expect(held.map(({ refusal }) => refusal)).toEqual([undefined, undefined])
    expect(take('192.0.2.7', 'a').refusal).toBe('too_many_requests')
    expect(take('2001:db8:1:2:3::1', 'b').refusal).toBeUndefined()
    expect(refusalFor('2001:db8:1:2::1')).toBe('too_many_requests')
    expect(refusalFor('2001:db8:1:3::1')).toBeUndefined()
    held[0]!.response.emit('close')
    expect(refusalFor('2001:db8:1:2::1')).toBeUndefined()
    expect(take('192.0.2.8', 'a').refusal).toBeUndefined()
  })

  test('a server without a free place for a while says so, and not when one was free in between', async () => {
    const { overload, take } = places({ inFlight: 1, stuckMs: 100 })
    const { place } = take('192.0.2.1')
    expect(overload.isStuck()).toBe(false)
    await expect.poll(() => overload.isStuck()).toBe(true)
    place.leave()
    expect(overload.isStuck()).toBe(false)
    place.enter()
    expect(overload.isStuck()).toBe(false)
  })
})
