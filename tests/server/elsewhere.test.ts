/** Games that users own outside Steam, in groups and nights (NIGHT-134, LIM-50). */
import { describe, expect, test } from 'vitest'
import type { ElsewherePlace } from '#shared/entities.ts'
import { ELSEWHERE_MAX } from '#shared/limits.ts'
import { api, engines, setVisibility, startTestApp, type TestPlayer } from '../support/app.ts'
import { watch } from '../support/events.ts'
import { friendsWithGames, inNight, readStore, startInGroup } from '../support/nights.ts'

const of = ({ user }: TestPlayer, gameId: number) => ({ ...user, gameId })
const own = (player: TestPlayer, gameId: number, where: ElsewherePlace = 'epic') =>
  player.call(api.privacy.ownElsewhere, of(player, gameId), { where })
const takeBack = (player: TestPlayer, gameId: number) =>
  player.call(api.privacy.notElsewhere, of(player, gameId))

describe.each(engines)('games owned elsewhere (%s)', (engine) => {
  /** Ada and Bob own Rust, which Misty lacks; all three own Portal. */
  async function group() {
    const app = await startTestApp({ engine })
    const games = { Portal: 60, Rust: 30 }
    const ada = await app.player({ name: 'Ada', games })
    const misty = await app.player({ name: 'Misty', games: { Portal: 5 } })
    const bob = await app.player({ name: 'Bob', games, friends: [ada, misty] })
    await readStore(app)
    const { group_id: id } = await app.group({ owner: bob, members: [ada, misty] })
    const rust = app.appidOf('Rust')
    const missesOf = (player: TestPlayer) => player.call(api.groups.nearMisses, { id })
    const sharedBy = (player: TestPlayer) => player.call(api.groups.sharedGames, { id })
    return { app, ada, bob, misty, id, rust, missesOf, sharedBy }
  }

  test('NIGHT-134, LIVE-2: count in a group as owned, said to be elsewhere and where, and nowhere else', async () => {
    const { ada, bob, misty, id, rust, missesOf, sharedBy } = await group()
    expect(await missesOf(ada)).toMatchObject([{ appid: rust, lacking: [misty.steam_id], elsewhere: [] }])
    const before = await sharedBy(ada)
    expect(before.map(({ name }) => name)).toEqual(['Portal'])
    const stream = await watch(ada)
    await own(misty, rust, 'gog')
    await stream.until(`group:${id}`)
    stream.close()
    expect(await missesOf(ada)).toEqual([])
    expect((await sharedBy(ada)).find(({ appid }) => appid === rust)).toMatchObject({
      elsewhere: [misty.steam_id],
      elsewhere_places: { [misty.steam_id]: 'gog' },
      playtimes: { [ada.steam_id]: 30, [bob.steam_id]: 30, [misty.steam_id]: 0 },
    })
    const page = await misty.call(api.games.read, of(misty, rust))
    expect(page).toMatchObject({ mine: null, elsewhere: 'gog', groups: [{ group_id: id }] })
    // The library on Steam does not change.
    const { games } = await misty.call(api.library.games, misty.user)
    expect(games.map(({ name }) => name)).toEqual(['Portal'])

    await own(misty, rust, 'family')
    const ofRust = (await sharedBy(bob)).find(({ appid }) => appid === rust)
    expect(ofRust!.elsewhere_places).toEqual({ [misty.steam_id]: 'family' })
    const { person } = await misty.call(api.privacy.exportAll, misty.user)
    expect(person).toMatchObject({ elsewhere: { [rust]: 'family' } })
    await takeBack(misty, rust)
    expect(await sharedBy(ada)).toEqual(before)
    expect(await missesOf(ada)).toMatchObject([{ appid: rust, lacking: [misty.steam_id], elsewhere: [] }])
  })

  test('NIGHT-134, VIS-1, VIS-8: are hidden with the library, and one by one', async () => {
    const { ada, misty, rust, missesOf, sharedBy } = await group()
    await own(misty, rust)
    await misty.call(api.privacy.hideGame, of(misty, rust))
    expect(await missesOf(ada)).toMatchObject([{ lacking: [misty.steam_id], elsewhere: [] }])
    expect(await sharedBy(misty)).toMatchObject([{}, { appid: rust, elsewhere: [misty.steam_id] }])
    await misty.call(api.privacy.unhideGame, of(misty, rust))
    await setVisibility(misty, 'nobody')
    expect((await sharedBy(ada)).every(({ elsewhere }) => elsewhere.length === 0)).toBe(true)
    expect(await sharedBy(misty)).toMatchObject([{}, { elsewhere: [misty.steam_id] }])
  })

  test('LIM-50: at most 500 games that are known here, and a place that is known', async () => {
    const { app, misty, rust } = await group()
    const refused = (gameId: number, where: string) =>
      misty.refused(api.privacy.ownElsewhere, of(misty, gameId), { where: where as 'epic' })
    expect((await refused(4_000_000, 'epic')).code).toBe('game_not_found')
    expect((await refused(rust, 'attic')).code).toBe('invalid_input')
    const many = Array.from({ length: ELSEWHERE_MAX }, (_, nth) => `${5_000_000 + nth}:gog`).join(',')
    await app.write((tx) =>
      tx.updateTable('people').set({ elsewhere: many }).where('steam_id', '=', misty.steam_id).execute(),
    )
    expect((await refused(rust, 'epic')).code).toBe('too_many_elsewhere')
    await takeBack(misty, 5_000_000)
    await own(misty, rust)
  })

  /** Host, Ada and Misty are in; Misty lacks Rust, or her games are private. */
  async function night({ isPrivate }: { isPrivate: boolean }) {
    const app = await startTestApp({ engine })
    const { host, ada, ben: misty, groupId, appids } = await friendsWithGames(app, 3, ['Portal', 'Rust'])
    const [portal, rust] = appids as [number, number]
    await app.owns(misty, { Portal: 1 })
    if (isPrivate) await app.makesPrivate(misty)
    const started = await startInGroup(host, groupId)
    for (const one of [ada, misty]) await inNight(started, one).answer('in')
    const read = (by: TestPlayer) => inNight(started, by).read()
    return { app, host, ada, misty, night: started, portal, rust, read }
  }

  test('NIGHT-134: put a game on the list of a night, and count at its pick', async () => {
    const { app, host, ada, misty, night: started, portal, rust, read } = await night({ isPrivate: false })
    expect((await read(ada)).shortlist.map(({ appid }) => appid)).toEqual([portal])
    const stream = await watch(host)
    await own(misty, rust)
    await stream.until(`night:${started.night_id}`)
    stream.close()
    const entry = (await read(ada)).shortlist.find(({ appid }) => appid === rust)
    expect(entry).toMatchObject({
      lacking: [],
      elsewhere: [misty.steam_id],
      elsewhere_places: { [misty.steam_id]: 'epic' },
      facts: { people: 3, known: 3, owners: 3 },
    })
    for (const one of [host, ada, misty]) await inNight(started, one).vote([{ appid: rust, mark: 'want' }])
    expect((await read(ada)).pick).toMatchObject({ appid: rust, lacking: [], elsewhere: [misty.steam_id] })
    // Who came by its link and is not in reads nothing of it.
    const outside = await app.player()
    expect(await outside.refusedWith(api.nights.read, { id: started.night_id })).toBe('night_not_found')
  })

  test('NIGHT-134, VIS-1: of private libraries too, but not of those that nobody may see', async () => {
    const { ada, misty, night: started, portal, rust, read } = await night({ isPrivate: true })
    expect((await read(ada)).shortlist.map(({ facts }) => facts.known)).toEqual([2, 2])
    await own(misty, rust)
    const listed = (await read(ada)).shortlist
    // What all are known to have comes first.
    expect(listed.map(({ appid }) => appid)).toEqual([rust, portal])
    expect(listed[0]).toMatchObject({ elsewhere: [misty.steam_id], facts: { known: 3, owners: 3 } })
    await inNight(started, misty).answer('maybe')
    expect((await read(ada)).shortlist.every(({ elsewhere }) => elsewhere.length === 0)).toBe(true)
    await inNight(started, misty).answer('in')
    await setVisibility(misty, 'nobody')
    expect((await read(ada)).shortlist.every(({ elsewhere }) => elsewhere.length === 0)).toBe(true)
  })
})
