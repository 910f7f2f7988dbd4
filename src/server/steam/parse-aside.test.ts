/** PLAT-18: what parses large libraries outlives whatever Steam sends. */
import { expect, test } from 'vitest'
import { readBytes } from './request.ts'
import { readOwnedGamesAside } from './parse-aside.ts'
import { WrongShapeError } from './responses.ts'

test.each([
  ['arrays', '[', ']', 3_000_000],
  ['objects', '{"a":', '}', 900_000],
])('nested %s by the million are malformed, and the process goes on', async (_what, begin, end, depth) => {
  const body = Buffer.from(`${begin.repeat(depth)}1${end.repeat(depth)}`)
  await expect(readOwnedGamesAside(new Uint8Array(body))).rejects.toThrow(WrongShapeError)
})

test('brackets in names are allowed', async () => {
  const name = `\\"${'[{'.repeat(100)}`
  const body = Buffer.from(
    `{"response":{"game_count":1,"games":[{"appid":10,"name":"${name}","playtime_forever":5}]}}`,
  )
  const library = await readOwnedGamesAside(new Uint8Array(body))
  expect(library).toMatchObject({ status: 'ok', games: [{ appid: 10, minutes: 5 }] })
})

test('a body of just over 512 kB is handed to the worker as it was read, in any number of chunks', async () => {
  const games = '{"response":{"game_count":1,"games":[{"appid":10,"playtime_forever":5}]}}'
  const body = Buffer.from(games.padEnd(512 * 2 ** 10 + 1))
  for (const size of [body.length, 16_384, 1_000]) {
    const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, nth) =>
      body.subarray(nth * size, (nth + 1) * size),
    )
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })
    const bytes = await readBytes(new Response(stream), 2 ** 20)
    expect([bytes.length, bytes.buffer.byteLength]).toEqual([body.length, body.length])
    expect(await readOwnedGamesAside(bytes)).toMatchObject({
      status: 'ok',
      games: [{ appid: 10, minutes: 5 }],
    })
    expect(bytes.length).toBe(0)
  }
})
