/** A game's page over HTTP (API-50). */
import { describe, expect, test } from 'vitest'
import { api, engines, setVisibility, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'

const NO_GROUPS = { groups: [], more_groups: false }
const read = (app: TestApp, me: TestPlayer, game: string) =>
  me.call(api.games.read, { ...me.user, gameId: app.appidOf(game) })

describe.each(engines)('on %s', (engine) => {
  test('API-50: has what the store says, my time, friends who own it, most played first, and who is in it now', async () => {
    const app = await startTestApp({ engine })
    const portal = app.appidOf('Portal')
    const rust = app.appidOf('Rust')
    const bob = await app.player({ name: 'Bob', games: { Portal: 5, Rust: 1 }, playing: portal })
    const cal = await app.player({ name: 'Cal', games: { Portal: 300, Rust: 1 }, playing: rust })
    const dan = await app.player({ name: 'Dan', games: { Portal: 0 }, personastate: 0 })
    const eve = await app.player({ name: 'Eve', games: { Rust: 9 } })
    const fay = await app.player({ name: 'Fay', games: { Portal: 9 }, gamesPrivate: true })
    const gus = await app.player({ name: 'Gus', games: { Portal: 9 }, synced: false })
    const ada = await app.player({ friends: [bob, cal, dan, eve, fay, gus] })
    app.simulator.setGames(ada.steam_id, [
      { appid: portal, minutes: 90, recentMinutes: 30, lastPlayed: 1_700_000_000 },
      { appid: rust, minutes: 0, recentMinutes: 0, lastPlayed: 0 },
    ])
    await app.deps.sync.syncGames(ada.steam_id, ada.steam_id)
    const app400 = app.simulator.world.apps.find((one) => one.appid === portal)!
    Object.assign(app400, { categories: [2, 38], kind: 1, free: true })
    while ((await app.deps.catalogue.readStoreDetails()) > 0);

    const page = await read(app, ada, 'Portal')
    const owner = { avatar_url: expect.any(String) as string, personastate: 1, playing: false }
    expect(page).toEqual({
      appid: portal,
      name: 'Portal',
      image_url: expect.any(String) as string,
      icon_url: null,
      modes: ['single', 'coop', 'online'],
      features: ['online_coop'],
      kind: 'demo',
      is_free: true,
      price: null,
      players_max: null,
      players: null,
      known: true,
      mine: {
        playtime_minutes: 90,
        playtime_2weeks_minutes: 30,
        last_played_at: '2023-11-14T22:13:20.000Z',
      },
      elsewhere: null,
      wanted_in: [],
      friends: [
        { ...owner, steam_id: cal.steam_id, display_name: 'Cal', playtime_minutes: 300 },
        { ...owner, steam_id: bob.steam_id, display_name: 'Bob', playtime_minutes: 5, playing: true },
        { ...owner, steam_id: dan.steam_id, display_name: 'Dan', playtime_minutes: 0, personastate: 0 },
      ],
      counted: 4,
      uncounted: 2,
      ...NO_GROUPS,
    })
    expect((await read(app, ada, 'Rust')).mine).toEqual({
      playtime_minutes: 0,
      playtime_2weeks_minutes: 0,
      last_played_at: null,
    })
    expect((await read(app, ada, 'Rust')).friends.map((one) => [one.display_name, one.playing])).toEqual([
      ['Eve', false],
      ['Bob', false],
      ['Cal', true],
    ])

    // A hidden library does not count, and its owner is not shown as playing.
    await setVisibility(bob, 'nobody')
    expect(await read(app, ada, 'Portal')).toMatchObject({
      friends: [{ display_name: 'Cal' }, { display_name: 'Dan' }],
      counted: 3,
      uncounted: 3,
    })
  })

  test('API-50: an unknown game has nothing, and one that I do not own has its owners', async () => {
    const app = await startTestApp({ engine })
    const bob = await app.player({ games: { Portal: 5, 12345: 1 } })
    const ada = await app.player({ games: {}, friends: [bob] })
    const nothing = {
      mine: null,
      elsewhere: null,
      wanted_in: [],
      players_max: null,
      players: null,
      is_free: null,
      price: null,
      kind: null,
      modes: [],
      features: [],
      ...NO_GROUPS,
    }
    expect(await read(app, ada, '999999')).toEqual({
      ...nothing,
      appid: 999_999,
      name: 'App 999999',
      image_url: expect.any(String) as string,
      icon_url: null,
      known: false,
      friends: [],
      counted: 1,
      uncounted: 0,
    })
    expect(await read(app, ada, 'Portal')).toMatchObject({ ...nothing, known: true, name: 'Portal' })
    expect(await read(app, ada, '12345')).toMatchObject({ ...nothing, known: true, name: 'App 12345' })
    for (const id of ['0', '-1', 'portal', '4294967296', '1.5']) {
      const response = await ada.request(`/api/users/${ada.steam_id}/games/${id}`)
      expect([id, response.status]).toEqual([id, 400])
    }
  })

  test('API-50: lists my joined groups whose counted members, at least two, all own it, newest first', async () => {
    const app = await startTestApp({ engine })
    const bob = await app.player({ games: { Portal: 5, Go: 1 } })
    const cal = await app.player({ games: { Rust: 5 } })
    const dan = await app.player({ games: { Portal: 5, Go: 1 }, gamesPrivate: true })
    const ada = await app.player({ games: { Portal: 5, Rust: 1 }, friends: [bob, cal, dan] })
    const pair = await app.group({ owner: ada, members: [bob], name: 'Pair' })
    await app.group({ owner: ada, members: [bob, cal], name: 'One lacks it' })
    await app.group({ owner: ada, members: [dan], name: 'Only mine is counted' })
    await app.group({ owner: ada, name: 'Alone' })
    await app.group({ owner: bob, members: [ada], joined: false, name: 'Not joined' })
    const three = await app.group({ owner: bob, members: [ada], name: 'Three' })
    await ada.call(api.groups.addMembers, { id: three.group_id }, { steam_ids: [dan.steam_id] })
    const picture_url = 'https://example.org/pair.png'
    await ada.call(api.groups.setPicture, { id: pair.group_id }, { picture_url })

    expect(await read(app, ada, 'Portal')).toMatchObject({
      groups: [
        { group_id: three.group_id, name: 'Three', picture_image_url: null, member_count: 3, counted: 2 },
        { group_id: pair.group_id, name: 'Pair', member_count: 2, counted: 2 },
      ],
      more_groups: false,
    })
    const [, withPicture] = (await read(app, ada, 'Portal')).groups
    expect(withPicture?.picture_image_url).toMatch(/^\/media\//)
    // While my library counts, no group has a game that I lack.
    expect(await read(app, bob, 'Rust')).toMatchObject(NO_GROUPS)
    // My own library does not count while it is private, and the groups of the others still do.
    app.simulator.updatePlayer(dan.steam_id, { gamesPrivate: false })
    await app.deps.sync.syncGames(dan.steam_id, dan.steam_id)
    expect(await read(app, ada, 'Go')).toMatchObject(NO_GROUPS)
    await app.makesPrivate(ada)
    expect(await read(app, ada, 'Portal')).toMatchObject({
      mine: { playtime_minutes: 5 },
      groups: [{ name: 'Three', member_count: 3, counted: 2 }],
    })
    expect(await read(app, ada, 'Go')).toMatchObject({ mine: null, groups: [{ name: 'Three' }] })
  })
})
