/** A night does not pick a game that is known to be for fewer than are in (NIGHT-128). */
import { describe, expect, test } from 'vitest'
import { api, engines, startTestApp } from '../support/app.ts'
import { friendsWithGames, inNight, startInGroup as start } from '../support/nights.ts'

/** Games of the list, for two and for three; and one that it does not have. */
const IT_TAKES_TWO = 1426210
const LOVERS = 252110
const UNKNOWN = 777_001

describe.each(engines)('on %s', (engine) => {
  /** A night of three, of whom all are in, who all own these games, the one for two most played. */
  async function cast(games: readonly number[] = [IT_TAKES_TWO, UNKNOWN]) {
    const app = await startTestApp({ engine })
    for (const appid of games)
      app.simulator.addApp({ appid, name: `Game ${appid}`, iconHash: '', kind: 0, categories: [38] })
    const { host, ada, ben: bob, groupId } = await friendsWithGames(app, 3, games.map(String))
    const night = await start(host, groupId)
    return { app, host, ada, bob, groupId, night, id: { id: night.night_id } }
  }
  const want = (...appids: number[]) => appids.map((appid) => ({ appid, mark: 'want' as const }))
  const listed = (of: { shortlist: { appid: number; players_max: number | null }[] }) =>
    of.shortlist.map(({ appid, players_max }) => [appid, players_max])

  test('NIGHT-128: a game for fewer stands below, can be marked, and is neither picked nor drawn', async () => {
    const { host, ada, bob, night } = await cast()
    expect(listed(await inNight(night, host).read())).toEqual([
      [UNKNOWN, null],
      [IT_TAKES_TWO, 2],
    ])
    await inNight(night, ada).answer('in')
    await inNight(night, host).vote(want(IT_TAKES_TWO))
    await inNight(night, ada).vote(want(IT_TAKES_TWO))
    await inNight(night, bob).answer('in')
    const ended = await inNight(night, bob).vote(want(IT_TAKES_TWO))
    // All want it, and it is not what they play.
    expect(ended).toMatchObject({
      status: 'decided',
      pick: { appid: UNKNOWN, players_max: null },
    })
    expect(ended.scores).toEqual([{ appid: UNKNOWN, score: 0, ruled_out: false }])
    expect(listed(ended)).toEqual([
      [UNKNOWN, null],
      [IT_TAKES_TWO, 2],
    ])
    expect(ended.odds).toEqual([])
  })

  test('NIGHT-128: nothing is picked if every game is for fewer', async () => {
    const { host, ada, bob, night, id } = await cast([IT_TAKES_TWO])
    for (const player of [ada, bob]) await inNight(night, player).answer('in')
    for (const player of [host, ada, bob]) await inNight(night, player).vote(want(IT_TAKES_TWO))
    expect(await inNight(night, host).read()).toMatchObject({ status: 'open', pick: null })
    expect(await host.refused(api.nights.close, id, { by: 'votes' })).toMatchObject({
      status: 409,
      code: 'no_games_left',
      error: 'Every game is for fewer people than are in.',
    })
  })

  test('NIGHT-128: corrections of its group hold in its nights', async () => {
    const { host, ada, bob, groupId, night } = await cast([IT_TAKES_TWO, LOVERS, UNKNOWN])
    const correct = (gameId: number, players_max: number | null) =>
      host.call(api.players.correct, { id: groupId, gameId }, { players_max })
    await correct(IT_TAKES_TWO, 4)
    await correct(UNKNOWN, 2)
    for (const player of [ada, bob]) await inNight(night, player).answer('in')
    const seen = await inNight(night, ada).read()
    expect(listed(seen)[0]).toEqual([IT_TAKES_TWO, 4])
    expect(listed(seen).at(-1)).toEqual([UNKNOWN, 2])
    const closed = await inNight(night, host).close('draw')
    expect(closed.odds!.map(({ appid }) => appid)).not.toContain(UNKNOWN)
    expect(closed.odds!.map(({ appid }) => appid)).toContain(IT_TAKES_TWO)
    await correct(IT_TAKES_TWO, null)
    expect((await inNight(night, host).read()).odds!.map(({ appid }) => appid)).not.toContain(IT_TAKES_TWO)
    expect((await inNight(night, host).draw()).pick).toMatchObject({ appid: LOVERS })
  })

  test('NIGHT-128: near misses say it too, those for fewer last', async () => {
    const app = await startTestApp({ engine })
    for (const appid of [IT_TAKES_TWO, UNKNOWN])
      app.simulator.addApp({ appid, name: `Game ${appid}`, iconHash: '', kind: 0, categories: [38] })
    const { host, others } = await friendsWithGames(app, 2, [IT_TAKES_TWO, UNKNOWN].map(String))
    const dan = await app.player({ games: {}, friends: [host] })
    await app.deps.sync.syncFriends(host.steam_id)
    const ids = [...others, dan].map(({ steam_id }) => steam_id)
    const night = await host.call(api.nights.start, {}, { steam_ids: ids })
    for (const player of [...others, dan]) await inNight(night, player).answer('in')
    const { near_misses } = await inNight(night, host).read()
    expect(near_misses.map(({ appid, players_max }) => [appid, players_max])).toEqual([
      [UNKNOWN, null],
      [IT_TAKES_TWO, 2],
    ])
  })
})
