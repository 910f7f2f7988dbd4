/** PAGE-37: the time by the server, where the clock of the device is wrong. */
import { expect, test } from 'vitest'
import { noteServerTime, serverNow } from './clock.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const answeredAt = (at: number) => ({ headers: new Headers({ date: new Date(at).toUTCString() }) })
/** How far the time is from this device's, in whole minutes. */
const difference = () => Math.round((serverNow() - Date.now()) / MINUTE)

test('PAGE-37: a clock that is hours slow or fast is set right, and one that is nearly right is left', () => {
  for (const minutes of [-13 * 60, 120, -4]) {
    noteServerTime(answeredAt(Date.now() + minutes * MINUTE), Date.now())
    expect(difference()).toBe(minutes)
  }
  for (const minutes of [-2, 0, 2]) {
    noteServerTime(answeredAt(Date.now() + minutes * MINUTE), Date.now())
    expect(difference()).toBe(0)
  }
})

test('PAGE-37: a device that slept until a response was read is not wrong, nor one whose response has no time', () => {
  const sentAt = Date.now() - 5 * HOUR
  noteServerTime(answeredAt(sentAt), sentAt)
  noteServerTime({ headers: new Headers() }, Date.now())
  noteServerTime({ headers: new Headers({ date: 'never' }) }, Date.now())
  expect(difference()).toBe(0)
})
