/** Background loops continue after failures, wake at once and stop cleanly. */
import { expect, onTestFinished, test } from 'vitest'
import { startLoop } from './loop.ts'

const HOUR = 60 * 60_000

/** A loop whose runs are counted, and the errors it logged. */
function counting(run: (nth: number) => Promise<number>) {
  const logged: object[] = []
  let runs = 0
  const log = { info: () => {}, warn: () => {}, error: (fields: object) => void logged.push(fields) }
  const loop = startLoop('counting', () => run(++runs), log)
  onTestFinished(() => loop.stop())
  return { loop, logged, runs: () => runs }
}

test('runs follow each other after their pauses', async () => {
  const { runs } = counting(async (nth) => (nth < 3 ? 1 : HOUR))
  await expect.poll(runs).toBe(3)
})

test('a failed run is logged, and the loop goes on', async () => {
  const fault = new Error('the database does not answer')
  const { loop, logged, runs } = counting(async (nth) => {
    if (nth === 1) throw fault
    return HOUR
  })
  await expect.poll(() => logged).toEqual([{ err: fault, loop: 'counting' }])
  // Not at once, because it would probably fail again.
  expect(runs()).toBe(1)
  loop.wake()
  await expect.poll(runs).toBe(2)
})

test('waking it during a run skips the next pause', async () => {
  const { promise: first, resolve: endFirst } = Promise.withResolvers<number>()
  const { loop, runs } = counting((nth) => (nth === 1 ? first : Promise.resolve(HOUR)))
  loop.wake()
  endFirst(HOUR)
  await expect.poll(runs).toBe(2)
})

test('stopping it waits for the current run and starts no other, even when woken', async () => {
  const { promise: running, resolve: end } = Promise.withResolvers<number>()
  const { loop, runs } = counting(() => running)
  let stopped = false
  const stopping = loop.stop().then(() => (stopped = true))
  loop.wake()
  await new Promise((resolve) => setImmediate(resolve))
  expect(stopped).toBe(false)
  end(0)
  await stopping
  expect(runs()).toBe(1)
})
