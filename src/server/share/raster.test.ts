/** Filled shapes, compared with counting points (NIGHT-78). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coverageOf, roundedRectangle } from './raster.ts'

test('a rectangle covers its pixels, and parts of those at its edges', () => {
  const rows = coverageOf([[1, 1, 3.5, 1, 3.5, 2.5, 1, 2.5]], 6, 4)
  expect([...rows]).toEqual([
    ...[0, 0, 0, 0, 0, 0],
    ...[0, 255, 255, 128, 0, 0],
    ...[0, 128, 128, 64, 0, 0],
    ...[0, 0, 0, 0, 0, 0],
  ])
})

test('a shape with a hole leaves the hole out, and overlapping shapes are one', () => {
  const outer = [1, 1, 7, 1, 7, 7, 1, 7]
  const hole = [3, 3, 3, 5, 5, 5, 5, 3]
  expect(coverageOf([outer, hole], 9, 9)[4 * 9 + 4]).toBe(0)
  expect(coverageOf([outer, outer], 9, 9)[4 * 9 + 4]).toBe(255)
})

test('triangles cover what points within them count', () => {
  const size = 12
  const coordinate = fc.double({ min: 0, max: size - 2, noNaN: true })
  const corner = fc.tuple(coordinate, coordinate)
  fc.assert(
    fc.property(corner, corner, corner, (a, b, c) => {
      const coverage = coverageOf([[...a, ...b, ...c]], size, size)
      const side = ([px, py]: number[], [qx, qy]: number[], x: number, y: number) =>
        (qx! - px!) * (y - py!) - (qy! - py!) * (x - px!)
      const steps = 16
      for (let y = 0; y < size; y++)
        for (let x = 0; x < size; x++) {
          let inside = 0
          for (let n = 0; n < steps * steps; n++) {
            const [px, py] = [x + ((n % steps) + 0.5) / steps, y + (Math.floor(n / steps) + 0.5) / steps]
            const sides = [side(a, b, px, py), side(b, c, px, py), side(c, a, px, py)]
            if (sides.every((one) => one >= 0) || sides.every((one) => one <= 0)) inside++
          }
          expect(Math.abs(coverage[y * size + x]! / 255 - inside / steps ** 2)).toBeLessThan(0.13)
        }
    }),
    { numRuns: 60 },
  )
})

test('round corners leave the corners out', () => {
  const coverage = coverageOf(roundedRectangle(40, 30, 10), 40, 30)
  expect([coverage[0], coverage[15 * 40 + 20], coverage[3 * 40 + 3]]).toEqual([0, 255, expect.any(Number)])
  const area = coverage.reduce((sum, one) => sum + one, 0) / 255
  expect(area).toBeCloseTo(40 * 30 - (4 - Math.PI) * 100, -1)
})
