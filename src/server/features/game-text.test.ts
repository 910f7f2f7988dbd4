import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gamesText, timeText } from './game-text.ts'

test('times are written as Date writes them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 32 - 1 }), (seconds) => {
      expect(timeText(seconds)).toBe(JSON.stringify(new Date(seconds * 1000)))
    }),
  )
  expect(timeText(0)).toBe('null')
})

describe('a list of games', () => {
  const face = { appid: 7, name: 'Ä "B" \u2028', image_url: null, icon_url: 'https://x', modes: [] }
  const list = (...args: Parameters<typeof gamesText>): unknown => JSON.parse(gamesText(...args).toString())

  test('shows of each game what its kind of list shows', () => {
    const { icon_url: _icon, ...playable } = face
    expect(list('full', [{ face, fields: '"id":7' }])).toEqual([{ ...face, id: 7 }])
    expect(list('playable', [{ face, fields: '"id":7' }])).toEqual([{ ...playable, id: 7 }])
  })

  test('may stand in an object, and be empty', () => {
    expect(list('full', [], { before: '{"gämes":', after: ',"status":"ök"}' })).toEqual({
      gämes: [],
      status: 'ök',
    })
  })

  test('shows a new name at once', () => {
    const games = [face, { ...face, name: 'C' }].map((each) => ({ face: each, fields: '"id":7' }))
    expect(list('full', games)).toMatchObject([{ name: face.name }, { name: 'C' }])
  })
})
