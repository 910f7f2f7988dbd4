/** One call in flight however many ask, and what a click does when it meets the refresh list's call. */
import { expect, test } from 'vitest'
import { SteamError } from '../steam/port.ts'
import { createSingleFlight } from './single-flight.ts'

/** A call that ends when the test says so, and that counts how often it was made. */
function call() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let made = 0
  const start = () => {
    made++
    return promise
  }
  return { start, resolve, reject, made: () => made }
}
const failed = new SteamError('unavailable', 'the platform failed')

test('all who ask meanwhile share the one call and its outcome; who asks later makes another', async () => {
  const flights = createSingleFlight<string>()
  const [first, second] = [call(), call()]
  const asking = [
    flights.share('ada', 'interactive', first.start),
    flights.share('ada', 'interactive', second.start),
    flights.share('ada', 'background', second.start),
  ]
  first.resolve('games')
  expect(await Promise.all(asking)).toEqual(['games', 'games', 'games'])
  expect([first.made(), second.made()]).toEqual([1, 0])

  second.resolve('newer games')
  expect(await flights.share('ada', 'interactive', second.start)).toEqual('newer games')
})

test('of different libraries each has its own call', async () => {
  const flights = createSingleFlight<string>()
  const [ada, bob] = [call(), call()]
  const asking = [
    flights.share('ada', 'interactive', ada.start),
    flights.share('bob', 'interactive', bob.start),
  ]
  ada.resolve('of Ada')
  bob.resolve('of Bob')
  expect(await Promise.all(asking)).toEqual(['of Ada', 'of Bob'])
})

test("a click's failure is told to all who shared it, and the next one asks again", async () => {
  const flights = createSingleFlight<string>()
  const [first, second] = [call(), call()]
  const asking = Promise.allSettled([
    flights.share('ada', 'interactive', first.start),
    flights.share('ada', 'interactive', second.start),
  ])
  first.reject(failed)
  expect(await asking).toEqual([
    { status: 'rejected', reason: failed },
    { status: 'rejected', reason: failed },
  ])
  second.resolve('games')
  expect(await flights.share('ada', 'interactive', second.start)).toBe('games')
  expect([first.made(), second.made()]).toEqual([1, 1])
})

test("a click shares the refresh list's call, but asks by itself when that fails: it has more tries", async () => {
  const flights = createSingleFlight<string>()
  const [background, click] = [call(), call()]
  const inBackground = flights.share('ada', 'background', background.start)
  const clicked = [
    flights.share('ada', 'interactive', click.start),
    flights.share('ada', 'interactive', click.start),
  ]
  background.reject(failed)
  await expect(inBackground).rejects.toBe(failed)
  click.resolve('games')
  const answers = await Promise.all(clicked)
  expect(answers).toEqual(['games', 'games'])
  // One of them for both.
  expect(click.made()).toBe(1)
})

test('a click asks by itself when a call for many libraries fails, which may be refused sooner; the list does not', async () => {
  const flights = createSingleFlight<string>()
  const [group, click] = [call(), call()]
  const joined = [
    flights.share('ada', 'group', group.start),
    flights.share('ada', 'background', group.start),
    flights.share('ada', 'group', group.start),
  ]
  const clicked = flights.share('ada', 'interactive', click.start)
  group.reject(failed)
  for (const one of joined) await expect(one).rejects.toBe(failed)
  click.resolve('games')
  expect(await clicked).toBe('games')
  expect([group.made(), click.made()]).toEqual([1, 1])
})

test("a fault of ours in the refresh list's call is not hidden from the click", async () => {
  const flights = createSingleFlight<string>()
  const [background, click] = [call(), call()]
  const both = Promise.allSettled([
    flights.share('ada', 'background', background.start),
    flights.share('ada', 'interactive', click.start),
  ])
  const fault = new Error('the disk is full')
  background.reject(fault)
  expect((await both).map((one) => one.status === 'rejected' && (one.reason as unknown))).toEqual([
    fault,
    fault,
  ])
  expect(click.made()).toBe(0)
})

test('is idle when no call is in flight any more, failures included', async () => {
  const flights = createSingleFlight<string>()
  const [one, other] = [call(), call()]
  const asking = Promise.allSettled([
    flights.share('ada', 'interactive', one.start),
    flights.share('bob', 'interactive', other.start),
  ])
  let idle = false
  const waiting = flights.idle().then(() => (idle = true))
  one.resolve('games')
  await Promise.resolve()
  expect(idle).toBe(false)
  other.reject(failed)
  await waiting
  await asking
  expect(idle).toBe(true)
})
