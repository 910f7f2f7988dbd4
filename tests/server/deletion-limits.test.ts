/** Deleting accounts: the daily limits that outlive it, and accounts with more rows than a transaction can lock (DEL-2). */
import { describe, expect, test } from 'vitest'
import { api, engines, startAt, type TestPlayer } from '../support/app.ts'
import { status, syncGames } from '../support/sync-calls.ts'

const HOUR = 60 * 60_000

const remove = (player: TestPlayer) => player.attempt(api.privacy.deleteAccount, player.user)

describe.each(engines)('on %s', (engine) => {
  test('DEL-2: the ten syncs are not refilled by deleting the account, however often', async () => {
    const { app, time } = await startAt(Date.now(), { engine })
    const bob = await app.player()
    let me = bob
    for (let nth = 0; nth < 4; nth++) expect((await syncGames(me)).status).toBe(200)
    // Three hours ago.
    await app.write((tx) =>
      tx
        .updateTable('syncs')
        .set((eb) => ({ started_at: eb('started_at', '-', 3 * HOUR) }))
        .execute(),
    )
    for (const left of [6, 5]) {
      await remove(me)
      const token = await app.signIn(bob.steam_id)
      me = { ...bob, token, ...app.callsOf(token) }
      expect((await status(me)).left).toBe(left)
      await syncGames(me)
    }
    // The first four become free a day after they were made, the others later.
    time.now += 22 * HOUR
    expect((await status(me)).left).toBe(8)
  })

  test('DEL-2: the record of recent syncs is deleted when they no longer count', async () => {
    const { app, time } = await startAt(Date.now(), { engine })
    const bob = await app.player()
    await syncGames(bob)
    await remove(bob)
    const recorded = () => app.db.selectFrom('deleted_accounts').selectAll().execute()
    expect((await recorded())[0]!.recent_uses).toContain(String(time.now))
    time.now += 24 * HOUR
    app.deps.sync.start()
    await expect
      .poll(async () => (await recorded()).map((row) => row.recent_uses), { timeout: 10_000 })
      .toEqual([''])
  })
})
