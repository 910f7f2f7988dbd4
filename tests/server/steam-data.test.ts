/** What Steam really sends about players and games, and what people see of it. */
import { describe, expect, test } from 'vitest'
import { expirePresence } from '../../src/server/storage/players/players.ts'
import { api, engines, startAt, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { friendsOf, gamesOf, quick, syncFriends, syncGames } from '../support/sync-calls.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

describe.each(engines)('on %s', (engine) => {
  /** Ada sees Bob online in Portal, which both own. */
  async function bobInPortal() {
    const { app, time } = await startAt(Date.now(), { engine, steamTiming: quick })
    const portal = app.appidOf('Portal')
    const bob = await app.player({ name: 'Bob', games: { Portal: 5 }, playing: portal })
    const ada = await app.player({ games: { Portal: 5 }, friends: [bob] })
    const presence = async () => {
      const [friend] = await friendsOf(ada)
      const page = await ada.call(api.games.read, { ...ada.user, gameId: portal })
      const { personastate, playing, playing_appid } = friend!
      return { personastate, playing, playing_appid, here: page.friends.map((one) => one.playing) }
    }
    expect(await presence()).toEqual({
      personastate: 1,
      playing: 'Portal',
      playing_appid: portal,
      here: [true],
    })
    return { app, time, ada, bob, portal, presence }
  }
  const offline = { personastate: 0, playing: null, playing_appid: null, here: [false] }

  test('PLAT-24: a friend whom Steam no longer returns keeps the name and is offline', async () => {
    const { app, ada, bob, presence } = await bobInPortal()
    app.simulator.removePlayer(bob.steam_id)
    expect((await syncFriends(ada)).status).toBe(200)
    expect(await presence()).toEqual(offline)
    expect((await friendsOf(ada))[0]!.display_name).toBe('Bob')
  })

  test('PLAT-45: presence ends ten minutes after it was read, also while Steam fails', async () => {
    const { app, time, ada, presence } = await bobInPortal()
    app.simulator.fail({ endpoint: 'GetPlayerSummaries', kind: 'status', status: 500 })
    time.now += 10 * MINUTE - 1000
    await ada.call(api.friends.friends, ada.user)
    await expirePresence(app.database, time.now)
    expect(await presence()).toMatchObject({ personastate: 1, playing: 'Portal' })
    time.now += 1000
    await ada.call(api.friends.friends, ada.user)
    await expirePresence(app.database, time.now)
    expect(await presence()).toEqual(offline)
  })

  test('PLAT-27: a game that is played without a name has its name in the catalogue', async () => {
    const { app, ada, bob, presence, portal } = await bobInPortal()
    const nameless = { endpoint: 'GetPlayerSummaries', kind: 'fields', of: bob.steam_id } as const
    app.simulator.fail({ ...nameless, set: { gameextrainfo: null } })
    await syncFriends(ada)
    expect(await presence()).toMatchObject({ playing: 'Portal', playing_appid: portal, here: [true] })
    app.simulator.clearFaults()
    app.simulator.fail({ ...nameless, set: { gameextrainfo: null, gameid: '987654' } })
    await syncFriends(ada)
    expect(await presence()).toMatchObject({ playing: 'App 987654', playing_appid: 987_654, here: [false] })
    app.simulator.clearFaults()
    app.simulator.fail({ ...nameless, set: { gameextrainfo: null, gameid: '10953342168113414144' } })
    await syncFriends(ada)
    expect(await presence()).toMatchObject({ personastate: 1, playing: null, playing_appid: null })
  })

  /** What Ada reads of Bob's games as he syncs them. */
  async function syncedLibraries() {
    const { app, time } = await startAt(Date.UTC(2026, 9, 25), { engine, steamTiming: quick })
    const bob = await app.player({ name: 'Bob', games: { Rust: 60 } })
    const ada = await app.player({ friends: [bob] })
    const own = async (...games: Parameters<TestApp['simulator']['setGames']>[1]) => {
      app.simulator.setGames(bob.steam_id, games)
      time.now += DAY
      expect((await syncGames(bob)).status).toBe(200)
    }
    const game = (name: string, minutes: number, rest: object = {}) => ({
      ...{ appid: app.appidOf(name), minutes, recentMinutes: 0, lastPlayed: 0 },
      ...rest,
    })
    const news = async () =>
      (await ada.call(api.sync.activity, ada.user)).flatMap((entry) =>
        entry.kind === 'friend_played' ? [entry.game_name] : [],
      )
    const minutesByMonth = async (player: TestPlayer) => {
      const { months } = await player.call(api.library.playtimeHistory, player.user)
      return months.map(({ minutes }) => minutes)
    }
    return { bob, own, game, news, minutesByMonth }
  }

  test('PLAT-17, SYNC-22: minutes played offline count once, also when Steam adds them later', async () => {
    const { bob, own, game, news, minutesByMonth } = await syncedLibraries()
    const lastPlayed = Date.UTC(2026, 9, 25, 12) / 1000
    const rust = game('Rust', 60)
    await own(rust, game('Portal', 0))
    await own(rust, game('Portal', 0, { offlineMinutes: 240, lastPlayed: lastPlayed + 86_400 }))
    expect(await gamesOf(bob)).toEqual([
      ['Portal', 240],
      ['Rust', 60],
    ])
    expect([await news(), await minutesByMonth(bob)]).toEqual([['Portal'], [240]])
    await own(rust, game('Portal', 240, { lastPlayed: lastPlayed + 86_400 }))
    expect([await news(), await minutesByMonth(bob)]).toEqual([['Portal'], [240]])
    // Steam may take them away first, and add them to the others later.
    await own(rust, game('Portal', 0, { lastPlayed: lastPlayed + 86_400 }))
    await own(rust, game('Portal', 240, { lastPlayed: lastPlayed + 86_400 }))
    expect([await news(), await minutesByMonth(bob)]).toEqual([['Portal'], [240]])
  })

  test('API-16, API-44: servers, soundtracks, tools and playtests are no games to play together', async () => {
    const app = await startTestApp({ engine })
    const extras = { 'Rust Dedicated Server': 900, 'Rust Soundtrack': 800, 'Rust Playtest': 700, Tool: 600 }
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, nth) => [`Part ${nth} Soundtrack`, 500]))
    const games = { ...extras, ...many, Rust: 60, Portal: 50 }
    const [bob, cy] = [await app.player({ games }), await app.player({ games })]
    const ada = await app.player({ games: { Portal: 1 }, friends: [bob, cy] })
    const { group_id } = await app.group({ owner: ada, members: [bob, cy] })
    for (const name of Object.keys(games)) {
      const appid = app.appidOf(name)
      app.simulator.addApp({ appid, name, iconHash: '', kind: name === 'Tool' ? 13 : 0, categories: [1, 36] })
    }
    await app.deps.catalogue.readStoreDetails()
    const top = await ada.call(api.friends.topGames, ada.user)
    expect(top.map(({ name }) => name)).toEqual(['Rust', 'Portal'])
    const misses = await ada.call(api.groups.nearMisses, { id: group_id })
    expect(misses.map(({ name }) => name)).toEqual(['Rust'])
  })
})
