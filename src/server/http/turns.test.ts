/** Large answers in turn (LIM-22), with real responses of a real server. */
import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTurns, LARGE_BYTES, type TurnLimits } from './turns.ts'

type Asked = { response: ServerResponse; leave: () => void; read: () => void }

async function serve(limits: Partial<TurnLimits> = {}) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const turns = createTurns({ atOnce: 2, waiting: 3, waitMs: 60_000, ...limits })
  const begun: string[] = []

  /** A client that has asked and does not read yet. */
  async function ask(): Promise<Asked> {
    const asked = once(server, 'request') as Promise<[unknown, ServerResponse]>
    const client = get({ port, host: '127.0.0.1', agent: false })
    client.on('error', () => {})
    const [, response] = await asked
    return {
      response,
      leave: () => void client.destroy(),
      read: () => void client.on('response', (answer) => answer.resume()),
    }
  }

  /** Has a client's work done in its turn; it ends when it is told to, with an answer of so many bytes. */
  async function work(token: string, name: string, bytes = 10) {
    const client = await ask()
    const end = Promise.withResolvers<void>()
    const working = async () => {
      const turn = await turns.take(token, client.response)
      begun.push(name)
      await end.promise
      client.response.end(Buffer.alloc(bytes))
      turn.end(bytes)
    }
    const done = working().then(
      () => 'done',
      (error: unknown) => error,
    )
    return { ...client, end: () => end.resolve(), done }
  }
  return { work, begun }
}

test('two at a time, the others in the order they came, and other tokens beside them', async () => {
  const { work, begun } = await serve()
  const jobs = []
  for (const name of ['first', 'second', 'third', 'fourth']) jobs.push(await work('a', name))
  await work('b', 'another token')
  expect(begun).toEqual(['first', 'second', 'another token'])
  for (const { read } of jobs) read()
  jobs[1]!.end()
  await expect.poll(() => begun.slice(3)).toEqual(['third'])
  jobs[0]!.end()
  await expect.poll(() => begun.slice(3)).toEqual(['third', 'fourth'])
  for (const { end } of jobs) end()
  expect(await Promise.all(jobs.map(({ done }) => done))).toEqual(Array(4).fill('done'))
  // The line is empty again.
  await work('a', 'fifth')
  await work('a', 'sixth')
  expect(begun.slice(5)).toEqual(['fifth', 'sixth'])
})

test('more than may wait, and those that waited too long, are told to come back', async () => {
  const { work, begun } = await serve({ waitMs: 200 })
  for (const name of ['first', 'second']) await work('a', name)
  const waiting = []
  for (let n = 0; n < 3; n++) waiting.push(await work('a', 'waits'))
  const refusal = { code: 'too_many_requests', status: 429, retryAfterSeconds: 2 }
  expect(await (await work('a', 'one too many')).done).toMatchObject(refusal)
  for (const { done } of waiting) expect(await done).toMatchObject(refusal)
  expect(begun).toEqual(['first', 'second'])
})

test('who leaves the line is passed over', async () => {
  const { work, begun } = await serve({ atOnce: 1 })
  const first = await work('a', 'first')
  const gone = await work('a', 'gone')
  await work('a', 'third')
  gone.leave()
  expect(await gone.done).toMatchObject({ status: 429 })
  first.read()
  first.end()
  await expect.poll(() => begun).toEqual(['first', 'third'])
})

test('a turn whose work fails is passed on when it is answered', async () => {
  const { work, begun } = await serve({ atOnce: 1 })
  const first = await work('a', 'first')
  await work('a', 'second')
  first.leave()
  first.end()
  await expect.poll(() => begun).toEqual(['first', 'second'])
})

test('a large answer keeps its turn until it is taken', async () => {
  const { work, begun } = await serve({ atOnce: 1 })
  const first = await work('a', 'first', 16 * LARGE_BYTES)
  await work('a', 'second')
  first.end()
  expect(await first.done).toBe('done')
  expect(first.response.writableLength).toBeGreaterThan(LARGE_BYTES)
  expect(begun).toEqual(['first'])
  first.read()
  const taken = once(first.response, 'close').then(() => performance.now())
  await expect.poll(() => begun, { timeout: 5000 }).toEqual(['first', 'second'])
  // And the turn rested before, two seconds at most.
  expect(performance.now() - (await taken)).toBeGreaterThan(1500)
})
