import { describe, expect, test } from 'vitest'
import { closestPair } from './closest-pair.ts'

describe('GPAGE-32: who shares the most', () => {
  test('GPAGE-32: is the first pair with the largest number, whatever each one owns', () => {
    expect(
      closestPair([
        [900, 3, 7],
        [3, 50, 7],
        [7, 7, 10],
      ]),
    ).toEqual({ one: 0, other: 2, games: 7 })
  })

  test('is nobody where no two share a game', () => {
    expect(
      closestPair([
        [5, 0],
        [0, 9],
      ]),
    ).toBeUndefined()
    expect(closestPair([[5]])).toBeUndefined()
    expect(closestPair([])).toBeUndefined()
  })
})
