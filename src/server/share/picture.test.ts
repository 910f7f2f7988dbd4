/** Pictures of links, with names of all kinds (NIGHT-77, NIGHT-78). */
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { drawable, linesOf, widthOf } from './font.ts'
import { type Card, drawCard } from './picture.ts'

const card: Card = {
  title: 'Portal 2',
  untitled: 'Game night',
  above: 'Friday',
  lines: ['Friday 5 June at 18:00, UTC', '5 are in'],
}
const titleArea = { left: 72, top: 330, width: 1056, height: 130 }
/** Between title and logo. */
const aboveArea = { left: 72, top: 310, width: 1056, height: 50 }
/** Nothing is drawn beyond the margins. */
const beyond = [
  { left: 0, top: 0, width: 1200, height: 52 },
  { left: 1140, top: 0, width: 60, height: 630 },
  { left: 0, top: 0, width: 60, height: 630 },
  { left: 0, top: 590, width: 1200, height: 40 },
]

/** Pixels of a card that are brighter than its ground, by area. */
async function inkIn(png: Buffer, area: { left: number; top: number; width: number; height: number }) {
  const { data, info } = await sharp(png).extract(area).raw().toBuffer({ resolveWithObject: true })
  let count = 0
  for (let at = 0; at < data.length; at += info.channels) if (data[at + 1]! > 120) count++
  return count
}

test('NIGHT-78: what the font has is drawn, and the rest is left out', () => {
  expect(drawable('Portal 2')).toBe('Portal 2')
  expect(drawable('Ünïcode Команда Ελλάς Đặng ™')).toBe('Ünïcode Команда Ελλάς Đặng ™')
  expect(drawable('U\u0308ber')).toBe('Über')
  expect(drawable('𝕱𝖊𝖗𝖓 Ｗｉｄｅ x')).toBe('x')
  expect(drawable('日本語 Friday مرحبا 🎮 שלום')).toBe('Friday')
  expect(drawable('👩‍👩‍👧‍👦 \u202E\u0000 한국어 ﷺ')).toBe('')
  expect(drawable('a\n\tb\u200bc')).toBe('a bc')
  // At most one mark on a letter, none on what is left out.
  expect(drawable('q\u0301\u0302\u0303')).toBe('q\u0301')
  expect(drawable('日\u0301x')).toBe('x')
})

test('NIGHT-78: long texts are shortened to the width, by words and within them', () => {
  const long = drawable('one two three four five six seven eight nine ten '.repeat(5))
  const lines = linesOf(long, 76, 1056, 2)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/…$/)
  for (const line of [...lines, ...linesOf('W'.repeat(100), 76, 1056, 2)])
    expect(widthOf(line, 76)).toBeLessThanOrEqual(1056)
  expect(linesOf('', 76, 1056, 2)).toEqual([])
})

describe('a card', () => {
  test('NIGHT-77: is a PNG of 1200 × 630 with title and what stands above it', async () => {
    const png = await drawCard(card)
    expect(await sharp(png).metadata()).toMatchObject({
      format: 'png',
      width: 1200,
      height: 630,
      hasAlpha: false,
    })
    expect(await inkIn(png, titleArea)).toBeGreaterThan(2000)
    expect(await inkIn(png, aboveArea)).toBeGreaterThan(200)
    for (const area of beyond) expect(await inkIn(png, area)).toBe(0)
    expect(await drawCard(card)).toEqual(png)
  })

  test('NIGHT-78: has no line for a name that cannot be drawn, and a word for such a title', async () => {
    const png = await drawCard({ ...card, above: '日本語', title: '日本語' })
    expect(png).toEqual(await drawCard({ ...card, above: null, title: 'Game night' }))
  })

  test.each([
    'W'.repeat(100),
    'i '.repeat(50),
    'Đ'.repeat(100),
    'e\u0301\u0302\u0303'.repeat(25),
    'Z͑ͫ̓ͪ̂ͫ̽͏̴a̴l͔̖g'.repeat(9),
    'مرحبا '.repeat(20),
    '<svg onload="x">&amp;</svg>]]>',
    '\ud83c\u0000\u202E\ufeff',
    '::)) => !== AVAVAV 12x34 '.repeat(4),
  ])('NIGHT-78: stays within its margins with %j', async (name) => {
    const png = await drawCard({ ...card, title: name, above: name, lines: [name, name, name] })
    for (const area of beyond) expect(await inkIn(png, area)).toBe(0)
  })

  test('NIGHT-78: takes texts as texts', async () => {
    const texts = { ...card, title: '</text><rect width="1200" height="630" fill="#fff"/>' }
    expect(await inkIn(await drawCard(texts), { left: 700, top: 150, width: 400, height: 100 })).toBe(0)
  })

  test('NIGHT-77: is drawn without the main thread, but for a few milliseconds', async () => {
    const took: number[] = []
    for (let drawn = 0; drawn < 8; drawn++) {
      const before = process.threadCpuUsage()
      await drawCard({ ...card, title: 'W'.repeat(100) })
      const { user, system } = process.threadCpuUsage(before)
      took.push((user + system) / 1000)
    }
    // The least of several: a collection of garbage falls into one of them, on this thread.
    expect(Math.min(...took)).toBeLessThan(20)
  })
})
