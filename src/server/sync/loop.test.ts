/** Work that goes on by itself: it survives its failures, wakes at once and ends in order. */
import { expect, onTestFinished, test } from 'vitest'
import { startLoop } from './loop.ts'

const HOUR = 60 * 60_000

/** A loop whose turns are counted, and what it said went wrong. */
function counting(turn: (nth: number) => Promise<number>) {
  const said: object[] = []
  let turns = 0
  const log = { info: () => {}, warn: () => {}, error: (fields: object) => void said.push(fields) }
  const loop = startLoop('counting', () => turn(++turns), log)
  onTestFinished(() => loop.stop())
  return { loop, said, turns: () => turns }
}

test('turns follow each other after their pauses', async () => {
  const { turns } = counting(async (nth) => (nth < 3 ? 1 : HOUR))
  await expect.poll(turns).toBe(3)
})

test('a turn that fails is said and is not the last', async () => {
  const fault = new Error('the database does not answer')
  const { loop, said, turns } = counting(async (nth) => {
    if (nth === 1) throw fault
    return HOUR
  })
  await expect.poll(() => said).toEqual([{ err: fault, loop: 'counting' }])
  // Not at once: what failed for a reason of ours would fail again.
  expect(turns()).toBe(1)
  loop.wake()
  await expect.poll(turns).toBe(2)
})

test('woken during a turn, it begins the next one without a pause', async () => {
  const { promise: first, resolve: endFirst } = Promise.withResolvers<number>()
  const { loop, turns } = counting((nth) => (nth === 1 ? first : Promise.resolve(HOUR)))
  loop.wake()
  endFirst(HOUR)
  await expect.poll(turns).toBe(2)
})

test('stopped, it ends the turn that runs and begins no other, also when it is woken', async () => {
  const { promise: running, resolve: end } = Promise.withResolvers<number>()
  const { loop, turns } = counting(() => running)
  let stopped = false
  const stopping = loop.stop().then(() => (stopped = true))
  loop.wake()
  await new Promise((resolve) => setImmediate(resolve))
  expect(stopped).toBe(false)
  end(0)
  await stopping
  expect(turns()).toBe(1)
})
