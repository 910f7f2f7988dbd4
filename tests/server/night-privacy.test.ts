/** What a game night shows about its players (NIGHT-9 to NIGHT-11, VIS-8). */
import { describe, expect, test } from 'vitest'
import { api, engines, setVisibility, startTestApp, type TestPlayer } from '../support/app.ts'
import { friendsWithGames, inNight, readStore } from '../support/nights.ts'

const games = ['Portal', 'Factorio', 'Overcooked', 'Terraria']

/** Everything a night shows that depends on libraries, in the eyes of each of its people. */
async function seenBy(people: readonly TestPlayer[], night: { night_id: number }) {
  const views = await Promise.all(people.map((player) => inNight(night, player).read()))
  return views.map(({ shortlist, near_misses, unknown, pick }) => ({
    shortlist,
    near_misses,
    unknown,
    pick,
  }))
}

describe.each(engines)('a game night (%s)', (engine) => {
  test('NIGHT-9: is the same whether a game is hidden or not owned, also for who hides it', async () => {
    /** Two worlds: in one Ada hides two of her games, in the other she does not have them. */
    const world = async (hides: boolean) => {
      const app = await startTestApp({ engine })
      const appids = games.map((name) => app.appidOf(name))
      const own = (names: readonly string[]) =>
        Object.fromEntries(names.map((name, nth) => [name, 90 - 10 * nth]))
      // Played most, so that it would be first of the list.
      const owned = hides ? { ...own(games), Portal: 9000, Factorio: 8000 } : own(games)
      if (!hides) for (const name of games.slice(0, 2)) delete owned[name]
      const ada = await app.player({ steamId: '76561197960300001', name: 'Ada', games: owned })
      const bob = await app.player({ steamId: '76561197960300002', name: 'Bob', games: own(games) })
      const host = await app.player({
        steamId: '76561197960300003',
        name: 'Host',
        games: own(games),
        friends: [ada, bob],
      })
      await readStore(app)
      if (hides)
        for (const gameId of appids.slice(0, 2)) await ada.call(api.privacy.hideGame, { ...ada.user, gameId })
      const night = await host.call(api.nights.start, {}, { steam_ids: [ada.steam_id, bob.steam_id] })
      const people = [host, ada, bob]
      for (const one of people) await inNight(night, one).answer('in')
      const open = await seenBy(people, night)
      await inNight(night, ada).vote([{ appid: appids[0]!, mark: 'want' }])
      await inNight(night, host).decide(appids[2]!)
      const closed = (await seenBy(people, night)).map(({ pick, ...view }) => ({
        ...view,
        pick: pick && { ...pick, at: undefined },
      }))
      return { open, closed, portal: appids[0]! }
    }
    const [hidden, missing] = [await world(true), await world(false)]
    expect(hidden).toEqual(missing)
    expect(hidden.open[0]!.near_misses.map((game) => game.appid)).toContain(hidden.portal)
    expect(hidden.open[0]!.shortlist).toHaveLength(2)
    expect(hidden.open[0]).toEqual(hidden.open[1])
    expect(hidden.open[0]).toEqual(hidden.open[2])
  })

  test('NIGHT-9: counts who is in: not a library shown to nobody, to groups only outside one, private or never read', async () => {
    const app = await startTestApp({ engine })
    const { host, others, ada, ben: bob, eve: cleo, groupId, appids } = await friendsWithGames(app, 4, games)
    const never = await app.player({ synced: false, friends: [host], games: { Portal: 1 } })
    await app.deps.sync.syncFriends(host.steam_id)
    await setVisibility(ada, 'nobody')
    await setVisibility(bob, 'groups')
    await app.makesPrivate(cleo)
    const start = async (body: { group_id: number } | { steam_ids: string[] }, people: TestPlayer[]) => {
      const night = await host.call(api.nights.start, {}, body)
      for (const one of people) await inNight(night, one).answer('in')
      return inNight(night, host).read()
    }
    const inGroup = await start({ group_id: groupId }, others)
    expect(new Set(inGroup.unknown)).toEqual(new Set([ada.steam_id, cleo.steam_id]))
    expect(inGroup.shortlist.map((game) => game.appid)).toEqual(appids)
    expect(inGroup.shortlist[0]!.facts).toMatchObject({ people: 4, known: 2, owners: 2 })
    const statuses = Object.fromEntries(inGroup.people.map((one) => [one.steam_id, one.library_status]))
    expect(statuses).toMatchObject({
      [ada.steam_id]: 'hidden',
      [bob.steam_id]: 'ok',
      [cleo.steam_id]: 'private',
    })
    const ids = [...others, never].map((one) => one.steam_id)
    const chosen = await start({ steam_ids: ids }, [...others, never])
    expect(new Set(chosen.unknown)).toEqual(new Set(ids))
    expect(chosen.people.find((one) => one.steam_id === never.steam_id)!.library_status).toBe('never')
    expect(chosen.shortlist.map((game) => game.appid)).toEqual(appids)
  })

  test('NIGHT-10: says of players who are not connected with the viewer only whether their libraries count', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player({ name: 'Ada', games: { Portal: 1 } })
    const bob = await app.player({ name: 'Bob', games: { Portal: 1 } })
    const host = await app.player({ friends: [ada, bob], games: { Portal: 1 } })
    app.simulator.updatePlayer(ada.steam_id, { personastate: 1, playing: app.appidOf('Portal') })
    await app.deps.sync.syncFriends(host.steam_id)
    await host.request(`/api/users/${host.steam_id}/friends`)
    const night = await host.call(api.nights.start, {}, { steam_ids: [ada.steam_id, bob.steam_id] })
    const adaFor = async (viewer: TestPlayer) => {
      const { people } = await inNight(night, viewer).read()
      return people.find((one) => one.steam_id === ada.steam_id)
    }
    const nothing = { personastate: 0, playing: null, playing_appid: null, library_status: 'hidden' }
    expect(await adaFor(bob)).toMatchObject({ display_name: 'Ada', ...nothing })
    expect(await adaFor(host)).toMatchObject({ personastate: 1, playing: 'Portal', library_status: 'ok' })
    await inNight(night, ada).answer('in')
    // Online in the night, where she has just answered.
    expect(await adaFor(bob)).toMatchObject({ ...nothing, personastate: 1, library_status: 'ok' })
    await inNight(night, host).cancel()
    expect(await adaFor(bob)).toMatchObject(nothing)
  })
})
