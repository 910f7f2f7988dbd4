/** Picks that were played together afterwards, as later syncs find (NIGHT-60, NIGHT-61). */
import { describe, expect, test } from 'vitest'
import { nightsContract } from '#shared/contract/nights.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { startTestApp, type TestPlayer } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import { quick, syncGames } from '../support/sync-calls.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const BEGIN = Date.UTC(2026, 5, 1, 19)

/** A night of three people of a group who have picked the first game; and a clock. */
async function decided(engine: (typeof engines)[number]) {
  let now = BEGIN
  const app = await startTestApp({ engine, clock: () => now, steamTiming: quick })
  const { host, others, groupId, appids } = await friendsWithGames(app, 3)
  const [ada, bob] = others as [TestPlayer, TestPlayer]
  const night = await host.call(nightsContract.start, {}, { group_id: groupId })
  for (const one of [ada, bob]) await inNight(night, one).answer('in')
  const pick = appids[0]!
  await inNight(night, host).vote([{ appid: pick, mark: 'want' }])
  await inNight(night, host).close()

  /** A sync that finds minutes of the pick, last played at a time. */
  const play = async (player: TestPlayer, at: number, minutes: number, lastPlayed = at) => {
    now = Math.max(now, at)
    app.simulator.setGames(
      player.steam_id,
      appids.map((appid, nth) => ({
        appid,
        minutes: 600 - 60 * nth + (nth === 0 ? minutes : 0),
        recentMinutes: 0,
        lastPlayed: nth === 0 ? lastPlayed / 1000 : 1_700_000_000,
      })),
    )
    expect((await syncGames(player)).status).toBe(200)
  }
  const together = async () => (await inNight(night, host).read()).played_together?.toSorted() ?? null
  return { app, host, ada, bob, groupId, appids, pick, night, play, together }
}
const ids = (...players: TestPlayer[]) => players.map((player) => player.steam_id).toSorted()

describe.each(engines)('a pick (%s)', (engine) => {
  test('NIGHT-60: is played together when minutes of two rise, and the next shortlist of the group says so', async () => {
    const { host, ada, bob, groupId, pick, night, play, together } = await decided(engine)
    const before = await inNight(night, host).read()
    await play(ada, BEGIN + 3 * HOUR, 90)
    expect(await together()).toBeNull()
    await play(host, BEGIN + 4 * HOUR, 80)
    expect(await together()).toEqual(ids(ada, host))
    await play(bob, BEGIN + DAY, 0)
    expect(await together()).toEqual(ids(ada, host))
    // A third is found by a sync of a week later, because Steam says when they played.
    await play(bob, BEGIN + 7 * DAY, 30, BEGIN + DAY + HOUR)
    expect(await together()).toEqual(ids(ada, bob, host))
    const after = await inNight(night, host).read()
    expect(after.version).toBeGreaterThan(before.version)
    const { nights } = await host.call(nightsContract.listOfGroup, { id: groupId })
    expect(nights[0]!.played_together!.toSorted()).toEqual(ids(ada, bob, host))

    const next = await host.call(nightsContract.start, {}, { group_id: groupId })
    expect(next.shortlist.find((game) => game.appid === pick)!.facts).toMatchObject({
      picked_weeks_ago: 1,
      picked_last: true,
      played_together: '2026-06',
    })
    expect(next.shortlist.find((game) => game.appid !== pick)!.facts).toMatchObject({
      picked_weeks_ago: null,
      played_together: null,
    })
  })

  test('NIGHT-60: is not when it was played before the pick, more than two days after it, or by people who were not in', async () => {
    const { host, ada, bob, night, play, together } = await decided(engine)
    await inNight(night, bob).answer('maybe')
    await play(ada, BEGIN + 3 * HOUR, 90)
    await play(bob, BEGIN + 3 * HOUR, 90)
    await play(host, BEGIN + 2 * DAY + HOUR, 30)
    expect(await together()).toBeNull()
    await play(host, BEGIN + 3 * DAY, 60, BEGIN + 2 * DAY + 2 * HOUR)
    expect(await together()).toBeNull()
  })

  test('NIGHT-60: drawn again was not played, whatever was found of the one before', async () => {
    const { host, ada, night, play, together } = await decided(engine)
    await play(ada, BEGIN + HOUR, 30)
    await play(host, BEGIN + HOUR, 30)
    expect(await together()).toEqual(ids(ada, host))
    expect((await inNight(night, host).redraw('too late for that')).played_together).toBeNull()
  })

  test('NIGHT-61: counts nothing of games that people hide, before or afterwards', async () => {
    const { host, ada, bob, pick, play, together } = await decided(engine)
    const hide = (player: TestPlayer) =>
      player.call(privacyContract.hideGame, { steamId: player.steam_id, gameId: pick })
    await hide(bob)
    for (const one of [ada, bob, host]) await play(one, BEGIN + HOUR, 30)
    expect(await together()).toEqual(ids(ada, host))
    await hide(ada)
    expect(await together()).toBeNull()
    await ada.call(privacyContract.unhideGame, { steamId: ada.steam_id, gameId: pick })
    expect(await together()).toBeNull()
  })

  test('NIGHT-61: counts nothing of libraries that nobody may see, and of people who have gone', async () => {
    const { host, ada, bob, play, together } = await decided(engine)
    const show = (player: TestPlayer, library_visibility: 'nobody' | 'connected') =>
      player.call(privacyContract.changeSettings, { steamId: player.steam_id }, { library_visibility })
    await show(bob, 'nobody')
    for (const one of [ada, bob, host]) await play(one, BEGIN + HOUR, 30)
    expect(await together()).toEqual(ids(ada, host))
    await show(bob, 'connected')
    await play(bob, BEGIN + 2 * HOUR, 60)
    expect(await together()).toEqual(ids(ada, bob, host))
    await show(bob, 'nobody')
    expect(await together()).toEqual(ids(ada, host))
    await ada.call(privacyContract.deleteAccount, { steamId: ada.steam_id })
    expect(await together()).toBeNull()
  })
})
