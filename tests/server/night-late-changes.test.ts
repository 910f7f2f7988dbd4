/** Games and libraries that people hide while a vote is open, and after it has ended (NIGHT-19, NIGHT-112). */
import { describe, expect, test } from 'vitest'
import { api, engines, setVisibility, startTestApp, type TestPlayer } from '../support/app.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'

describe.each(engines)('what is hidden late (%s)', (engine) => {
  async function votes() {
    const app = await startTestApp({ engine })
    const { host, ada, ben, groupId, appids } = await friendsWithGames(app, 3)
    const night = await host.call(api.nights.start, {}, { group_id: groupId })
    for (const one of [ada, ben]) await inNight(night, one).answer('in')
    const hide = (who: TestPlayer, gameId: number) =>
      who.attempt(api.privacy.hideGame, { ...who.user, gameId })
    const listsOfAll = async () =>
      Promise.all(
        [host, ada, ben].map(async (one) =>
          (await inNight(night, one).read()).shortlist.map((game) => game.appid),
        ),
      )
    return { app, host, ada, ben, night, appids: appids as [number, number, number], hide, listsOfAll }
  }

  test('NIGHT-112: while the vote is open, leaves the list for everyone, and its marks count no more', async () => {
    const { host, ada, ben, night, appids, hide, listsOfAll } = await votes()
    const [portal, factorio, overcooked] = appids
    await inNight(night, host).vote([
      { appid: portal, mark: 'want' },
      { appid: factorio, mark: 'fine' },
    ])
    await inNight(night, ada).vote([{ appid: portal, mark: 'want' }])
    await hide(ben, portal)
    const left = [factorio, overcooked]
    expect(await listsOfAll()).toEqual([left, left, left])
    await inNight(night, ben).vote([{ appid: portal, mark: 'want' }])
    const closed = await inNight(night, host).close()
    expect(closed).toMatchObject({ status: 'decided', pick: { appid: factorio } })
    expect(closed.scores!.map(({ appid, score }) => [appid, score])).toEqual([
      [factorio, 1],
      [overcooked, 0],
    ])
    expect(closed.shortlist.map((game) => game.appid)).toEqual(left)
  })

  test('NIGHT-112: a library that nobody may see any more while the vote is open no longer shortens the list', async () => {
    const { app, ada, ben, night, appids, listsOfAll } = await votes()
    const [portal, factorio] = appids
    await app.owns(ben, { Portal: 1 })
    expect(await listsOfAll()).toEqual([[portal], [portal], [portal]])
    await setVisibility(ben, 'nobody')
    expect((await listsOfAll())[1]).toContain(factorio)
    expect((await inNight(night, ada).read()).unknown).toEqual([ben.steam_id])
  })

  test('NIGHT-112: after the vote has ended changes neither list, scores, odds nor pick, only who is known to own it', async () => {
    const { host, ada, ben, night, appids, hide } = await votes()
    const [portal, factorio] = appids
    await inNight(night, host).vote([{ appid: portal, mark: 'want' }])
    await inNight(night, ada).vote([{ appid: factorio, mark: 'want' }])
    const tied = await inNight(night, host).close()
    expect(tied).toMatchObject({ status: 'tied' })
    expect(tied.odds).toHaveLength(2)
    const ended = ({ shortlist, scores, odds }: typeof tied) => ({
      list: shortlist.map(({ appid, facts }) => ({ appid, facts })),
      scores,
      odds,
    })
    // Both games of the odds are hidden before the draw.
    for (const appid of [portal, factorio]) await hide(ben, appid)
    await setVisibility(ada, 'nobody')
    for (const one of [host, ada, ben]) expect(ended(await inNight(night, one).read())).toEqual(ended(tied))

    const drawn = await inNight(night, host).draw()
    expect(tied.odds!.map(({ appid }) => appid)).toContain(drawn.pick!.appid)
    expect(drawn.pick!.odds).toEqual(tied.odds)
    expect(drawn.pick).toMatchObject({ ready: [host.steam_id], lacking: [ben.steam_id] })
    await hide(host, drawn.pick!.appid)
    const later = await inNight(night, ben).read()
    expect(later.pick).toMatchObject({ appid: drawn.pick!.appid, number: 1, ready: [] })
    expect(later.pick!.lacking.toSorted()).toEqual([host.steam_id, ben.steam_id].toSorted())
    expect(later.status).toBe('decided')
    const { nights } = await ada.call(api.nights.list, ada.user)
    expect(nights[0]!.pick?.appid).toBe(drawn.pick!.appid)
  })
})
