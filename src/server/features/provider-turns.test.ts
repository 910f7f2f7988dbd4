/** Turns at the platform: how many run at a time, of whom, and who is refused. */
import { expect, test } from 'vitest'
import { createProviderTurns } from './provider-turns.ts'

/** Turns whose checks run until they are told to end. */
function held() {
  const turns = createProviderTurns()
  const running: { address: string; end: (passed: boolean) => void }[] = []
  const take = (address: string, signal = new AbortController().signal) =>
    turns.take(
      address,
      signal,
      () => new Promise<boolean>((resolve) => running.push({ address, end: resolve })),
    )
  /** Takes a turn that is not over when the test is; its patience ends later. */
  const hold = (address: string) => void take(address).catch(() => undefined)
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return { take, hold, running, settled }
}

test('four of one address run at a time, a network of IPv6 counting as one, and twenty of everybody', async () => {
  const { take, running, settled } = held()
  const taken = Array.from({ length: 6 }, (_, n) => take(`2001:db8:0:1::${n}`))
  await settled()
  expect(running).toHaveLength(4)
  for (let n = 0; n < 10; n++) for (let times = 0; times < 4; times++) taken.push(take(`192.0.2.${n}`))
  await settled()
  expect(running).toHaveLength(20)
  for (let n = 0; n < taken.length; n++) {
    running[n]!.end(true)
    await settled()
    expect(running).toHaveLength(Math.min(20 + n + 1, taken.length))
  }
  expect(await Promise.all(taken)).toEqual(Array(46).fill(true))
})

test('one address with many waiting does not stand before another with one', async () => {
  const { hold, running, settled } = held()
  for (let n = 0; n < 5; n++) for (let times = 0; times < 30; times++) hold(`192.0.2.${n}`)
  hold('198.51.100.7')
  await settled()
  // Each of the five has four running; whichever ends first, the newcomer is next.
  running[0]!.end(true)
  await settled()
  expect(running.at(-1)!.address).toBe('198.51.100.7')
})

test('the 201st of one address and the 1,001st of everybody are refused, and places come back', async () => {
  const { take, hold, settled } = held()
  const leaving = new AbortController()
  const gone = Array.from({ length: 200 }, () => expect(take('192.0.2.1', leaving.signal)).rejects.toThrow())
  await expect(take('192.0.2.1')).rejects.toThrow('The server is busy.')
  for (let n = 2; n < 6; n++) for (let times = 0; times < 200; times++) hold(`192.0.2.${n}`)
  await expect(take('198.51.100.7')).rejects.toThrow('The server is busy.')
  leaving.abort()
  await Promise.all(gone)
  await settled()
  const next = take('192.0.2.1').catch(() => undefined)
  await settled()
  await expect(Promise.race([next, Promise.resolve('waits')])).resolves.toBe('waits')
})

test('thirty failures in a minute are enough for one address; what passes does not count', async () => {
  const turns = createProviderTurns()
  const visitor = new AbortController().signal
  const check = (address: string, passes: boolean) => turns.take(address, visitor, async () => passes)
  for (let n = 0; n < 100; n++) expect(await check('192.0.2.1', true)).toBe(true)
  for (let n = 0; n < 30; n++) expect(await check('192.0.2.1', false)).toBe(false)
  await expect(check('192.0.2.1', true)).rejects.toThrow('Too many requests.')
  expect(await check('192.0.2.2', true)).toBe(true)
})
