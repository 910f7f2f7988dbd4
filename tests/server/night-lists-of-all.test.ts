/** The list of a night before all have answered, votes that change with it, and reopening (NIGHT-122 to NIGHT-126). */
import { describe, expect, test } from 'vitest'
import { checkDraw } from '#shared/nights/draw.ts'
import type { NightDraw } from '#shared/nights/entities.ts'
import { REOPEN_VOTE_MS } from '#shared/limits.ts'
import { api, engines, setVisibility, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { friendsWithGames, inNight, readStore, startInGroup } from '../support/nights.ts'
import { storeSays } from '../support/store.ts'

const HOUR = 60 * 60_000

const giveGames = (app: TestApp, player: TestPlayer, names: readonly string[]) =>
  app.owns(player, Object.fromEntries(names.map((name) => [name, 5])))

describe.each(engines)('the list of a night (%s)', (engine) => {
  test('NIGHT-122: counts everyone who has not said no and whose library the viewer may see', async () => {
    const app = await startTestApp({ engine })
    const { host, ada, ben: bob, groupId, appids } = await friendsWithGames(app, 3)
    const [portal, factorio, overcooked] = appids as [number, number, number]
    await giveGames(app, ada, ['Portal', 'Overcooked', 'Terraria'])
    await giveGames(app, bob, ['Factorio', 'Terraria'])
    await readStore(app)
    const night = await startInGroup(host, groupId)
    const all = [host, ada, bob].map((one) => one.steam_id)
    const listOf = (view: typeof night) => view.shortlist.map(({ appid, lacking }) => [appid, lacking])

    expect(new Set(night.counted)).toEqual(new Set(all))
    expect(night.unknown).toEqual([])
    expect(listOf(night)).toEqual([
      [portal, [bob.steam_id]],
      [factorio, [ada.steam_id]],
      [overcooked, [bob.steam_id]],
    ])
    expect(night.shortlist[0]!.facts).toMatchObject({ people: 3, known: 3, owners: 2 })
    // What nobody who is in owns is a near miss.
    expect(night.near_misses.map(({ appid, lacking }) => [appid, lacking])).toEqual([
      [app.appidOf('Terraria'), [host.steam_id]],
    ])

    // Who says no leaves.
    const without = await inNight(night, bob).answer('out')
    expect(new Set(without.counted)).toEqual(new Set([host.steam_id, ada.steam_id]))
    expect(listOf(without)).toEqual([
      [portal, []],
      [overcooked, []],
      [factorio, [ada.steam_id]],
    ])
    // Who may come still counts, and who is in narrows it.
    await inNight(night, bob).answer('maybe')
    const narrowed = await inNight(night, ada).answer('in')
    expect(listOf(narrowed)).toEqual([
      [portal, [bob.steam_id]],
      [overcooked, [bob.steam_id]],
    ])
    const last = await inNight(night, bob).answer('in')
    expect(last).toMatchObject({ shortlist: [], unknown: [] })
  })

  test('NIGHT-122: counts nobody whose library the viewer may not see, until they say that they are in', async () => {
    const app = await startTestApp({ engine })
    const games = { Portal: 60, Factorio: 30 }
    const ada = await app.player({ name: 'Ada', games })
    const bob = await app.player({ name: 'Bob', games: { Portal: 9 } })
    const host = await app.player({ name: 'Host', games, friends: [ada, bob] })
    await readStore(app)
    const night = await host.call(api.nights.start, {}, { steam_ids: [ada.steam_id, bob.steam_id] })
    const [portal, factorio] = [app.appidOf('Portal'), app.appidOf('Factorio')]
    // The host is connected with Bob; Ada is not.
    expect(night.shortlist.map(({ appid, lacking }) => [appid, lacking])).toEqual([
      [portal, []],
      [factorio, [bob.steam_id]],
    ])
    const adas = await inNight(night, ada).read()
    expect(adas.counted).toEqual([host.steam_id, ada.steam_id])
    expect(adas.unknown).toEqual([bob.steam_id])
    expect(adas.shortlist[0]!.facts).toMatchObject({ people: 3, known: 2, owners: 2 })
    await inNight(night, bob).answer('in')
    expect((await inNight(night, ada).read()).shortlist.map((game) => game.appid)).toEqual([portal])

    // A library shown to nobody counts for its owner only, and for nobody once they are in.
    await setVisibility(bob, 'nobody')
    await inNight(night, bob).answer('maybe')
    expect((await inNight(night, host).read()).unknown).toEqual([bob.steam_id])
    expect((await inNight(night, bob).read()).unknown).toEqual([ada.steam_id])
    await inNight(night, bob).answer('in')
    for (const one of [host, ada, bob])
      expect((await inNight(night, one).read()).unknown).toContain(bob.steam_id)
  })

  test('NIGHT-122: is that of the others if only one with a private library is in', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player({ games: { Portal: 1, Factorio: 1 } })
    const bob = await app.player({ games: { Portal: 1 } })
    const host = await app.player({ synced: false, friends: [ada, bob] })
    await app.deps.sync.syncFriends(host.steam_id)
    await readStore(app)
    const night = await host.call(api.nights.start, {}, { steam_ids: [ada.steam_id, bob.steam_id] })
    expect(night.shortlist.map((game) => game.appid)).toEqual([app.appidOf('Portal')])
    expect(night.unknown).toEqual([host.steam_id])
    // A vote is about the games of those who are in.
    expect(await host.refusedWith(api.nights.close, { id: night.night_id }, { by: 'votes' })).toBe(
      'no_games_left',
    )
  })

  test('NIGHT-124: marks wait while their games are away, and count when they are back', async () => {
    const app = await startTestApp({ engine })
    const { host, ada, ben: bob, groupId, appids } = await friendsWithGames(app, 3)
    const [portal, factorio] = appids as [number, number, number]
    await giveGames(app, bob, ['Factorio'])
    const night = await startInGroup(host, groupId)
    await inNight(night, ada).answer('in')
    await inNight(night, ada).vote([
      { appid: portal, mark: 'want' },
      { appid: factorio, mark: 'fine' },
    ])
    expect((await inNight(night, bob).answer('in')).shortlist.map((game) => game.appid)).toEqual([factorio])
    const without = await inNight(night, host).close()
    expect(without.scores).toEqual([{ appid: factorio, score: 1, ruled_out: false }])
    await inNight(night, host).reopen()
    await inNight(night, bob).answer('out')
    const back = await inNight(night, host).close()
    expect(back.pick).toMatchObject({ appid: portal })
    expect(back.scores!.map(({ score }) => score)).toEqual([2, 1, 0])
  })

  test('NIGHT-124: has marked games beyond the 24 best, if whoever marked them owns them', async () => {
    const app = await startTestApp({ engine })
    const names = Array.from({ length: 40 }, (_, nth) => `Game ${nth}`)
    const games = Object.fromEntries(names.map((name, nth) => [name, nth]))
    const ada = await app.player({ games })
    // Never read.
    const bob = await app.player({ games, synced: false })
    const host = await app.player({ games, friends: [ada, bob] })
    await storeSays(app, Object.fromEntries(names.map((name) => [name, { categories: [9, 38] }])))
    const night = await host.call(api.nights.start, {}, { steam_ids: [ada.steam_id, bob.steam_id] })
    for (const one of [ada, bob]) await inNight(night, one).answer('in')
    const listed = new Set((await inNight(night, ada).read()).shortlist.map((game) => game.appid))
    expect(listed.size).toBe(24)
    const others24 = names.map((name) => app.appidOf(name)).filter((appid) => !listed.has(appid))
    await inNight(night, ada).vote([{ appid: others24[0]!, mark: 'want' }])
    // A player with an unknown library does not learn by marks what others own.
    await inNight(night, bob).vote([{ appid: others24[1]!, mark: 'want' }])
    const closed = await inNight(night, host).close()
    expect(closed.shortlist.map((game) => game.appid).filter((appid) => !listed.has(appid))).toEqual([
      others24[0],
    ])
    expect(closed.pick).toMatchObject({ appid: others24[0] })
  })
})

describe.each(engines)('a vote that has ended (%s)', (engine) => {
  async function ended(marks: ('first' | 'second')[]) {
    const time = { now: Date.now() }
    const app = await startTestApp({ engine, clock: () => time.now })
    const { host, ada, ben: bob, groupId, appids } = await friendsWithGames(app, 3)
    const night = await startInGroup(host, groupId)
    await inNight(night, ada).answer('in')
    for (const [nth, one] of [host, ada].entries())
      await inNight(night, one).vote([{ appid: appids[marks[nth] === 'first' ? 0 : 1]!, mark: 'want' }])
    const view = await inNight(night, bob).answer('out')
    return { app, time, host, ada, bob, groupId, appids, night, view }
  }

  test('NIGHT-126: is reopened with its votes for who comes late, and ends when they have voted', async () => {
    const { app, host, ada, bob, night, view, appids } = await ended(['first', 'first'])
    expect(view).toMatchObject({ status: 'decided', can_reopen: true })
    const id = { id: night.night_id }
    const { url } = await ada.call(api.share.create, id)
    expect((await inNight(night, bob).answer('in')).status).toBe('decided')
    expect(await bob.refusedWith(api.nights.reopen, id)).toBe('not_night_host')
    const other = await startTestApp({ besides: app })
    await Promise.all([
      inNight(night, host).reopen(),
      inNight(night, { ...host, ...other.callsOf(host.token) }).reopen(),
    ])
    const open = await inNight(night, bob).read()
    expect(open).toMatchObject({ status: 'open', pick: null, scores: null, can_reopen: false, draws: [] })
    expect(open.people.filter(({ voted }) => voted)).toHaveLength(2)
    expect(open.version).toBe(view.version + 2)
    // The link showed the pick.
    expect(await ada.call(api.share.read, id)).toBeNull()
    expect((await fetch(url)).status).toBe(404)
    const again = await inNight(night, bob).vote([{ appid: appids[1]!, mark: 'no' }])
    expect(again).toMatchObject({ status: 'decided', pick: { appid: appids[0]!, number: 1 } })
  })

  test('NIGHT-126: that waits for a draw is reopened, and a drawn pick is not; its seed was not shown before', async () => {
    const { host, night, view, ada, appids } = await ended(['first', 'second'])
    expect(view).toMatchObject({ status: 'tied', can_reopen: true })
    await inNight(night, host).reopen()
    // All have voted, so that it ends when its leader says so.
    const changed = await inNight(night, ada).vote([{ appid: appids[0]!, mark: 'want' }])
    expect(changed.status).toBe('open')
    // A clear winner shows no seed, because a draw may follow.
    expect(await inNight(night, host).close()).toMatchObject({
      status: 'decided',
      draws: [{ by: 'votes', seed: null, seed_hash: null }],
    })
    await inNight(night, host).reopen()
    await inNight(night, host).close('draw')
    const drawn = await inNight(night, host).draw()
    expect(drawn).toMatchObject({ status: 'decided', can_reopen: false })
    const [{ seed, ...draw }] = drawn.draws as [NightDraw]
    expect(draw.seed_hash).toBe(night.seed_hash)
    expect(checkDraw(night.night_id, { ...draw, seed: seed! })).toEqual({
      appid: drawn.pick!.appid,
      hashMatches: true,
    })
    const id = { id: night.night_id }
    expect(await host.refusedWith(api.nights.reopen, id)).toBe('already_drawn')
  })

  test('NIGHT-126: is reopened for an hour when it picked a game', async () => {
    const { host, night, time } = await ended(['first', 'first'])
    const id = { id: night.night_id }
    time.now += REOPEN_VOTE_MS - 1
    expect((await inNight(night, host).read()).can_reopen).toBe(true)
    time.now += 1
    expect((await inNight(night, host).read()).can_reopen).toBe(false)
    expect(await host.refusedWith(api.nights.reopen, id)).toBe('night_has_ended')
    time.now += 11 * HOUR
    expect(await host.refusedWith(api.nights.reopen, id)).toBe('night_has_ended')
  })
})
