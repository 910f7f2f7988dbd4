/** Streams of events over real connections: clients that do not read, heartbeats, slots (LIVE-6, LIVE-7). */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Registry } from 'prom-client'
import { expect, onTestFinished, test } from 'vitest'
import type { Topic } from '#shared/contract/live.ts'
import { createEventStreams, type OpeningStream } from './event-streams.ts'

/** 100 MB in all: more than the buffers of both ends hold, which the system lets grow to tens of megabytes. */
const MANY = 400
const LARGE = 'x'.repeat(250_000) as Topic

/** Lets the connection take each event before the next replaces it, as far as it still takes any. */
async function sendMany(stream: OpeningStream): Promise<void> {
  for (let id = 1; id <= MANY; id++) {
    stream.send([`night:${id}`, LARGE])
    await new Promise(setImmediate)
  }
}

async function start(heartbeatMs?: number) {
  const registry = new Registry()
  const streams = createEventStreams({ headers: {}, registry, heartbeatMs })
  const opened: OpeningStream[] = []
  const server = createServer((_request, response) => {
    const stream = streams.enter(response, 'ada')
    opened.push(stream)
    stream.open()
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')

  /** A client that reads nothing until it is asked to. */
  async function open(): Promise<{ client: Socket; stream: OpeningStream }> {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    onTestFinished(() => void client.destroy())
    client.on('error', () => {})
    client.pause()
    const count = opened.length
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => opened.length).toBe(count + 1)
    return { client, stream: opened[count]! }
  }
  const count = async () => Number(/^event_streams (\d+)$/m.exec(await registry.metrics())![1])
  return { streams, open, count }
}

/** Starts to read; what has arrived so far. */
function reading(client: Socket): () => string {
  let received = ''
  client.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  client.resume()
  return () => received
}

test('LIVE-6: a client that does not read is dropped', async () => {
  const { open, count } = await start(100)
  const { client, stream } = await open()
  const closed = once(client, 'close')
  await sendMany(stream)
  await expect.poll(count).toBe(0)
  client.resume()
  await closed
})

test('LIVE-6: a client that reads late gets everything that it missed, as one event after what its buffers held', async () => {
  const { open, count } = await start()
  const { client, stream } = await open()
  await sendMany(stream)
  const received = reading(client)
  await expect.poll(() => received().includes(`"night:${MANY}"`)).toBe(true)
  expect(received().match(/^event: change$/gm)!.length).toBeLessThan(MANY)
  const ids = [...received().matchAll(/"night:(\d+)"/g)].map(([, id]) => Number(id))
  expect(ids).toEqual(Array.from({ length: MANY }, (_, nth) => nth + 1))
  stream.send(['sync'])
  await expect.poll(() => received().endsWith('event: change\ndata: {"topics":["sync"]}\n\n\r\n')).toBe(true)
  expect(await count()).toBe(1)
})

test('LIVE-6: nothing is sent while nothing happens, but a comment after a while', async () => {
  const { open } = await start(50)
  const { client } = await open()
  const received = reading(client)
  await expect.poll(() => received().match(/^:$/gm)?.length).toBeGreaterThanOrEqual(3)
  expect(received().split('\r\n\r\n').slice(1).join()).not.toContain('event')
})

test('LIVE-7, LIVE-6: a shutdown ends all of them, also those that do not read, and lets no more in', async () => {
  const { streams, open, count } = await start()
  const [idle, busy] = [await open(), await open()]
  for (let id = 1; id <= MANY; id++) {
    busy.stream.send([`night:${id}`, LARGE])
    if (id % 20 === 0) await new Promise(setImmediate)
  }
  const closed = once(busy.client, 'close')
  streams.close()
  expect(await count()).toBe(0)
  const received = reading(idle.client)
  await expect.poll(received).toMatch(/retry: \d+\n\n\r\n0\r\n\r\n$/)
  busy.client.resume()
  await closed
})
