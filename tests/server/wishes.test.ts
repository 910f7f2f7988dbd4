/** What members want to play with their group (WISH-1 to WISH-3). */
import { describe, expect, test } from 'vitest'
import { WISHES_MAX } from '#shared/limits.ts'
import type { FaultRule } from '../../src/simulator/faults.ts'
import { api, engines, setVisibility, startAt, type TestPlayer } from '../support/app.ts'
import { watch } from '../support/events.ts'
import { inNight, readStore, startInGroup } from '../support/nights.ts'

describe.each(engines)('wishes (%s)', (engine) => {
  /** All own Portal; Bob lacks Rust, and Ivy has not joined. */
  async function cast() {
    const { app, time: clock } = await startAt(Date.parse('2026-11-20T18:00:00Z'), { engine })
    const ada = await app.player({ name: 'Ada', games: { Portal: 60, Rust: 60 } })
    const bob = await app.player({ name: 'Bob', games: { Portal: 5 } })
    const ivy = await app.player({ name: 'Ivy', games: { Portal: 5 } })
    const host = await app.player({
      name: 'Host',
      games: { Portal: 60, Rust: 600 },
      friends: [ada, bob, ivy],
    })
    await readStore(app)
    const { group_id: id } = await app.group({ owner: host, members: [ada, bob], asked: [ivy] })
    const [portal, rust] = [app.appidOf('Portal'), app.appidOf('Rust')]
    const want = (by: TestPlayer, gameId: number) => by.call(api.wishes.want, { id, gameId })
    const unwant = (by: TestPlayer, gameId: number) => by.call(api.wishes.unwant, { id, gameId })
    const wanted = async (by: TestPlayer) =>
      (await by.call(api.wishes.list, { id })).map(({ game, wanted_by }) => [game.name, wanted_by])
    return { clock, app, ada, bob, ivy, host, id, portal, rust, want, unwant, wanted }
  }

  test('WISH-1, LIVE-2: are on the list of the group, with who has them, for those who have joined', async () => {
    const { app, ada, bob, ivy, host, id, portal, rust, want, unwant, wanted } = await cast()
    const stream = await watch(host)
    await want(bob, rust)
    await stream.until(`group:${id}`)
    stream.close()
    for (const one of [bob, ada]) await want(one, portal)
    const list = await host.call(api.wishes.list, { id })
    expect(list).toMatchObject([
      { game: { name: 'Portal' }, wanted_by: [bob.steam_id, ada.steam_id].sort(), price: null },
      { game: { appid: rust }, wanted_by: [bob.steam_id] },
    ])
    expect(new Set(list[1]!.owned_by)).toEqual(new Set([host.steam_id, ada.steam_id]))
    const page = await bob.call(api.games.read, { ...bob.user, gameId: rust })
    expect(page.wanted_in).toEqual([id])
    for (const call of [
      ivy.refused(api.wishes.list, { id }),
      ivy.refused(api.wishes.want, { id, gameId: rust }),
    ])
      expect((await call).code).toBe('forbidden')
    const stranger = await app.player()
    expect(await stranger.refusedWith(api.wishes.list, { id })).toBe('group_not_found')
    await unwant(bob, rust)
    expect((await wanted(host)).map(([name]) => name)).toEqual(['Portal'])

    // What one hides, only oneself reads.
    await ada.call(api.privacy.hideGame, { ...ada.user, gameId: portal })
    expect(await wanted(host)).toEqual([['Portal', [bob.steam_id]]])
    expect((await wanted(ada))[0]![1]).toHaveLength(2)
    const { wishes } = await bob.call(api.privacy.exportAll, bob.user)
    expect(JSON.stringify(wishes)).toContain(`${portal}:`)
    // They go with the membership.
    await bob.call(api.groups.leave, { id })
    await bob.call(api.groups.join, { id })
    expect(await wanted(host)).toEqual([])
  })

  test('WISH-1: at most 100, of games that are known here', async () => {
    const { app, bob, id, rust, want } = await cast()
    expect(await bob.refusedWith(api.wishes.want, { id, gameId: 4_000_000 })).toBe('game_not_found')
    const many = Array.from({ length: WISHES_MAX }, (_, nth) => `${5_000_000 + nth}:1`).join(',')
    await app.write((tx) =>
      tx.updateTable('group_members').set({ wishes: many }).where('steam_id', '=', bob.steam_id).execute(),
    )
    expect(await bob.refusedWith(api.wishes.want, { id, gameId: rust })).toBe('too_many_wishes')
    await bob.call(api.wishes.unwant, { id, gameId: 5_000_000 })
    await want(bob, rust)
  })

  test('WISH-1, WISH-3: open a night as marks that can be changed, and end when it was played', async () => {
    const { clock, ada, bob, host, id, portal, rust, want, wanted } = await cast()
    await want(host, portal)
    await want(ada, portal)
    const night = await startInGroup(host, id)
    expect(night.my).toMatchObject({ wishes: [portal], marks: null, has_voted: false })
    await inNight(night, ada).answer('in')
    // Ada changes hers, and Bob has none.
    const changed = await inNight(night, ada).vote([{ appid: rust, mark: 'fine' }])
    expect(changed.my).toMatchObject({ wishes: [], has_voted: true })
    const decided = await inNight(night, host).close()
    expect(decided.pick).toMatchObject({ appid: portal, by: 'votes' })
    expect(decided.scores!.find(({ appid }) => appid === portal)).toMatchObject({ score: 2 })
    // It counts, and is no vote that others read, also after the vote was reopened.
    const hostIn = ({ people }: typeof decided) => people.find(({ steam_id }) => steam_id === host.steam_id)
    expect(hostIn(decided)).toMatchObject({ voted: false, marks: null })
    const reopened = await inNight(night, host).reopen()
    expect(reopened).toMatchObject({ status: 'open', my: { wishes: [portal], has_voted: false } })
    await inNight(night, host).close()
    await inNight(night, ada).answer('out')
    expect((await wanted(bob))[0]![1]).toHaveLength(2)
    clock.now += 13 * 60 * 60_000
    // Ada did not come.
    expect(await wanted(bob)).toEqual([['Portal', [ada.steam_id]]])
    await want(host, portal)
    expect((await wanted(bob))[0]![1]).toHaveLength(2)
  })

  test('WISH-1, NIGHT-154: weigh in a surprise', async () => {
    const { ada, bob, host, id, portal, want } = await cast()
    for (const one of [ada, bob]) await want(one, portal)
    const { pick } = await host.call(api.nights.surprise, { id })
    expect(pick!.odds).toEqual([{ appid: portal, weight: 9 }])
  })

  /** Games of the cast, and Arena, which Ada and Bob have on their wishlists, as Bob has Rust and Solo. */
  async function wishing() {
    const { app, time: clock } = await startAt(Date.parse('2026-11-20T18:00:00Z'), {
      engine,
      oneServer: 'what was looked at is in the memory of a server',
    })
    const arena = { appid: 777_001, name: 'Arena', iconHash: '', kind: 0, categories: [36], price: 999 }
    for (const one of [arena, { ...arena, appid: 777_002, name: 'Alone' }]) app.simulator.addApp(one)
    const ada = await app.player({ name: 'Ada', games: { Rust: 60 } })
    const bob = await app.player({ name: 'Bob', games: { Portal: 5 } })
    const host = await app.player({ name: 'Host', games: { Portal: 9, Rust: 600 }, friends: [ada, bob] })
    const { group_id: id } = await app.group({ owner: host, members: [ada, bob] })
    for (const game of app.simulator.world.apps) game.categories = [36]
    const rust = app.appidOf('Rust')
    const wishlistOf = (one: TestPlayer, appids: number[]) =>
      app.simulator.updatePlayer(one.steam_id, { wishlist: appids.map((appid) => ({ appid, added: 5 })) })
    wishlistOf(ada, [arena.appid])
    wishlistOf(bob, [777_002, rust, arena.appid])
    const letRead = (one: TestPlayer, wishlist = true) =>
      one.call(api.privacy.changeSettings, one.user, { wishlist })
    const settings = (one: TestPlayer) => one.call(api.privacy.settings, one.user)
    /** What was looked at is read, and then its store details. */
    const read = async () => {
      for (const _ of [1, 2, 3]) await app.deps.wishlists.readNext().catch(() => undefined)
      while ((await app.deps.catalogue.readStoreDetails()) > 0);
    }
    const wanted = async (by: TestPlayer) =>
      (await by.call(api.wishes.list, { id })).map(({ game, wanted_by }) => [game.name, wanted_by])
    const asked = () => app.simulator.callsTo('GetWishlist').length
    return { clock, app, ada, bob, host, id, arena, rust, wishlistOf, letRead, settings, read, wanted, asked }
  }

  test('WISH-4, LIVE-2: games of wishlists that two want or have are on the list, for those who may see them', async () => {
    const { app, ada, bob, host, id, arena, rust, letRead, settings, read, wanted, asked } = await wishing()
    await read()
    expect(asked()).toBe(0)
    expect(await letRead(bob)).toMatchObject({ wishlist: true })
    const stream = await watch(host)
    await read()
    await stream.until(`group:${id}`)
    stream.close()
    expect(await settings(bob)).toMatchObject({ wishlist: true, wishlist_state: 'ok', wishlist_games: 3 })
    // Host has Rust; Arena is wanted by one, and Alone as well.
    expect(await wanted(host)).toEqual([['Rust', [bob.steam_id]]])
    await letRead(ada)
    await read()
    const both = [ada.steam_id, bob.steam_id].sort()
    const list = await host.call(api.wishes.list, { id })
    expect(list.map(({ game, wanted_by }) => [game.name, wanted_by.toSorted()])).toEqual([
      ['Arena', both],
      ['Rust', [bob.steam_id]],
    ])
    expect(list[1]!.owned_by.toSorted()).toEqual([ada.steam_id, host.steam_id].sort())
    // A wish by hand is there from the first one on, and counts once.
    await bob.call(api.wishes.want, { id, gameId: arena.appid })
    await bob.call(api.wishes.want, { id, gameId: 777_002 })
    expect((await wanted(host)).map(([name, by]) => [name, by!.length])).toEqual([
      ['Arena', 2],
      ['Alone', 1],
      ['Rust', 1],
    ])
    for (const gameId of [arena.appid, 777_002]) await bob.call(api.wishes.unwant, { id, gameId })

    // Others do not get what one hides, or whose library one may not see.
    await bob.call(api.privacy.hideGame, { ...bob.user, gameId: rust })
    expect((await wanted(host)).map(([name]) => name)).toEqual(['Arena'])
    expect((await wanted(bob)).map(([name]) => name)).toEqual(['Arena', 'Rust'])
    await setVisibility(ada, 'nobody')
    expect(await wanted(host)).toEqual([])
    expect((await wanted(ada)).map(([name]) => name)).toEqual(['Arena'])

    const { wishlist } = await bob.call(api.privacy.exportAll, bob.user)
    expect(JSON.stringify(wishlist)).toContain(String(arena.appid))
    expect(await letRead(bob, false)).toMatchObject({ wishlist: false })
    expect(await settings(bob)).toMatchObject({ wishlist_state: null, wishlist_games: 0 })
    expect(await wanted(bob)).toEqual([])
    await ada.call(api.privacy.deleteAccount, ada.user)
    expect(await app.db.selectFrom('wishlists').selectAll().execute()).toMatchObject([
      { steam_id: bob.steam_id, status: 'off', appids: null },
    ])
  })

  test('WISH-4, VIS-8: a group reads the same whether a game that one hides is on their wishlist or not', async () => {
    const worlds = [await wishing(), await wishing()]
    for (const [nth, { ada, bob, arena, rust, wishlistOf, letRead, read }] of worlds.entries()) {
      await bob.call(api.privacy.hideGame, { ...bob.user, gameId: rust })
      wishlistOf(bob, nth === 0 ? [arena.appid, rust] : [arena.appid])
      for (const one of [ada, bob]) await letRead(one)
      await read()
    }
    const shown = worlds.map(async ({ host, id, ada, bob }) => {
      const names = new Map([ada, bob, host].map(({ steam_id }, nth) => [steam_id, nth]))
      const nthOf = (ids: string[]) => ids.map((one) => names.get(one)).sort()
      const list = await host.call(api.wishes.list, { id })
      return list.map((one) => ({ ...one, wanted_by: nthOf(one.wanted_by), owned_by: nthOf(one.owned_by) }))
    })
    const [hiding, without] = await Promise.all(shown)
    expect(hiding).toEqual(without)
    expect(hiding!.map(({ game }) => game.name)).toEqual(['Arena'])
  })

  test('WISH-4, PLAT-47: bought games and games for one player are no wishes', async () => {
    const { app, bob, host, arena, rust, wishlistOf, letRead, read, wanted } = await wishing()
    app.simulator.addApp({ ...arena, appid: 777_003, name: 'Solo', categories: [2] })
    for (const one of [bob, host]) {
      wishlistOf(one, [777_003, arena.appid, rust])
      await letRead(one)
    }
    await read()
    expect((await wanted(host)).map(([name, by]) => [name, by!.length])).toEqual([
      ['Arena', 2],
      ['Rust', 1],
    ])
  })

  test('WISH-4, PLAT-47: Steam is asked once a day at most, when somebody looks, and no answer but a good one changes what is stored', async () => {
    const { clock, app, bob, host, rust, wishlistOf, letRead, settings, read, wanted, asked } =
      await wishing()
    await letRead(bob)
    await read()
    const look = async () => {
      await wanted(host)
      await read()
    }
    await look()
    await letRead(bob, false)
    await letRead(bob)
    await look()
    expect(asked()).toBe(1)
    expect(await settings(bob)).toMatchObject({ wishlist_state: 'waiting', wishlist_games: 0 })
    const DAY = 24 * 60 * 60_000
    clock.now += DAY
    await read()
    expect(asked()).toBe(2)
    expect(await wanted(host)).toEqual([['Rust', [bob.steam_id]]])

    const faults: FaultRule[] = [
      { kind: 'status', status: 500 },
      { kind: 'html_200' },
      { kind: 'truncated' },
      { kind: 'wrong_shape', shape: 'list_is_object' },
      { kind: 'fields', set: { appid: null } },
    ]
    wishlistOf(bob, [rust])
    for (const fault of faults) {
      clock.now += DAY
      app.simulator.fail({ ...fault, endpoint: 'GetWishlist' })
      await look()
      app.simulator.clearFaults()
      await look()
      expect(await settings(bob)).toMatchObject({ wishlist_state: 'failed', wishlist_games: 3 })
    }
    expect(asked()).toBe(2 + faults.length)
    clock.now += DAY
    app.simulator.updatePlayer(bob.steam_id, { gamesPrivate: true })
    await look()
    expect(await settings(bob)).toMatchObject({ wishlist_state: 'empty', wishlist_games: 3 })
    clock.now += DAY
    app.simulator.updatePlayer(bob.steam_id, { gamesPrivate: false })
    await look()
    expect(await settings(bob)).toMatchObject({ wishlist_state: 'ok', wishlist_games: 1 })
  })
})
