/** What the store says of a game is in every list that can be filtered by it (API-45). */
import { expect, test, describe } from 'vitest'
import { api, engines, startAt, startTestApp } from '../support/app.ts'

const GAME = 777_001
const DEMO = 777_002
const UNKNOWN = 777_003
const details = {
  [GAME]: { kind: 'game', features: ['online_coop', 'remote_play'] },
  [DEMO]: { kind: 'demo', features: ['online_versus'] },
  [UNKNOWN]: { kind: null, features: [] },
}

describe.each(engines)('on %s', (engine) => {
  test('API-45: the kind and the features of a game are in each list, and null and none where the store does not know it', async () => {
    const app = await startTestApp({ engine })
    const games = { [GAME]: 60, [DEMO]: 5, [UNKNOWN]: 1 }
    const cal = await app.player({ games: {} })
    const bob = await app.player({ games })
    const ada = await app.player({ games, friends: [bob, cal] })
    app.simulator.addApp({ appid: GAME, name: 'Game', iconHash: '', kind: 0, categories: [38, 44] })
    app.simulator.addApp({ appid: DEMO, name: 'Demo', iconHash: '', kind: 1, categories: [36] })
    while ((await app.deps.catalogue.readStoreDetails()) > 0);
    const pair = await app.group({ owner: ada, members: [bob] })
    const three = await app.group({ owner: ada, members: [bob, cal] })

    const fields = (list: { appid: number; kind: string | null; features: string[] }[]) =>
      Object.fromEntries(list.map(({ appid, kind, features }) => [appid, { kind, features }]))
    const { games: mine } = await ada.call(api.library.games, ada.user)
    expect(fields(mine)).toEqual(details)
    const compared = { mySteamId: ada.steam_id, friendSteamId: bob.steam_id }
    expect(fields(await ada.call(api.comparison.compare, compared))).toEqual(details)
    expect(fields(await ada.call(api.groups.sharedGames, { id: pair.group_id }))).toEqual(details)
    // Near misses are only games that the store lists for several players.
    const { [UNKNOWN]: _, ...known } = details
    expect(fields(await ada.call(api.groups.nearMisses, { id: three.group_id }))).toEqual(known)
  })

  test('API-45: a kind that changes in the store changes in the lists', async () => {
    const { app, time } = await startAt(Date.UTC(2026, 0, 31), { engine })
    const ada = await app.player({ games: { [GAME]: 60 } })
    app.simulator.addApp({ appid: GAME, name: 'Game', iconHash: '', kind: 12, categories: [2] })
    const kind = async () => (await ada.call(api.library.games, ada.user)).games.map((game) => game.kind)
    await app.deps.catalogue.readStoreDetails()
    expect(await kind()).toEqual(['beta'])
    app.simulator.world.apps.find((one) => one.appid === GAME)!.kind = 0
    time.now += 15 * 24 * 60 * 60_000
    await app.deps.catalogue.readStoreDetails()
    expect(await kind()).toEqual(['game'])
  })
})
