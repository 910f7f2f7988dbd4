import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GameDetails, ListedGame } from '../catalogue/catalogue.ts'
import { type Column, GameListWriter, type RowFormat } from './game-list-writer.ts'

const gameOf = (details: Partial<GameDetails>): ListedGame => ({
  details: {
    appid: 7,
    name: 'Ä "B" \u2028',
    image_url: null,
    icon_url: 'https://x',
    modes: [],
    features: [],
    kind: null,
    is_free: null,
    players_max: null,
    ...details,
  },
})
const minutes: Column = { name: 'minutes', type: 'number' }
const named: RowFormat = { game: ({ appid, name }) => ({ appid, name }), columns: [minutes] }
const rowNumber = (row: number, values: Float64Array) => void (values[0] = row)

const arbitraryName = fc.string({ unit: 'grapheme' })
const arbitraryColumn = fc.record({
  name: arbitraryName,
  type: fc.constantFrom<Column['type']>('number', 'time'),
})
const valueOf = ({ type }: Column) =>
  fc.oneof(fc.constant(0), type === 'time' ? fc.integer({ min: 1, max: 2 ** 32 - 1 }) : fc.maxSafeNat())

/** Random columns, keys and game names, with the values of each game. */
const arbitraryList = fc
  .record({
    // Numeric names would move to the front of the expected object.
    columns: fc.uniqueArray(arbitraryColumn, {
      minLength: 1,
      maxLength: 4,
      selector: ({ name }) => `-${name}`,
    }),
    keys: fc.option(fc.uniqueArray(arbitraryName, { maxLength: 4 }), { nil: undefined }),
    games: fc.array(arbitraryName, { maxLength: 6 }),
  })
  .chain(({ columns, keys, games }) =>
    fc.record({
      columns: fc.constant(columns.map(({ name, type }) => ({ name: `-${name}`, type }))),
      keys: fc.constant(keys),
      games: fc.constant(games),
      rows: fc.tuple(
        ...games.map(() =>
          fc.tuple(...columns.map((column) => valueOf(column)), ...(keys ?? []).map(() => fc.maxSafeNat())),
        ),
      ),
    }),
  )

test('a list is written as the JSON of its rows', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryList, async ({ columns, keys, games, rows }) => {
      const writer = new GameListWriter({
        game: ({ name }) => ({ name }),
        columns: columns as [Column, ...Column[]],
        ...(keys && { object: 'by key' }),
      })
      const list = writer.list(
        games.map((name) => gameOf({ name })),
        keys,
      )
      const expected = games.map((name, row) => {
        const values = rows[row] as number[]
        const own = columns.map(({ name: column, type }, index): [string, unknown] => {
          const value = values[index]!
          if (type === 'number') return [column, value]
          return [column, value === 0 ? null : new Date(value * 1000).toISOString()]
        })
        const byKey = keys?.map((key, index): [string, number] => [key, values[columns.length + index]!])
        return { name, ...Object.fromEntries(own), ...(byKey && { 'by key': Object.fromEntries(byKey) }) }
      })
      // Written twice, because the second time the prepared list is used again.
      for (let time = 0; time < 2; time++) {
        const { text } = await writer.write(list, (row, values) => values.set(rows[row] as number[]))
        expect(JSON.parse(text.toString())).toEqual(expected)
      }
    }),
  )
})

test('a list inside an object may be empty', async () => {
  const writer = new GameListWriter(named)
  const within = { name: 'gämes', rest: { status: 'ök' } }
  const { text } = await writer.writeWithin(writer.list([]), rowNumber, within)
  expect(text.toString()).toBe('{"gämes":[],"status":"ök"}')
})

test('a changed game shows at once', async () => {
  const writer = new GameListWriter(named)
  const shown = async (game: ListedGame) =>
    JSON.parse((await writer.write(writer.list([game]), rowNumber)).text.toString()) as unknown
  expect(await shown(gameOf({ name: 'Old' }))).toMatchObject([{ name: 'Old' }])
  expect(await shown(gameOf({ name: 'New' }))).toMatchObject([{ name: 'New' }])
})

test('another list can be written while a long one is being written', async () => {
  const writer = new GameListWriter(named)
  const games = Array.from({ length: 20_000 }, (_, appid) => gameOf({ appid }))
  const long = writer.writeWithin(writer.list(games), rowNumber, { name: 'games', rest: { status: 'ok' } })
  const other = await writer.write(writer.list(games.slice(7, 9)), rowNumber)
  expect(JSON.parse(other.text.toString())).toMatchObject([
    { appid: 7, minutes: 0 },
    { appid: 8, minutes: 1 },
  ])
  const rows = (JSON.parse((await long).text.toString()) as { games: { appid: number; minutes: number }[] })
    .games
  expect(rows).toHaveLength(games.length)
  expect(rows.every(({ appid, minutes: value }, row) => appid === row && value === row)).toBe(true)
})

test('a list stays the same when the memory for prefixes was full and has been emptied', async () => {
  const writer = new GameListWriter(named)
  const list = writer.list([gameOf({ name: 'A' }), gameOf({ name: 'B' })])
  const before = (await writer.write(list, rowNumber)).text.toString()
  // 40 MB of names.
  for (let appid = 0; appid < 400; appid++) {
    const one = gameOf({ appid, name: 'x'.repeat(100_000) })
    const { text } = await writer.write(writer.list([one]), rowNumber)
    expect(JSON.parse(text.toString())).toMatchObject([{ appid, name: one.details.name }])
  }
  expect((await writer.write(list, rowNumber)).text.toString()).toBe(before)
})
