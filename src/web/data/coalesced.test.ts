import { expect, test } from 'vitest'
import { coalesced } from './coalesced.ts'

test('NIGHT-101: work asked for while it runs is done once more afterwards, not at the same time', async () => {
  const runs: PromiseWithResolvers<void>[] = []
  const start = coalesced(() => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  start()
  start()
  start()
  expect(runs).toHaveLength(1)
  runs[0]!.resolve()
  await settled()
  expect(runs).toHaveLength(2)
  runs[1]!.reject(new Error('it failed'))
  await settled()
  expect(runs).toHaveLength(2)
  start()
  expect(runs).toHaveLength(3)
})
