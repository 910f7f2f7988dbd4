/** Groups over HTTP: API-19 to API-30, PERM-8 to PERM-10, LIM-4 and LIM-10. */
import { describe, expect, test } from 'vitest'
import { api, engines, setVisibility, startTestApp, type TestPlayer } from '../support/app.ts'

const ids = (people: { steam_id: string }[]) => people.map((person) => person.steam_id)

describe.each(engines)('on %s', (engine) => {
  async function threeFriends() {
    const app = await startTestApp({ engine })
    const bob = await app.player({ name: 'Bob', games: { Portal: 30, Rust: 5 } })
    const cal = await app.player({ name: 'Cal', games: { Portal: 0, Dota: 9 } })
    const ada = await app.player({ name: 'Ada', games: { Portal: 60, Dota: 5 }, friends: [bob, cal] })
    return { app, ada, bob, cal }
  }

  test('API-19 to API-23, ENT-7, ENT-9: the creator owns a new group and is its first member; the list shows it newest first', async () => {
    const { ada } = await threeFriends()
    const first = await ada.call(api.groups.create, {}, { name: '  Friday  ', owner_steam_id: ada.steam_id })
    const second = await ada.call(api.groups.create, {}, { name: 'Sunday', owner_steam_id: ada.steam_id })

    expect(first.name).toBe('Friday')
    expect(second.group_id).toBeGreaterThan(first.group_id)
    const { groups } = await ada.call(api.groups.list, ada.user)
    expect(groups).toMatchObject([
      {
        group_id: second.group_id,
        name: 'Sunday',
        member_count: 1,
        owner_id: ada.steam_id,
        owner_steam_id: ada.steam_id,
      },
      { group_id: first.group_id, name: 'Friday', picture_url: null },
    ])
    // The fields of the contract, not parsed by it (ENT-9).
    const members = await ada.request(`/api/groups/${first.group_id}/members`)
    expect(await members.json()).toMatchObject([
      {
        user_id: ada.steam_id,
        steam_id: ada.steam_id,
        display_name: 'Ada',
        avatar_url: expect.stringMatching(/^https?:/) as string,
      },
    ])
  })

  test.each([
    ['blank', { name: '   ' }],
    ['missing', {}],
    ['null', { name: null }],
  ])('ERR-1, LIM-4: a %s name is refused with "Group name required."', async (_kind, body) => {
    const app = await startTestApp({ engine })
    const ada = await app.player()
    const response = await ada.request('/api/groups', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, owner_steam_id: ada.steam_id }),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: 'Group name required.',
      code: 'group_name_required',
      field: 'name',
    })
  })

  test('LIM-4: a name may have at most 100 characters', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player()
    await ada.call(api.groups.create, {}, { name: 'x'.repeat(100), owner_steam_id: ada.steam_id })
    const refusal = await ada.refused(
      api.groups.create,
      {},
      { name: 'x'.repeat(101), owner_steam_id: ada.steam_id },
    )
    expect(refusal).toMatchObject({ status: 400, field: 'name' })
    const hidden = await ada.refused(
      api.groups.create,
      {},
      { name: 'a\u0000b', owner_steam_id: ada.steam_id },
    )
    expect(hidden).toMatchObject({ status: 400, field: 'name' })
  })

  test('ERR-10, PERM-9: with one stranger the whole call fails and nobody is added', async () => {
    const { app, ada, bob } = await threeFriends()
    const stranger = await app.player()
    const { group_id: id } = await app.group({ owner: ada })
    const refusal = await ada.refused(
      api.groups.addMembers,
      { id },
      { steam_ids: [bob.steam_id, stranger.steam_id] },
    )
    expect(refusal).toMatchObject({ status: 403, code: 'not_connected' })
    expect(ids(await ada.call(api.groups.members, { id }))).toEqual([ada.steam_id])
  })

  test('API-24: a member may add their own friends, even if the owner is not connected with them', async () => {
    const { app, ada, bob } = await threeFriends()
    const dan = await app.player()
    app.simulator.befriend(bob.steam_id, dan.steam_id)
    await app.deps.sync.syncFriends(bob.steam_id)
    const { group_id: id } = await app.group({ owner: ada, members: [bob] })
    const members = await bob.call(api.groups.addMembers, { id }, { steam_ids: [dan.steam_id, dan.steam_id] })
    expect(ids(members)).toEqual([ada.steam_id, bob.steam_id, dan.steam_id])
  })

  test('LIM-10: a group has at most 100 members', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player()
    const friends = await app.strangersConnectedWith(ada, 100)
    const { group_id: id } = await app.group({ owner: ada })
    await ada.call(api.groups.addMembers, { id }, { steam_ids: friends.slice(0, 99) })
    expect(await ada.refusedWith(api.groups.addMembers, { id }, { steam_ids: friends.slice(99) })).toBe(
      'group_full',
    )
    expect(await ada.call(api.groups.members, { id })).toHaveLength(100)
  })

  test('API-24, GPAGE-8, PERM-10: the owner can remove everyone else, a member only themselves', async () => {
    const { app, ada, bob, cal } = await threeFriends()
    const { group_id: id } = await app.group({ owner: ada, members: [bob, cal] })
    const remove = (player: TestPlayer, target: TestPlayer) =>
      player
        .attempt(api.groups.removeMember, { id, steamId: target.steam_id })
        .then((response) => response.status)

    expect(await remove(bob, cal)).toBe(403)
    expect(await remove(ada, ada)).toBe(409)
    expect(await remove(bob, ada)).toBe(409)
    expect(await ada.call(api.groups.removeMember, { id, steamId: cal.steam_id })).toEqual({
      removed: cal.steam_id,
    })
    expect(await remove(ada, cal)).toBe(404)
    expect(await remove(bob, bob)).toBe(200)
    expect(await remove(bob, bob)).toBe(404)
    // The owner may add a removed member again.
    await ada.call(api.groups.addMembers, { id }, { steam_ids: [cal.steam_id] })
    expect(await remove(ada, cal)).toBe(200)
    expect(ids(await ada.call(api.groups.members, { id }))).toEqual([ada.steam_id])
  })

  test('ERR-9, PERM-8: strangers get the same response for a group as for one that never existed', async () => {
    const { app, ada } = await threeFriends()
    const stranger = await app.player()
    const { group_id: id } = await app.group({ owner: ada })
    for (const path of ['', '/members', '/shared_games']) {
      const hidden = await stranger.request(`/api/groups/${id}${path}`)
      const absent = await stranger.request(`/api/groups/${id + 1000}${path}`)
      expect([hidden.status, await hidden.text()]).toEqual([404, await absent.text()])
    }
  })

  test('API-27, ENT-11: shared games are the games every known member owns, largest total first, with each one’s minutes', async () => {
    const { app, ada, bob, cal } = await threeFriends()
    const dan = await app.player({ name: 'Dan', games: { Rust: 1 }, gamesPrivate: true, friends: [ada] })
    const eve = await app.player({ name: 'Eve', synced: false })
    app.simulator.befriend(ada.steam_id, eve.steam_id)
    await app.deps.sync.syncFriends(ada.steam_id)
    const { group_id: id } = await app.group({ owner: ada, members: [bob, cal, dan, eve] })

    const games = await ada.call(api.groups.sharedGames, { id })

    expect(games).toMatchObject([
      {
        appid: app.appidOf('Portal'),
        name: 'Portal',
        total_playtime: 90,
        playtimes: { [ada.steam_id]: 60, [bob.steam_id]: 30, [cal.steam_id]: 0 },
      },
    ])
    expect(Object.keys(games[0]!.playtimes)).toHaveLength(3)
    const members = await ada.call(api.groups.members, { id })
    expect(members.map((member) => [member.display_name, member.library_status])).toEqual([
      ['Ada', 'ok'],
      ['Bob', 'ok'],
      ['Cal', 'ok'],
      ['Dan', 'private'],
      ['Eve', 'never'],
    ])
  })

  test('API-44: near misses are games for several that one or two members lack, with who owns them and who does not; of two only free ones', async () => {
    const { app, ada, bob, cal } = await threeFriends()
    const dan = await app.player({ name: 'Dan', games: {}, friends: [ada] })
    const eve = await app.player({ name: 'Eve', gamesPrivate: true, friends: [ada] })
    const { group_id: id } = await app.group({ owner: ada, members: [bob, cal, dan, eve] })
    const coop = { appid: 777_001, name: 'Coop', iconHash: '', kind: 0, categories: [2, 38, 44], free: true }
    const versus = { ...coop, appid: 777_002, name: 'Versus', categories: [36], free: false }
    const alone = { ...coop, appid: 777_003, name: 'Alone', categories: [2] }
    for (const game of [coop, versus, alone]) app.simulator.addApp(game)
    await app.owns(ada, { Coop: 60, Versus: 60, Alone: 60 })
    await app.owns(bob, { Coop: 30, Versus: 30, Alone: 30 })
    await app.owns(cal, { Versus: 5, Alone: 5 })
    while ((await app.deps.catalogue.readStoreDetails()) > 0);

    const [versusMiss, coopMiss] = [
      {
        name: 'Versus',
        total_playtime: 95,
        playtimes: { [ada.steam_id]: 60, [bob.steam_id]: 30, [cal.steam_id]: 5 },
        lacking: [dan.steam_id],
        features: ['online_versus'],
        is_free: false,
      },
      {
        name: 'Coop',
        total_playtime: 90,
        playtimes: { [ada.steam_id]: 60, [bob.steam_id]: 30 },
        lacking: [cal.steam_id, dan.steam_id],
        features: ['online_coop', 'remote_play'],
        is_free: true,
      },
    ]
    // What is free, all can play.
    expect(await ada.call(api.groups.nearMisses, { id })).toMatchObject([coopMiss, versusMiss])
    const duo = await app.group({ owner: ada, members: [cal] })
    expect(await ada.call(api.groups.nearMisses, { id: duo.group_id })).toMatchObject([
      { name: 'Coop', playtimes: { [ada.steam_id]: 60 }, lacking: [cal.steam_id] },
    ])

    // A library that is not visible any more is neither an owner's nor somebody's who lacks the game.
    await setVisibility(bob, 'nobody')
    expect(await ada.call(api.groups.nearMisses, { id })).toMatchObject([
      { name: 'Versus', playtimes: { [ada.steam_id]: 60, [cal.steam_id]: 5 }, lacking: [dan.steam_id] },
    ])
  })

  test('two concurrent changes of one group both take effect', async () => {
    const { app, ada, bob, cal } = await threeFriends()
    const { group_id: id } = await app.group({ owner: ada, members: [bob] })
    const [added, removed] = await Promise.all([
      ada.attempt(api.groups.addMembers, { id }, { steam_ids: [cal.steam_id] }),
      bob.attempt(api.groups.removeMember, { id, steamId: bob.steam_id }),
    ])
    expect([added.status, removed.status]).toEqual([200, 200])
    expect(ids(await ada.call(api.groups.members, { id }))).toEqual([ada.steam_id, cal.steam_id])
  })

  /** A URL of the maximum length that cannot be compressed. */
  const longest = `https://example.org/${Array.from({ length: 2000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000))).join('')}.png`

  test.each([
    ['a URL', 'https://example.org/friday.png'],
    ['a URL without a file extension', 'http://example.org/friday'],
    ['a URL with 2,000 Chinese characters', longest],
  ])('API-26: a picture may be %s', async (_what, picture_url) => {
    const app = await startTestApp({ engine })
    const ada = await app.player()
    const { group_id: id } = await app.group({ owner: ada })
    const picture = await ada.call(api.groups.setPicture, { id }, { picture_url })
    expect(picture).toMatchObject({ group_id: id, picture_url })
    const group = await ada.call(api.groups.read, { id })
    expect(group.picture_url).toBe(picture_url)
    expect(group.picture_image_url).toMatch(/^\/media\/[0-9a-f]{32}\.webp$/)
  })
})
