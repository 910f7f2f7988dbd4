/** The queue of heavy requests (LIM-22), with real responses of a real server. */
import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { giveBackAfter, type SlotLimits, slotLimits, Slots } from './slots.ts'

type Client = { response: ServerResponse; leave: () => void; read: () => void }

async function serve(limits: Partial<SlotLimits> = {}) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const slots = new Slots({ ...slotLimits.heavyRequests, perKey: 2, waiting: 3, waitMs: 60_000, ...limits })
  const started: string[] = []

  /** A client that has sent a request and does not read the response yet. */
  async function sendRequest(): Promise<Client> {
    const received = once(server, 'request') as Promise<[unknown, ServerResponse]>
    const client = get({ port, host: '127.0.0.1', agent: false })
    client.on('error', () => {})
    const [, response] = await received
    return {
      response,
      leave: () => void client.destroy(),
      read: () => void client.on('response', (incoming) => incoming.resume()),
    }
  }

  /** Sends a heavy request; its work ends when the test says so. */
  async function work(user: string, name: string) {
    const client = await sendRequest()
    const end = Promise.withResolvers<void>()
    const working = async () => {
      const giveBack = await slots.enter(user, client.response)
      const startedAt = performance.now()
      started.push(name)
      await end.promise
      client.response.end()
      giveBackAfter(client.response, startedAt, giveBack)
    }
    const done = working().then(
      () => 'done',
      (error: unknown) => error,
    )
    return { ...client, end: () => end.resolve(), done }
  }
  return { work, started }
}

test('LIM-22: two heavy requests of a user run at a time, the others in order; other users are not delayed', async () => {
  const { work, started } = await serve()
  const jobs = []
  for (const name of ['first', 'second', 'third', 'fourth']) jobs.push(await work('a', name))
  await work('b', 'another person')
  expect(started).toEqual(['first', 'second', 'another person'])
  for (const { read } of jobs) read()
  jobs[1]!.end()
  await expect.poll(() => started.slice(3)).toEqual(['third'])
  jobs[0]!.end()
  await expect.poll(() => started.slice(3)).toEqual(['third', 'fourth'])
  for (const { end } of jobs) end()
  expect(await Promise.all(jobs.map(({ done }) => done))).toEqual(Array(4).fill('done'))
  // The queue is empty again.
  await work('a', 'fifth')
  await work('a', 'sixth')
  await expect.poll(() => started.slice(5)).toEqual(['fifth', 'sixth'])
})

test('LIM-22: requests beyond the queue, and those that waited too long, are refused with the time to retry', async () => {
  const { work, started } = await serve({ waitMs: 200 })
  for (const name of ['first', 'second']) await work('a', name)
  const waiting = []
  for (let n = 0; n < 3; n++) waiting.push(await work('a', 'waits'))
  const refusal = { code: 'too_many_requests', status: 429, retryAfterSeconds: 2 }
  expect(await (await work('a', 'one too many')).done).toMatchObject(refusal)
  for (const { done } of waiting) expect(await done).toMatchObject(refusal)
  expect(started).toEqual(['first', 'second'])
})

test('a request whose client disconnects leaves the queue', async () => {
  const { work, started } = await serve({ perKey: 1 })
  const first = await work('a', 'first')
  const gone = await work('a', 'gone')
  await work('a', 'third')
  gone.leave()
  expect(await gone.done).toMatchObject({ status: 429 })
  first.read()
  first.end()
  await expect.poll(() => started).toEqual(['first', 'third'])
})

test('the slot of a request whose client disconnects is passed on', async () => {
  const { work, started } = await serve({ perKey: 1 })
  const first = await work('a', 'first')
  await work('a', 'second')
  first.leave()
  first.end()
  await expect.poll(() => started).toEqual(['first', 'second'])
})

test('LIM-22: after long work a slot rests three times as long', async () => {
  const { work, started } = await serve({ perKey: 1 })
  const first = await work('a', 'first')
  await work('a', 'second')
  const startedAt = performance.now()
  while (performance.now() - startedAt < 50) await new Promise(setImmediate)
  first.read()
  first.end()
  await first.done
  const worked = performance.now() - startedAt
  await expect.poll(() => started).toEqual(['first', 'second'])
  expect(performance.now() - startedAt).toBeGreaterThan(3 * worked)
})
