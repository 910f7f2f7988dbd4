/** Minutes played by month (SYNC-22). */
import { describe, expect, test } from 'vitest'
import { api, engines, startTestApp, type TestPlayer } from '../support/app.ts'
import { quick, syncGames } from '../support/sync-calls.ts'

const DAY = 24 * 60 * 60_000

/** A server with a clock that the test sets. */
async function startAt(engine: (typeof engines)[number], time: number) {
  let now = time
  const app = await startTestApp({ engine, clock: () => now, steamTiming: quick })
  /** A day on which the player has these minutes, and syncs. */
  const play = async (player: TestPlayer, day: number, games: Record<string, number>, lastPlayed = 0) => {
    // A session ends after 30 days without use.
    for (; now < day; now = Math.min(day, now + 20 * DAY)) await historyOf(player)
    app.giveGames(player, games, lastPlayed)
    expect((await syncGames(player)).status).toBe(200)
  }
  return { app, play, setNow: (later: number) => (now = later) }
}

const historyOf = (player: TestPlayer) => player.call(api.library.playtimeHistory, player.user)
const summaryOf = async (player: TestPlayer) =>
  (await historyOf(player)).months.map(({ month, minutes }) => [month, minutes])

describe.each(engines)('on %s', (engine) => {
  test('SYNC-22: months are listed from the first with playtime to the current one, with the games played most', async () => {
    const october = Date.UTC(2026, 9, 10)
    const { app, play, setNow } = await startAt(engine, october)
    const ada = await app.player({ games: { Portal: 60, Rust: 100 }, synced: false })
    expect(await historyOf(ada)).toEqual({ months: [], since: null })
    await syncGames(ada)
    // The first read gives no playtime: it may be of many years.
    expect(await historyOf(ada)).toEqual({ months: [], since: new Date(october).toISOString() })

    await play(ada, october + DAY, { Portal: 90, Rust: 100 })
    await play(ada, october + 2 * DAY, { Portal: 95, Rust: 90, A: 1, B: 2, C: 3, D: 4, E: 5 })
    // Read in December, last played in October.
    const played = (october + 3 * DAY) / 1000
    await play(ada, Date.UTC(2026, 11, 24), { Portal: 95, Rust: 97, A: 1, B: 2, C: 3, D: 4, E: 5 }, played)
    expect(await summaryOf(ada)).toEqual([
      ['2026-10', 57],
      ['2026-11', 0],
      ['2026-12', 0],
    ])
    await play(ada, Date.UTC(2026, 11, 31), { Portal: 96 })
    setNow(Date.UTC(2027, 0, 1))
    const { months, since } = await historyOf(ada)
    expect(months.map(({ month, minutes }) => [month, minutes])).toEqual([
      ['2026-10', 57],
      ['2026-11', 0],
      ['2026-12', 1],
      ['2027-01', 0],
    ])
    expect(months[0]!.games.map(({ name, minutes }) => [name, minutes])).toEqual([
      ['Portal', 35],
      ['Rust', 7],
      ['E', 5],
      ['D', 4],
      ['C', 3],
    ])
    expect(months[0]!.games[0]).toEqual({
      appid: app.appidOf('Portal'),
      name: 'Portal',
      image_url: expect.toSatisfy((url) => url === null || typeof url === 'string') as null,
      minutes: 35,
    })
    expect(since).toBe(new Date(october).toISOString())
  })

  test('SYNC-22: a sync that cannot be stored completely stores no playtime', async () => {
    const { app } = await startAt(engine, Date.UTC(2026, 10, 1))
    const ada = await app.player({ games: { Portal: 60 } })
    app.giveGames(ada, { Portal: 90 })
    // The changes are stored after the playtime.
    const { schema } = app.db
    await schema.alterTable('library_changes').renameTo('moved').execute()
    app.giveGames(ada, { Portal: 90, Rust: 1 })
    expect((await syncGames(ada)).status).toBe(500)
    await schema.alterTable('moved').renameTo('library_changes').execute()
    expect(await app.db.selectFrom('playtime_months').selectAll().execute()).toEqual([])
    expect((await ada.call(api.library.games, ada.user)).games).toMatchObject([{ playtime_minutes: 60 }])
  })
})
