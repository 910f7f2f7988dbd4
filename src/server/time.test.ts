import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoTime } from './time.ts'

test('a time is written as toISOString does, in any year', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => isoTime(date.getTime()) === date.toISOString()),
  )
  expect(isoTime(null)).toBeNull()
})
