/** OPS-35: servers use the time of their database. */
import { expect, onTestFinished, test } from 'vitest'
import { describeOnEachEngine } from '../../../tests/support/databases.ts'
import { followDatabaseClock } from './clock.ts'

describeOnEachEngine('the clock', (fresh, engine) => {
  test('OPS-35: is that of the database server, also after that of this machine was set', async () => {
    const database = await fresh()
    let aheadMs = 60_000
    const local = () => Date.now() + aheadMs
    const clock = await followDatabaseClock({ database, local, readEveryMs: 20 })
    onTestFinished(() => clock.stop())
    const isOff = () => Math.abs(clock.now() - Date.now()) > 500
    // SQLite has no server: the time of its machine is the only one.
    expect(isOff()).toBe(engine === 'sqlite')
    aheadMs = -60_000
    if (engine === 'sqlite') expect(isOff()).toBe(true)
    else await expect.poll(isOff).toBe(false)
    expect(Number.isInteger(clock.now())).toBe(true)
  })
})
