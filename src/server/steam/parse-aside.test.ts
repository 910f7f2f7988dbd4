/** PLAT-42: what parses large libraries outlives whatever Steam sends. */
import { expect, test } from 'vitest'
import { readOwnedGamesAside } from './parse-aside.ts'
import { WrongShapeError } from './responses.ts'

test.each([
  ['arrays', '[', ']'],
  ['objects', '{"a":', '}'],
])('millions of nested %s are malformed, and the process goes on', async (_what, begin, end) => {
  const body = Buffer.from(`${begin.repeat(3_000_000)}1${end.repeat(3_000_000)}`)
  await expect(readOwnedGamesAside(new Uint8Array(body))).rejects.toThrow(WrongShapeError)
})

test('brackets in names are no levels', async () => {
  const name = `\\"${'[{'.repeat(100)}`
  const body = Buffer.from(
    `{"response":{"game_count":1,"games":[{"appid":10,"name":"${name}","playtime_forever":5}]}}`,
  )
  const library = await readOwnedGamesAside(new Uint8Array(body))
  expect(library).toMatchObject({ status: 'ok', games: [{ appid: 10, minutes: 5 }] })
})
