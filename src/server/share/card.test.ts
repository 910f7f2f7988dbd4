/** Pictures of shared picks, with names of all kinds (NIGHT-77, NIGHT-78). */
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type Card, drawCard } from './card.ts'
import { drawable, linesOf, widthOf } from './text.ts'

const card: Card = { game: 'Portal 2', group: 'Friday', date: 'Friday 5 June 2026', players: '5 playing' }

/** Pixels of a card that are not the ground colour, by area. */
async function inkIn(png: Buffer, area: { left: number; top: number; width: number; height: number }) {
  const { data, info } = await sharp(png).extract(area).raw().toBuffer({ resolveWithObject: true })
  let count = 0
  for (let at = 0; at < data.length; at += info.channels) if (data[at + 1]! > 120) count++
  return count
}
const titleArea = { left: 72, top: 140, width: 1056, height: 180 }
const groupArea = { left: 72, top: 70, width: 1056, height: 60 }
/** Nothing is drawn beyond the margins. */
const beyond = [
  { left: 0, top: 0, width: 1200, height: 60 },
  { left: 1140, top: 0, width: 60, height: 630 },
  { left: 0, top: 0, width: 60, height: 630 },
]

test('what the font has is drawn, and the rest is left out', () => {
  expect(drawable('Portal 2')).toBe('Portal 2')
  expect(drawable('Ünïcode Команда Ελλάς Đặng')).toBe('Ünïcode Команда Ελλάς Đặng')
  expect(drawable('U\u0308ber')).toBe('Über')
  expect(drawable('日本語 Friday مرحبا 🎮 שלום')).toBe('Friday')
  expect(drawable('👩‍👩‍👧‍👦 \u202E\u0000 한국어')).toBe('')
  expect(drawable('a\n\tb\u200bc')).toBe('a bc')
})

test('long texts are shortened to the width, by words and within them', () => {
  const lines = linesOf('one two three four five six seven eight nine ten '.repeat(5).trim(), 76, 1056, 2)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/…$/)
  for (const line of [...lines, ...linesOf('W'.repeat(100), 76, 1056, 2)])
    expect(widthOf(line, 76)).toBeLessThanOrEqual(1056)
  expect(linesOf('', 76, 1056, 2)).toEqual([])
})

describe('a card', () => {
  test('is a PNG of 1200 × 630 with game and group', async () => {
    const png = await drawCard(card, undefined)
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
    expect(await inkIn(png, titleArea)).toBeGreaterThan(2000)
    expect(await inkIn(png, groupArea)).toBeGreaterThan(200)
    for (const area of beyond) expect(await inkIn(png, area)).toBe(0)
    expect(await drawCard(card, undefined)).toEqual(png)
  })

  test('has no line for a group without a name that can be drawn, and a word for such a game', async () => {
    const png = await drawCard({ ...card, group: '日本語', game: '日本語' }, undefined)
    expect(await inkIn(png, groupArea)).toBe(0)
    expect(await inkIn(png, titleArea)).toBeGreaterThan(1000)
  })

  test.each([
    'W'.repeat(100),
    'i '.repeat(50),
    'Đ'.repeat(100),
    'e\u0301\u0302\u0303'.repeat(25),
    'مرحبا '.repeat(20),
    '<svg onload="x">&amp;</svg>',
    '\ud83c\u0000\u202E\ufeff',
  ])('stays within its margins with %j', async (name) => {
    const png = await drawCard({ ...card, game: name, group: name }, undefined)
    for (const area of beyond) expect(await inkIn(png, area)).toBe(0)
  })

  test('shows the game’s picture', async () => {
    const red = await sharp({ create: { width: 460, height: 215, channels: 3, background: '#ff0000' } })
      .webp()
      .toBuffer()
    const png = await drawCard(card, red)
    const { data } = await sharp(png)
      .extract({ left: 300, top: 440, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(data[0]).toBeGreaterThan(240)
  })
})
