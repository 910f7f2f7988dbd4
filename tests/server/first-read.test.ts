/** SYNC-18: at the first sign-in, games and friend list are read automatically, without using one of the ten syncs. */
import { describe, expect, test } from 'vitest'
import { api, engines, startAt, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { friendsOf, gamesOf, quick, status, syncGames } from '../support/sync-calls.ts'

const MINUTE = 60_000
const PATIENT = { timeout: 10_000 }

const reads = (app: TestApp, player: TestPlayer) =>
  (['GetOwnedGames', 'GetFriendList'] as const).map(
    (call) => app.simulator.callsTo(call, player.steam_id).length,
  )
const reading = async (player: TestPlayer) => {
  const { games, friends } = await status(player)
  return [games.reading, friends.reading]
}

describe.each(engines)('on %s', (engine) => {
  const newcomer = async (app: TestApp) => {
    const friend = await app.player({ name: 'Bob', games: { Portal: 60 }, synced: false })
    return app.player({ isNew: true, synced: false, games: { Dota: 90 }, friends: [friend] })
  }

  test('SYNC-18: games, friends and their libraries are read automatically, and all ten syncs are left', async () => {
    const app = await startTestApp({ engine, background: true })
    const ada = await newcomer(app)
    await expect.poll(() => reading(ada), PATIENT).toEqual([false, false])
    expect(await gamesOf(ada)).toEqual([['Dota', 90]])
    await expect
      .poll(async () => (await friendsOf(ada)).map((friend) => friend.library_status), PATIENT)
      .toEqual(['ok'])
    expect(await status(ada)).toMatchObject({ left: 10, games: { status: 'ok' }, friends: { status: 'ok' } })
    expect(reads(app, ada)).toEqual([1, 1])
  })

  test('SYNC-18: the sign-in does not wait for the reads, and the status shows them in progress', async () => {
    const app = await startTestApp({ engine, background: true })
    const { promise, resolve: release } = Promise.withResolvers<void>()
    for (const endpoint of ['GetOwnedGames', 'GetFriendList'] as const)
      app.simulator.fail({ endpoint, kind: 'held', until: promise })
    const ada = await newcomer(app)
    expect(await reading(ada)).toEqual([true, true])
    expect(await gamesOf(ada)).toEqual([])
    // A sync meanwhile joins the call, and counts as one of the ten.
    const sync = syncGames(ada)
    await expect.poll(async () => (await status(ada)).left).toBe(9)
    release()
    expect(await (await sync).json()).toEqual({ status: 'ok', game_count: 1 })
    await expect.poll(() => reading(ada), PATIENT).toEqual([false, false])
    expect(reads(app, ada)).toEqual([1, 1])
    expect((await status(ada)).left).toBe(9)
  })

  test('SYNC-18: many concurrent sign-ins on two servers read once', async () => {
    const app = await startTestApp({ engine, background: true })
    const other = await startTestApp({ engine, besides: app, background: true })
    const ada = await app.player({ synced: false, games: { Dota: 90 } })
    // As if she had never signed in.
    await app.write((tx) =>
      tx.updateTable('people').set({ signed_in_at: null }).where('steam_id', '=', ada.steam_id).execute(),
    )
    await Promise.all(
      Array.from({ length: 8 }, (_, nth) => (nth % 2 === 0 ? app : other).signIn(ada.steam_id)),
    )
    await expect.poll(() => reading(ada), PATIENT).toEqual([false, false])
    await Promise.all([app.deps.sync.stop(), other.deps.sync.stop()])
    expect(reads(app, ada)).toEqual([1, 1])
  })

  test('SYNC-18: a later sign-in reads nothing', async () => {
    const app = await startTestApp({ engine, background: true })
    const ada = await newcomer(app)
    await expect.poll(() => reading(ada), PATIENT).toEqual([false, false])
    app.simulator.clearCalls()
    await app.signIn(ada.steam_id)
    expect(await reading(ada)).toEqual([false, false])
    await app.deps.sync.stop()
    expect(reads(app, ada)).toEqual([0, 0])
  })

  test('DEL-1: an account that is deleted and reopened is read again up to three times a day, then only by a sync', async () => {
    const { app, time } = await startAt(Date.now(), { engine, background: true })
    let ada = await newcomer(app)
    const comeBack = async () => {
      await ada.call(api.privacy.deleteAccount, ada.user)
      ada = { ...ada, ...app.callsOf(await app.signIn(ada.steam_id)) }
      await expect.poll(() => reading(ada), PATIENT).toEqual([false, false])
    }
    await expect.poll(() => reading(ada), PATIENT).toEqual([false, false])
    for (let nth = 2; nth <= 5; nth++) {
      await comeBack()
      expect(await gamesOf(ada)).toEqual(nth <= 3 ? [['Dota', 90]] : [])
      expect(await friendsOf(ada)).toHaveLength(nth <= 3 ? 1 : 0)
    }
    expect(reads(app, ada)).toEqual([3, 3])
    expect((await status(ada)).left).toBe(10)
    expect((await syncGames(ada)).status).toBe(200)
    expect(await gamesOf(ada)).toEqual([['Dota', 90]])

    time.now += 24 * 60 * MINUTE
    await comeBack()
    expect(await gamesOf(ada)).toEqual([['Dota', 90]])
  })

  test('SYNC-18: a failed read is retried a minute later, and a successful one is not repeated', async () => {
    const { app, time } = await startAt(Date.now(), { engine, background: true, steamTiming: quick })
    app.simulator.fail({ endpoint: 'GetFriendList', kind: 'status', status: 500 })
    const ada = await newcomer(app)
    await expect.poll(() => gamesOf(ada), PATIENT).toEqual([['Dota', 90]])
    const row = () =>
      app.db
        .selectFrom('refreshes')
        .select(['games_due', 'friends_due', 'lease_owner', 'attempts'])
        .where('steam_id', '=', ada.steam_id)
        .execute()
    await expect
      .poll(row, PATIENT)
      .toEqual([{ games_due: 0, friends_due: 1, lease_owner: null, attempts: 1 }])
    expect(await reading(ada)).toEqual([false, true])
    expect((await status(ada)).left).toBe(10)

    app.simulator.clearFaults()
    app.simulator.clearCalls()
    time.now += MINUTE
    await expect.poll(() => reading(ada), PATIENT).toEqual([false, false])
    expect(await friendsOf(ada)).toHaveLength(1)
    expect(reads(app, ada)).toEqual([0, 1])
  })

  test('when a server stops before reading, another one reads', async () => {
    const app = await startTestApp({ engine })
    const ada = await newcomer(app)
    expect(await reading(ada)).toEqual([true, true])
    expect(reads(app, ada)).toEqual([0, 0])
    await startTestApp({ engine, besides: app, background: true })
    await expect.poll(() => reading(ada), PATIENT).toEqual([false, false])
    expect(await gamesOf(ada)).toEqual([['Dota', 90]])
    expect(await friendsOf(ada)).toHaveLength(1)
  })
})
