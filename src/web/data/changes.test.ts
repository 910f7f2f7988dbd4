import { expect, test } from 'vitest'
import { coalesced } from './changes.ts'

test('NIGHT-88: work asked for while it runs is done once more afterwards, not at the same time', async () => {
  const runs: { succeed: () => void; fail: (reason: Error) => void }[] = []
  const start = coalesced(
    () => new Promise<void>((resolve, reject) => runs.push({ succeed: resolve, fail: reject })),
  )
  const settled = () => new Promise((resolve) => setTimeout(resolve))
  start()
  start()
  start()
  expect(runs).toHaveLength(1)
  runs[0]!.succeed()
  await settled()
  expect(runs).toHaveLength(2)
  runs[1]!.fail(new Error('it failed'))
  await settled()
  expect(runs).toHaveLength(2)
  start()
  expect(runs).toHaveLength(3)
})
