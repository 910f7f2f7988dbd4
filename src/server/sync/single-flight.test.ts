/** Concurrent callers share one call, and interactive callers do not depend on a less urgent one. */
import { expect, test } from 'vitest'
import { SteamError } from '../steam/port.ts'
import { createSingleFlight } from './reads.ts'

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

test.each(['background', 'group'] as const)('REF-5: a click joins a %s call that works', async (urgency) => {
  const flights = createSingleFlight<string>()
  const [joined, own] = [call(), call()]
  const lessUrgent = [
    flights.share('ada', urgency, joined.start),
    flights.share('ada', 'background', joined.start),
  ]
  const interactive = [
    flights.share('ada', 'interactive', own.start),
    flights.share('ada', 'interactive', own.start),
  ]
  joined.reject(failed)
  for (const one of lessUrgent) await expect(one).rejects.toBe(failed)
  own.resolve('games')
  expect(await Promise.all(interactive)).toEqual(['games', 'games'])
  expect([joined.made(), own.made()]).toEqual([1, 1])
})
