/**
 * A library that is stored at the same time as a friend list; on SQLite, write transactions run one at a time anyway.
 */
import { citusUrl } from '../support/citus.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Tx } from '../../src/server/database/schema.ts'
import { startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { insertRefresh } from '../support/rows.ts'
import { status, syncFriends, syncGames } from '../support/sync-calls.ts'

/** Points in time, each with a lock that makes the transaction storing Ada's list wait there. */
const moments: [string, (tx: Tx, ada: TestPlayer, cal: TestPlayer) => Promise<unknown>][] = [
  [
    'before the friend list has put it on the refresh list',
    (tx, ada, cal) => insertRefresh(tx, { steam_id: cal.steam_id, requested_by: ada.steam_id }),
  ],
  [
    'afterwards',
    (tx, ada) =>
      tx.selectFrom('syncs').selectAll().where('steam_id', '=', ada.steam_id).forUpdate().execute(),
  ],
]

// Who waits for a lock on another machine is not seen from the coordinator.
const onePostgres = test.skipIf(citusUrl !== undefined)
onePostgres.each(moments)('REF-5: a library stored %s is not read again', async (_when, lock) => {
  const app = await startTestApp({ engine: 'postgres' })
  const [bob, cal] = [await app.player({ synced: false }), await app.player({ synced: false })]
  const ada = await app.player({ friends: [bob, cal], synced: false })
  const { promise, resolve: release } = Promise.withResolvers<void>()
  app.simulator.fail({ endpoint: 'GetFriendList', kind: 'held', until: promise })
  const list = syncFriends(ada)
  await expect.poll(() => app.simulator.callsTo('GetFriendList')).toHaveLength(1)
  const holder = await app.db.startTransaction().execute()
  try {
    await lock(holder, ada, cal)
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(holder)
    release()
    await expect.poll(() => waitingFor(app, rows[0]!.pid)).toHaveLength(1)
    const [storing] = await waitingFor(app, rows[0]!.pid)

    let answered = false
    const library = syncGames(bob).finally(() => (answered = true))
    await expect.poll(async () => answered || (await waitingFor(app, storing!)).length > 0).toBe(true)
    await holder.rollback().execute()
    for (const response of await Promise.all([list, library])) expect(response.status).toBe(200)
  } finally {
    if (!holder.isRolledBack) await holder.rollback().execute()
  }
  const { libraries } = await status(ada)
  expect(libraries).toMatchObject({ total: 2, read: 1, waiting: 1 })
})

/** Process ids of the connections that wait for locks of another one. */
async function waitingFor({ database }: TestApp, pid: number): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    SELECT pid FROM pg_stat_activity WHERE ${pid} = ANY(pg_blocking_pids(pid))`.execute(database.queries)
  return rows.map((row) => row.pid)
}
