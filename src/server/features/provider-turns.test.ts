/** Turns at the platform: how many run at a time, of whom, and who is refused. */
import { expect, onTestFinished, test } from 'vitest'
import { type ClaimedSignIn, createProviderTurns } from './provider-turns.ts'

let lastAccount = 76561197960265729n
/** A claim of an account that nobody else claims. */
function claim(address: string, rest: Partial<ClaimedSignIn> = {}): ClaimedSignIn {
  return { address, account: String(++lastAccount), isKnown: false, ...rest }
}

/** Turns whose checks run until they are told to end. */
function held(timing?: Parameters<typeof createProviderTurns>[0]) {
  const turns = createProviderTurns(timing)
  const running: (ClaimedSignIn & { end: (passed: boolean) => void })[] = []
  const take = (claimed: ClaimedSignIn | string, signal = new AbortController().signal) => {
    const whose = typeof claimed === 'string' ? claim(claimed) : claimed
    return turns.take(
      whose,
      signal,
      () => new Promise<boolean>((resolve) => running.push({ ...whose, end: resolve })),
    )
  }
  const visitors = new AbortController()
  onTestFinished(() => visitors.abort())
  /** Takes a turn that is over when the test is. */
  const hold = (claimed: ClaimedSignIn | string) => void take(claimed, visitors.signal).catch(() => undefined)
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return { take, hold, running, settled }
}

/** Turns whose checks end at once, and when each began. */
function timed(timing: Parameters<typeof createProviderTurns>[0]) {
  const turns = createProviderTurns(timing)
  const begun: number[] = []
  const take = (claimed: ClaimedSignIn, passes: boolean) =>
    turns.take(claimed, new AbortController().signal, async () => {
      begun.push(performance.now())
      return passes
    })
  return { take, begun }
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

test('accounts known here have a line of their own, beside the newcomers of their address', async () => {
  const { take, hold, running, settled } = held()
  for (let n = 0; n < 200; n++) hold('192.0.2.1')
  await expect(take('192.0.2.1')).rejects.toThrow('The server is busy.')
  hold(claim('192.0.2.1', { isKnown: true }))
  await settled()
  expect(running.map(({ isKnown }) => isKnown)).toEqual([false, false, false, false, true])
})

test('in a line one account has 50 claims at most, and stands behind those with fewer', async () => {
  const { take, hold, running, settled } = held()
  const mine = claim('192.0.2.1')
  for (let n = 0; n < 50; n++) hold(mine)
  await expect(take(mine)).rejects.toThrow('The server is busy.')
  const another = claim('192.0.2.1')
  hold(another)
  await settled()
  running[0]!.end(true)
  await settled()
  expect(running.map(({ account }) => account)).toEqual([
    ...Array<string>(4).fill(mine.account),
    another.account,
  ])
})

test('after ten failures one check of a line begins at a time, three seconds apart, and other lines do not wait', async () => {
  const failureEveryMs = 50
  const { take, begun } = timed({ failureEveryMs })
  const failing = Array.from({ length: 20 }, () => take(claim('192.0.2.1'), false))
  expect(await take(claim('192.0.2.1', { isKnown: true }), true)).toBe(true)
  expect(await take(claim('192.0.2.2'), true)).toBe(true)
  expect(begun.length).toBeLessThan(22)
  expect(await Promise.all(failing)).toEqual(Array(20).fill(false))
  expect(begun).toHaveLength(22)
  const [first] = begun
  // The last of the ten that wait began ten intervals later; timers may be early by a millisecond.
  expect(begun.at(-1)! - first!).toBeGreaterThanOrEqual(10 * (failureEveryMs - 1))
})

test('what passes does not count, nor what was not asked; who hangs up while the platform is asked has failed', async () => {
  const failureEveryMs = 60_000
  const { take, begun } = timed({ failureEveryMs })
  for (let n = 0; n < 100; n++) expect(await take(claim('192.0.2.1'), true)).toBe(true)
  expect(begun).toHaveLength(100)

  const other = held({ failureEveryMs })
  const leaving = new AbortController()
  const gone = Array.from({ length: 14 }, () =>
    expect(other.take('192.0.2.1', leaving.signal)).rejects.toThrow(),
  )
  await other.settled()
  expect(other.running).toHaveLength(4)
  leaving.abort()
  await Promise.all(gone)
  for (const { end } of other.running) end(false)
  // Six of the ten are left.
  for (let n = 0; n < 7; n++) other.hold('192.0.2.1')
  for (let n = 4; n < 10; n++) {
    await other.settled()
    other.running[n]!.end(false)
  }
  await other.settled()
  expect(other.running).toHaveLength(10)
})

test('in a line that failures hold up twenty wait: fewest claims of an account first, then the last come', async () => {
  const { take, begun } = timed({ failureEveryMs: 50 })
  for (let n = 0; n < 10; n++) await take(claim('192.0.2.1'), false)
  const ends: string[] = []
  const waits = (n: number, claimed = claim('192.0.2.1')) =>
    take(claimed, false).then(
      () => ends.push(`${n} was asked about`),
      (error: Error) => ends.push(`${n}: ${error.message}`),
    )
  const mine = claim('192.0.2.1')
  const all = Array.from({ length: 17 }, (_, n) => waits(n))
  // One account's first claim stands among the others, its later ones behind them; the last has no room.
  for (let n = 17; n < 21; n++) all.push(waits(n, mine))
  // So has its third when somebody else comes.
  all.push(waits(21))
  await Promise.all(all)
  expect(begun).toHaveLength(30)
  const served = [21, ...Array.from({ length: 18 }, (_, n) => 17 - n), 18]
  const busy = 'The server is busy. Try again in a moment.'
  expect(ends).toEqual([`20: ${busy}`, `19: ${busy}`, ...served.map((n) => `${n} was asked about`)])
})

test('150 checks of everybody begin in ten seconds, then the next ones wait', async () => {
  const rateMs = 500
  const { take, begun } = timed({ rateMs })
  const all = Array.from({ length: 200 }, (_, n) => take(claim(`192.0.2.${n}`), true))
  expect(await Promise.all(all)).toEqual(Array(200).fill(true))
  expect(begun[150]! - begun[0]!).toBeGreaterThanOrEqual(rateMs - 2)
})
