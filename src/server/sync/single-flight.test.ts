/** Concurrent callers share one call, and interactive callers do not depend on a less urgent one. */
import { expect, test } from 'vitest'
import { SteamError } from '../steam/port.ts'
import { createSingleFlight } from './single-flight.ts'

/** A call that the test completes, and that counts how often it was made. */
function call() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let made = 0
  const start = () => {
    made++
    return promise
  }
  return { start, resolve, reject, made: () => made }
}
const failed = new SteamError('unavailable', 'Steam failed')

test('REF-5: concurrent callers share one call and its outcome; a later caller makes another', async () => {
  const flights = createSingleFlight<string>()
  const [first, second] = [call(), call()]
  const outcomes = [
    flights.share('ada', 'interactive', first.start),
    flights.share('ada', 'interactive', second.start),
    flights.share('ada', 'background', second.start),
  ]
  first.resolve('games')
  expect(await Promise.all(outcomes)).toEqual(['games', 'games', 'games'])
  expect([first.made(), second.made()]).toEqual([1, 0])

  second.resolve('newer games')
  expect(await flights.share('ada', 'interactive', second.start)).toEqual('newer games')
})

test('an interactive caller joins a background call, but makes its own when that fails', async () => {
  const flights = createSingleFlight<string>()
  const [background, own] = [call(), call()]
  const inBackground = flights.share('ada', 'background', background.start)
  const interactive = [
    flights.share('ada', 'interactive', own.start),
    flights.share('ada', 'interactive', own.start),
  ]
  background.reject(failed)
  await expect(inBackground).rejects.toBe(failed)
  own.resolve('games')
  const results = await Promise.all(interactive)
  expect(results).toEqual(['games', 'games'])
  // Both share one new call.
  expect(own.made()).toBe(1)
})

test('an interactive caller makes its own call when a joined group call fails; less urgent callers do not', async () => {
  const flights = createSingleFlight<string>()
  const [group, own] = [call(), call()]
  const joined = [
    flights.share('ada', 'group', group.start),
    flights.share('ada', 'background', group.start),
    flights.share('ada', 'group', group.start),
  ]
  const interactive = flights.share('ada', 'interactive', own.start)
  group.reject(failed)
  for (const one of joined) await expect(one).rejects.toBe(failed)
  own.resolve('games')
  expect(await interactive).toBe('games')
  expect([group.made(), own.made()]).toEqual([1, 1])
})
