/** The queue of sign-in checks: how many run at a time, in which order, and which are refused. */
import { expect, onTestFinished, test } from 'vitest'
import { type ClaimedSignIn, createSignInQueue } from './sign-in-queue.ts'

let lastAccount = 76561197960265729n
/** A claimed sign-in, by default of an account that no other claim names. */
function claim(address: string, rest: Partial<ClaimedSignIn> = {}): ClaimedSignIn {
  return { address, account: String(++lastAccount), isKnown: false, ...rest }
}

/** A queue whose checks run until the test ends them. */
function manualQueue(timing?: Parameters<typeof createSignInQueue>[0]) {
  const queue = createSignInQueue(timing)
  const running: (ClaimedSignIn & { end: (passed: boolean) => void })[] = []
  const run = (claimed: ClaimedSignIn | string, signal = new AbortController().signal) => {
    const claimedSignIn = typeof claimed === 'string' ? claim(claimed) : claimed
    return queue.run(
      claimedSignIn,
      signal,
      () => new Promise<boolean>((resolve) => running.push({ ...claimedSignIn, end: resolve })),
    )
  }
  const clients = new AbortController()
  onTestFinished(() => clients.abort())
  /** Adds a check that is cancelled when the test is over. */
  const add = (claimed: ClaimedSignIn | string) => void run(claimed, clients.signal).catch(() => undefined)
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return { run, add, running, settled }
}

/** A queue whose checks end at once, and when each started. */
function timedQueue(timing: Parameters<typeof createSignInQueue>[0]) {
  const queue = createSignInQueue(timing)
  const started: number[] = []
  const run = (claimed: ClaimedSignIn, passes: boolean) =>
    queue.run(claimed, new AbortController().signal, async () => {
      started.push(performance.now())
      return passes
    })
  return { run, started }
}

test('LIM-30: four checks of one address or IPv6 /64 run at a time, and twenty in total', async () => {
  const { run, running, settled } = manualQueue()
  const checks = Array.from({ length: 6 }, (_, n) => run(`2001:db8:0:1::${n}`))
  await settled()
  expect(running).toHaveLength(4)
  for (let n = 0; n < 10; n++) for (let times = 0; times < 4; times++) checks.push(run(`192.0.2.${n}`))
  await settled()
  expect(running).toHaveLength(20)
  for (let n = 0; n < checks.length; n++) {
    running[n]!.end(true)
    await settled()
    expect(running).toHaveLength(Math.min(20 + n + 1, checks.length))
  }
  expect(await Promise.all(checks)).toEqual(Array(46).fill(true))
})

test('addresses with many waiting checks do not delay an address with one', async () => {
  const { add, running, settled } = manualQueue()
  for (let n = 0; n < 5; n++) for (let times = 0; times < 30; times++) add(`192.0.2.${n}`)
  add('198.51.100.7')
  await settled()
  // Each of the five addresses has four running; whichever ends first, the sixth address is next.
  running[0]!.end(true)
  await settled()
  expect(running.at(-1)!.address).toBe('198.51.100.7')
})

test('LIM-30: the 201st check of one address and the 1,001st in total are refused until others leave', async () => {
  const { run, add, settled } = manualQueue()
  const leaving = new AbortController()
  const cancelled = Array.from({ length: 200 }, () =>
    expect(run('192.0.2.1', leaving.signal)).rejects.toThrow(),
  )
  await expect(run('192.0.2.1')).rejects.toThrow('The server is busy.')
  for (let n = 2; n < 6; n++) for (let times = 0; times < 200; times++) add(`192.0.2.${n}`)
  await expect(run('198.51.100.7')).rejects.toThrow('The server is busy.')
  leaving.abort()
  await Promise.all(cancelled)
  await settled()
  const next = run('192.0.2.1').catch(() => undefined)
  await settled()
  await expect(Promise.race([next, Promise.resolve('waits')])).resolves.toBe('waits')
})

test('LIM-30: accounts that have signed in before do not wait behind new accounts of their address', async () => {
  const { run, add, running, settled } = manualQueue()
  for (let n = 0; n < 200; n++) add('192.0.2.1')
  await expect(run('192.0.2.1')).rejects.toThrow('The server is busy.')
  add(claim('192.0.2.1', { isKnown: true }))
  await settled()
  expect(running.map(({ isKnown }) => isKnown)).toEqual([false, false, false, false, true])
})

test('LIM-30: one account may have 50 checks in a queue, which run after those of accounts with fewer', async () => {
  const { run, add, running, settled } = manualQueue()
  const mine = claim('192.0.2.1')
  for (let n = 0; n < 50; n++) add(mine)
  await expect(run(mine)).rejects.toThrow('The server is busy.')
  const another = claim('192.0.2.1')
  add(another)
  await settled()
  running[0]!.end(true)
  await settled()
  expect(running.map(({ account }) => account)).toEqual([
    ...Array<string>(4).fill(mine.account),
    another.account,
  ])
})

test('LIM-31: after ten failures a queue starts one check at a time, three seconds apart; other queues are not delayed', async () => {
  const failureEveryMs = 50
  const { run, started } = timedQueue({ failureEveryMs })
  const failing = Array.from({ length: 20 }, () => run(claim('192.0.2.1'), false))
  expect(await run(claim('192.0.2.1', { isKnown: true }), true)).toBe(true)
  expect(await run(claim('192.0.2.2'), true)).toBe(true)
  expect(started.length).toBeLessThan(22)
  expect(await Promise.all(failing)).toEqual(Array(20).fill(false))
  expect(started).toHaveLength(22)
  const [first] = started
  // The last of the ten that waited started ten intervals later; timers may fire a millisecond early.
  expect(started.at(-1)! - first!).toBeGreaterThanOrEqual(10 * (failureEveryMs - 1))
})

test('LIM-31: only failures count: not checks that pass or were never sent, but those whose client left after sending', async () => {
  const failureEveryMs = 60_000
  const { run, started } = timedQueue({ failureEveryMs })
  for (let n = 0; n < 100; n++) expect(await run(claim('192.0.2.1'), true)).toBe(true)
  expect(started).toHaveLength(100)

  const other = manualQueue({ failureEveryMs })
  const leaving = new AbortController()
  const cancelled = Array.from({ length: 14 }, () =>
    expect(other.run('192.0.2.1', leaving.signal)).rejects.toThrow(),
  )
  await other.settled()
  expect(other.running).toHaveLength(4)
  leaving.abort()
  await Promise.all(cancelled)
  for (const { end } of other.running) end(false)
  // Six of the burst of ten are left.
  for (let n = 0; n < 7; n++) other.add('192.0.2.1')
  for (let n = 4; n < 10; n++) {
    await other.settled()
    other.running[n]!.end(false)
  }
  await other.settled()
  expect(other.running).toHaveLength(10)
})

test('LIM-31: a throttled queue holds twenty: accounts with the fewest checks first, then the latest', async () => {
  const { run, started } = timedQueue({ failureEveryMs: 50 })
  for (let n = 0; n < 10; n++) await run(claim('192.0.2.1'), false)
  const ends: string[] = []
  const waits = (n: number, claimed = claim('192.0.2.1')) =>
    run(claimed, false).then(
      () => ends.push(`${n} ran`),
      (error: Error) => ends.push(`${n}: ${error.message}`),
    )
  const mine = claim('192.0.2.1')
  const all = Array.from({ length: 17 }, (_, n) => waits(n))
  // Four checks of one account: the first ranks with the others, the next two behind them, and the fourth does not fit.
  for (let n = 17; n < 21; n++) all.push(waits(n, mine))
  // Another account evicts the third.
  all.push(waits(21))
  await Promise.all(all)
  expect(started).toHaveLength(30)
  const ran = [21, ...Array.from({ length: 18 }, (_, n) => 17 - n), 18]
  const busy = 'The server is busy. Try again in a moment.'
  expect(ends).toEqual([`20: ${busy}`, `19: ${busy}`, ...ran.map((n) => `${n} ran`)])
})

test('LIM-30: 150 checks in total start in ten seconds; the next ones wait', async () => {
  const rateMs = 500
  const { run, started } = timedQueue({ rateMs })
  const all = Array.from({ length: 200 }, (_, n) => run(claim(`192.0.2.${n}`), true))
  expect(await Promise.all(all)).toEqual(Array(200).fill(true))
  expect(started[150]! - started[0]!).toBeGreaterThanOrEqual(rateMs - 2)
})
