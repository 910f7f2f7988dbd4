/** The catalogue with the real Steam client against the simulator, on both engines. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeOnEachEngine } from '../../../tests/support/databases.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import type { App } from '../../simulator/world.ts'
import { createSteamClient } from '../steam/client.ts'
import type { SteamGame } from '../steam/port.ts'
import type { Database } from '../database/database.ts'
import { saveAppNames } from '../storage/players/apps.ts'
import { createCallBudget } from '../sync/budget.ts'
import { createPolls } from '../cache/tag-cache.ts'
import { type Catalogue, createCatalogue, featuresOf, kindOf, modesOf } from './catalogue.ts'
import { gameKind } from '#shared/entities.ts'

const START = Date.UTC(2026, 0, 31)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const silent = { debug: () => {}, warn: () => {} }

const portal: App = { appid: 400, name: 'Portal', iconHash: 'cf', kind: 0, categories: [2] }
const together: App = { appid: 620, name: 'Portal 2', iconHash: 'd0', kind: 0, categories: [2, 9, 38] }

/** A catalogue on a database, with a simulator of its own and a clock that tests set. */
async function catalogueOn(database: Database, apps: App[], options: { demoPagesUrl?: string } = {}) {
  const simulator = await startSimulator({
    world: { players: [], apps: structuredClone(apps) },
    apiKey: 'key',
  })
  onTestFinished(() => simulator.close())
  const time = { now: START }
  const clock = () => time.now
  const budget = createCallBudget({ database, clock, log: silent, limits: { perSecond: 1000 } })
  const steam = createSteamClient({ apiUrl: simulator.apiUrl, apiKey: 'key', budget, log: silent })
  const another = () => {
    const polls = createPolls(database)
    const catalogue = createCatalogue({ database, polls, bytes: 2 ** 20, steam, clock, ...options })
    /** As a request gets them, which polls before it reads. */
    const details = async (appid: number) => {
      await polls.refresh()
      return (await catalogue.games([appid]))[0]!.details
    }
    return { ...catalogue, polls, details }
  }
  return { simulator, time, catalogue: another(), another }
}

/** A game as it comes with a library. */
function game(appid: number, name: string | null, iconHash: string | null = null): SteamGame {
  return { appid, name, iconHash, minutes: 1, recentMinutes: 0, lastPlayed: 0 }
}

async function addGames(
  database: Database,
  catalogue: Catalogue,
  games: SteamGame[],
  { isOwned = false } = {},
) {
  const names = await catalogue.findNewNames(games)
  await database.transaction((tx) => saveAppNames(tx, names, isOwned))
}

describeOnEachEngine('catalogue', (fresh) => {
  test('a query that returns late does not replace what was read after it', async () => {
    const database = await fresh()
    const { catalogue: writer } = await catalogueOn(database, [])
    await addGames(database, writer, [game(400, 'Before')])
    let release!: () => void
    const held = [new Promise<void>((resolve) => (release = resolve))]
    const queries = database.queries.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        await held.pop()
        return result
      },
    })
    const { catalogue } = await catalogueOn({ ...database, queries }, [])
    await catalogue.polls.refresh()
    const earlier = catalogue.games([400])
    await addGames(database, writer, [game(400, 'After')])
    expect((await catalogue.details(400)).name).toBe('After')
    release()
    await earlier
    expect((await catalogue.details(400)).name).toBe('After')
  })

  test('PLAT-33: names and icons come from libraries, and an app without a name gets one', async () => {
    const database = await fresh()
    const { catalogue, another } = await catalogueOn(database, [])
    await addGames(database, catalogue, [game(400, 'Portal', 'cf'), game(12345, null)])
    const restarted = another()
    for (const one of [catalogue, restarted]) {
      expect(await one.details(400)).toEqual({
        appid: 400,
        name: 'Portal',
        image_url: 'https://cdn.akamai.steamstatic.com/steam/apps/400/header.jpg',
        icon_url: 'https://media.steampowered.com/steamcommunity/public/images/apps/400/cf.jpg',
        modes: [],
        features: [],
        kind: null,
        is_free: null,
        players_max: null,
      })
      expect(await one.details(12345)).toMatchObject({ name: 'App 12345', icon_url: null })
      expect((await one.details(99)).name).toBe('App 99')
      const rows = (await one.games([400, 12345, 99])).map(({ row }) => row?.name)
      expect(rows).toEqual(['Portal', null, undefined])
    }
  })

  test('changes by another server are seen after the next poll, new games at once', async () => {
    const database = await fresh()
    const { catalogue, another } = await catalogueOn(database, [])
    await addGames(database, catalogue, [game(400, 'Portal')])
    await catalogue.details(400)
    const elsewhere = another()
    await addGames(database, elsewhere, [game(400, 'Portal: Remastered'), game(620, 'Portal 2')])
    const names = async () => (await catalogue.games([400, 620])).map(({ details }) => details.name)
    expect(await names()).toEqual(['Portal', 'Portal 2'])
    await catalogue.polls.refresh()
    expect(await names()).toEqual(['Portal: Remastered', 'Portal 2'])
  })

  describe('store details', () => {
    test('PLAT-31, PLAT-33: pictures and player categories are read, and read again after two weeks', async () => {
      const database = await fresh()
      const { simulator, time, catalogue, another } = await catalogueOn(database, [portal, together])
      await addGames(database, catalogue, [game(400, 'Portal'), game(620, 'Portal 2')])
      expect(await catalogue.readStoreDetails()).toBe(2)
      const restarted = another()
      for (const one of [catalogue, restarted]) {
        expect(await one.details(620)).toMatchObject({
          appid: 620,
          name: 'Portal 2',
          image_url: expect.stringMatching(
            /^https:\/\/shared\.akamai\.steamstatic\.com\/store_item_assets\/steam\/apps\/620\//,
          ) as string,
          modes: ['single', 'coop', 'online'],
        })
        expect((await one.details(400)).modes).toEqual(['single'])
      }
      expect(simulator.callsTo('GetItems')).toHaveLength(1)

      time.now += 14 * DAY - 1
      expect(await another().readStoreDetails()).toBe(0)
      expect(simulator.callsTo('GetItems')).toHaveLength(1)
      simulator.world.apps.find((app) => app.appid === 400)!.categories = [1]
      time.now += 1
      expect(await catalogue.readStoreDetails()).toBe(2)
      expect((await catalogue.details(400)).modes).toEqual(['multi'])

      // A response without categories leaves the stored ones unchanged.
      simulator.world.apps.find((app) => app.appid === 400)!.categories = []
      time.now += 14 * DAY
      expect(await catalogue.readStoreDetails()).toBe(2)
      expect((await catalogue.details(400)).modes).toEqual(['multi'])
    })

    test('PLAT-31: games of players who have signed in are read before those of their friends', async () => {
      const database = await fresh()
      const { simulator, catalogue } = await catalogueOn(database, [portal, together])
      const ofFriends = Array.from({ length: 150 }, (_, nth) => game(nth + 1, `G ${nth}`))
      await addGames(database, catalogue, ofFriends)
      await addGames(database, catalogue, [game(400, 'Portal'), game(620, 'Portal 2')], { isOwned: true })
      expect(await catalogue.readStoreDetails()).toBe(100)
      // Those that the store does not know are asked about in another country too.
      expect(simulator.callsTo('GetItems')).toHaveLength(2)
      expect((await catalogue.details(620)).modes).toEqual(['single', 'coop', 'online'])
    })

    test('PLAT-31: a game that the store does not know works without it and is read again after a day', async () => {
      const database = await fresh()
      const { simulator, time, catalogue } = await catalogueOn(database, [portal])
      await addGames(database, catalogue, [game(400, 'Portal'), game(777, 'Delisted')])
      expect(await catalogue.readStoreDetails()).toBe(2)
      expect(await catalogue.details(777)).toMatchObject({
        name: 'Delisted',
        image_url: 'https://cdn.akamai.steamstatic.com/steam/apps/777/header.jpg',
        modes: [],
      })
      time.now += DAY - 1
      expect(await catalogue.readStoreDetails()).toBe(0)
      time.now += 1
      simulator.addApp({ ...together, appid: 777 })
      expect(await catalogue.readStoreDetails()).toBe(1)
      expect((await catalogue.details(777)).modes).toEqual(['single', 'coop', 'online'])
      // The name from the library stays.
      expect((await catalogue.details(777)).name).toBe('Delisted')
    })

    test('PLAT-29: a game that the store does not show in the US is asked about once in another country, and has its name', async () => {
      const database = await fresh()
      const { simulator, time, catalogue } = await catalogueOn(database, [
        { ...together, appid: 801, name: 'Shown There', onlyIn: ['DE'] },
        { ...together, appid: 802, name: 'Shown Nowhere', onlyIn: [] },
      ])
      await addGames(database, catalogue, [game(801, null), game(802, null)])
      await catalogue.readStoreDetails()
      expect(simulator.callsTo('GetItems')).toHaveLength(2)
      expect(await catalogue.details(801)).toMatchObject({
        name: 'Shown There',
        kind: 'game',
        is_free: false,
      })
      expect(await catalogue.details(802)).toMatchObject({ name: 'Shown Nowhere', kind: null, is_free: null })
      time.now += 13 * DAY
      simulator.clearCalls()
      expect(await catalogue.readStoreDetails()).toBe(1)
    })

    test.each([
      ['a failure', { kind: 'status', status: 500 } as const, 'unavailable'],
      ['HTML', { kind: 'html_200' } as const, 'unavailable'],
      ['truncated JSON', { kind: 'truncated' } as const, 'unavailable'],
      ['a connection that is cut off', { kind: 'cut_off' } as const, 'unavailable'],
      ['a wrong shape', { kind: 'wrong_shape', shape: 'list_is_object' } as const, 'unavailable'],
      ['a missing list', { kind: 'wrong_shape', shape: 'list_missing' } as const, 'unavailable'],
      ['a 403', { kind: 'status', status: 403 } as const, 'forbidden'],
    ])('after %s details stay, and no server asks again for a day', async (_name, rule, failure) => {
      const database = await fresh()
      const { simulator, time, catalogue } = await catalogueOn(database, [together])
      await addGames(database, catalogue, [game(620, 'Portal 2')])
      await catalogue.readStoreDetails()
      const before = await catalogue.details(620)
      time.now += 15 * DAY
      simulator.clearCalls()
      simulator.fail({ endpoint: 'GetItems', ...rule })
      await expect(catalogue.readStoreDetails()).rejects.toMatchObject({ failure })
      expect(simulator.calls).toHaveLength(1)
      expect(await catalogue.details(620)).toEqual(before)

      time.now += DAY - 1
      expect(await catalogue.readStoreDetails()).toBe(0)
      simulator.clearFaults()
      time.now += 1
      expect(await catalogue.readStoreDetails()).toBe(1)
    })

    test('games claimed by a server that was killed are taken over after five minutes', async () => {
      const database = await fresh()
      const { time, catalogue, another, simulator } = await catalogueOn(database, [together])
      await database.transaction((tx) =>
        saveAppNames(tx, [{ appid: 620, name: 'Portal 2', icon_hash: null }], false),
      )
      simulator.fail({ endpoint: 'GetItems', kind: 'slow', ms: 60_000, times: 1 })
      // This request does not finish within the test.
      const killed = another().readStoreDetails()
      killed.catch(() => {})
      await expect.poll(() => simulator.callsTo('GetItems').length).toBe(1)
      expect(await catalogue.readStoreDetails()).toBe(0)
      time.now += 5 * MINUTE
      expect(await catalogue.readStoreDetails()).toBe(1)
      await simulator.close()
      await expect(killed).rejects.toMatchObject({ failure: 'unavailable' })
    })
  })
})

test('PLAT-32: player categories map to ways to play', () => {
  expect(modesOf('2')).toEqual(['single'])
  expect(modesOf('1,49,2')).toEqual(['single', 'multi'])
  expect(modesOf('38,36')).toEqual(['multi', 'coop', 'online'])
  expect(modesOf('48,47,24')).toEqual(['multi', 'coop', 'local'])
  expect(modesOf('20')).toEqual(['online', 'mmo'])
  expect(modesOf('44')).toEqual(['local'])
  expect([modesOf(null), modesOf(''), modesOf('22,9999')]).toEqual([[], [], []])
})

test('API-45: demos, tools and software are told apart from games, and an unknown type is not a game', () => {
  const ofType = (type: number | null) => kindOf(type, 'Any Game')
  expect([0, 1, 13, 6].map(ofType)).toEqual(['game', 'demo', 'tool', 'software'])
  expect([null, 15, 4_294_967_295].map(ofType)).toEqual([null, null, null])
  const all = Array.from({ length: 15 }, (_, type) => ofType(type))
  expect(new Set(all)).toEqual(new Set(gameKind.options))
})

test('API-45: servers, soundtracks, SDKs and playtests are known by the ends of their names too', () => {
  const ofName = (name: string) => [kindOf(0, name), kindOf(null, name)]
  expect(ofName('Rust Dedicated Server')).toEqual(['tool', 'tool'])
  expect(ofName('Source SDK')).toEqual(['tool', 'tool'])
  expect(ofName('Portal 2 Soundtrack™')).toEqual(['other', 'other'])
  expect(ofName('Deep Rock Playtest')).toEqual(['beta', 'beta'])
  expect(ofName('Ghost')).toEqual(['game', null])
  expect(ofName('Soundtrack Manager')).toEqual(['game', null])
  expect(kindOf(4, 'Portal 2 Soundtrack')).toBe('dlc')
})

test('API-45: its badges say how it is played with others', () => {
  expect(featuresOf('27,38,36,39,44,2')).toEqual([
    'online_coop',
    'online_versus',
    'same_screen',
    'remote_play',
    'cross_platform',
  ])
  expect(featuresOf('24,37')).toEqual(['same_screen'])
  expect(featuresOf('1,2,9,47')).toEqual([])
  expect(featuresOf(null)).toEqual([])
})
