/** NIGHT-95: the drawn code has exactly the dark modules of the code, with room around it. */
import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { pathOf } from './qr-code.tsx'

/** The modules that a path of rectangles covers, each of them once. */
function modulesOf(path: string, size: number): boolean[][] {
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let nth = 0; nth < Number(width); nth++) {
      expect(rows[Number(y)]![Number(x) + nth]).toBe(false)
      rows[Number(y)]![Number(x) + nth] = true
    }
  return rows
}

test('NIGHT-95: every dark module is drawn once, and the quiet zone is light', () => {
  for (const text of [
    'a',
    'https://shelfmates.example/join/0123456789abcdefghijklmnopqrstuv',
    'x'.repeat(300),
  ]) {
    const { data, size } = encode(text, { ecc: 'M', border: 4 })
    const path = pathOf(data)
    expect(path.replace(/M\d+ \d+h\d+v1h-\d+z/g, '')).toBe('')
    const drawn = modulesOf(path, size)
    expect(drawn).toEqual(data)
    for (let nth = 0; nth < 4; nth++) {
      expect(drawn[nth]).not.toContain(true)
      expect(drawn.map((row) => row[nth])).not.toContain(true)
    }
  }
})
