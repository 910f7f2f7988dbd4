/** How the client reads Steam's responses: recorded, unusual and malformed ones, over real HTTP. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { answer } from '../../../tests/support/scripted-server.ts'
import { clientOf, failureOf, HTML, json, ME, owned, portal } from '../../../tests/support/scripted-steam.ts'
import type { SteamPort } from './port.ts'

const FIXTURES = join(import.meta.dirname, '../../../../shared/data/fixtures/web_api')
const recorded = existsSync(FIXTURES)
if (!recorded)
  process.stderr.write('responses.test.ts: the recorded responses are not here, so their tests are skipped\n')

const FRIEND = '76561197960265731'
const UNKNOWN_PROFILE = {
  steamId: ME,
  displayName: null,
  avatarUrl: null,
  personastate: 0,
  playing: null,
  playingAppid: null,
}

describe.skipIf(!recorded)('recorded responses', () => {
  const file = (name: string) => readFileSync(join(FIXTURES, name))
  const playing = (name: string) => clientOf((response) => answer(response, 200, file(name)))

  test.each([
    ['GetOwnedGames.456_games.2017.json', 456],
    ['GetOwnedGames.84_games.2025.json', 84],
    ['GetOwnedGames.1_game.no_appinfo.2021.json', 1],
  ])('%s gives all its games', async (name, count) => {
    const { steam } = await playing(name)
    const library = await steam.ownedGames(ME, 'interactive')
    if (library.status !== 'ok') throw new Error('the library is private')
    expect(library.games).toHaveLength(count)
    const { games } = (
      JSON.parse(file(name).toString()) as {
        response: { games: { appid: number; playtime_forever: number; playtime_2weeks?: number }[] }
      }
    ).response
    expect(library.games.map(({ appid, minutes, recentMinutes }) => [appid, minutes, recentMinutes])).toEqual(
      games.map((game) => [game.appid, game.playtime_forever, game.playtime_2weeks ?? 0]),
    )
  })

  test('PLAT-17: games have names and icons, and an empty icon becomes null', async () => {
    const { steam } = await playing('GetOwnedGames.456_games.2017.json')
    const library = await steam.ownedGames(ME, 'interactive')
    if (library.status !== 'ok') throw new Error('the library is private')
    expect(library.games[0]).toEqual({
      appid: 240,
      name: 'Counter-Strike: Source',
      iconHash: '9052fa60c496a1c03383b27687ec50f4bf0f0e10',
      minutes: 48615,
      recentMinutes: 0,
      lastPlayed: 0,
    })
    expect(library.games.filter((game) => game.iconHash === null)).toHaveLength(17)
  })

  test('PLAT-12: private game details give a private library, not an empty one', async () => {
    const { steam } = await playing('GetOwnedGames.private_game_details.json')
    expect(await steam.ownedGames(ME, 'interactive')).toEqual({ status: 'private' })
  })

  test('the friend list has every friend', async () => {
    const { steam } = await playing('GetFriendList.47_friends.2024.json')
    const list = await steam.friendList(ME, 'interactive')
    if (list.status !== 'ok') throw new Error('the list is private')
    expect(list.friends).toHaveLength(47)
    expect(list.friends[0]).toBe('76561201960476163')
  })

  test.each([
    ['public.2025', 'Tin Kettle', 'avatars.steamstatic.com', 1, null],
    ['private.2023', 'Тихий Ёж', 'avatars.steamstatic.com', 0, null],
    ['in_game.2024', '风筝 ☂ Kite', 'avatars.steamstatic.com', 1, 'Counter-Strike 2'],
    ['default_avatar.2013', 'foobar', 'media.steampowered.com', 0, null],
    ['public_vanity_url.2021', 'Quartz Heron', 'steamcdn-a.akamaihd.net', undefined, null],
  ])('%s gives name and presence', async (answered, displayName, avatarHost, personastate, playingNow) => {
    const name = `GetPlayerSummaries.${answered}.json`
    const { steam } = await playing(name)
    const steamId = /"steamid": "(\d+)"/.exec(file(name).toString())![1]!
    const [profile] = await steam.profiles([steamId], 'interactive')
    expect(profile).toMatchObject({ steamId, displayName, playing: playingNow })
    expect(profile!.avatarUrl).toMatch(new RegExp(`^https://${avatarHost}/.*_full\\.jpg$`))
    if (personastate !== undefined) expect(profile!.personastate).toBe(personastate)
  })

  test('PLAT-24: an unknown id has no profile and is offline', async () => {
    const { steam } = await playing('GetPlayerSummaries.unknown_id.json')
    expect(await steam.profiles([ME], 'interactive')).toEqual([UNKNOWN_PROFILE])
  })

  test.each([
    [401, 'error.401.unauthorized.html'],
    [403, 'error.403.bad_or_missing_key.html'],
  ])('PLAT-20: a %i that names the key means an invalid key, in lists too', async (status, name) => {
    const { steam, requests } = await clientOf((response) => answer(response, status, file(name), HTML))
    expect((await failureOf(steam.friendList(ME, 'interactive'))).failure).toBe('invalid_key')
    expect((await failureOf(steam.ownedGames(ME, 'interactive'))).failure).toBe('invalid_key')
    expect((await failureOf(steam.profiles([ME], 'interactive'))).failure).toBe('invalid_key')
    expect(requests).toHaveLength(3)
  })
})

describe('meaning of a response', () => {
  test('PLAT-12: an empty library is ok and empty', async () => {
    const { steam } = await clientOf(json({ response: { game_count: 0 } }))
    expect(await steam.ownedGames(ME, 'interactive')).toEqual({ status: 'ok', games: [] })
  })

  test('PLAT-37: names may be any text without control characters; times before Steam opened are unknown', async () => {
    const odd = '<b>"\u202Eمرحبا\u200B 🎮</b>'
    const { steam } = await clientOf(
      json(
        owned(
          { ...portal, name: `\u0000${odd}\u0007\n`, rtime_last_played: 86400, playtime_2weeks: 5 },
          { ...portal, appid: 401, name: '', img_icon_url: '../../x', rtime_last_played: 1_700_000_000 },
          { ...portal, appid: 402, name: '🎮'.repeat(400) },
          { ...portal, appid: 403, name: 'half \uD83C' },
          { ...portal, appid: 404, name: '\ttwo\twords\r\nhere' },
        ),
      ),
    )
    const library = await steam.ownedGames(ME, 'interactive')
    if (library.status !== 'ok') throw new Error('the library is private')
    expect(library.games[0]).toMatchObject({ name: odd, lastPlayed: 0, recentMinutes: 5 })
    expect(library.games[1]).toMatchObject({ name: null, iconHash: null, lastPlayed: 1_700_000_000 })
    expect(library.games[2]!.name).toBe('🎮'.repeat(300))
    expect(library.games[3]!.name).toBe('half \uFFFD')
    expect(library.games[4]!.name).toBe('two words here')
  })

  test('PLAT-19: an empty friend list is ok; a missing one, or a 401 that does not name the key, is private', async () => {
    const responses: [number, string, Record<string, string>?][] = [
      [200, '{"friendslist":{"friends":[]}}'],
      [200, '{}'],
      [401, '<html><body><h1>Unauthorized</h1></body></html>', HTML],
      [401, '', HTML],
      [401, '{}'],
    ]
    const { steam, requests } = await clientOf((response, _request, nth) =>
      answer(response, ...responses[nth - 1]!),
    )
    expect(await steam.friendList(ME, 'interactive')).toEqual({ status: 'ok', friends: [] })
    for (let nth = 2; nth <= 5; nth++)
      expect(await steam.friendList(ME, 'interactive')).toEqual({ status: 'private' })
    expect(requests).toHaveLength(5)
  })

  test('only entries with the relationship friend are friends', async () => {
    const { steam } = await clientOf(
      json({
        friendslist: {
          friends: [
            { steamid: ME, relationship: 'ignored', friend_since: 1 },
            { steamid: FRIEND, relationship: 'friend', friend_since: 0 },
          ],
        },
      }),
    )
    expect(await steam.friendList(ME, 'interactive')).toEqual({
      status: 'ok',
      friends: [FRIEND],
    })
  })

  test('SYNC-17: only an invalid, repeated or foreign entry of a friend list is left out', async () => {
    const odd = [
      {},
      null,
      { steamid: '1' },
      { steamid: 76561197960265744 },
      { steamid: '103582791429521408' },
    ]
    const { steam } = await clientOf(
      json({
        friendslist: {
          friends: [
            ...odd,
            { steamid: FRIEND, relationship: null, friend_since: null },
            { steamid: FRIEND, relationship: 'friend', friend_since: 5 },
            { steamid: ME, relationship: 'friend', friend_since: -1 },
          ],
        },
      }),
    )
    expect(await steam.friendList(ME, 'interactive')).toEqual({
      status: 'ok',
      friends: [FRIEND, ME],
    })
  })

  test('SYNC-17: an invalid profile is left out alone, and fields that are null or out of range count as absent', async () => {
    const ada = { steamid: ME, personaname: 'Ada', avatarfull: 5, personastate: null, gameid: null }
    const { steam } = await clientOf(
      json({ response: { players: [{ personaname: 'Lost' }, null, ada, ada] } }),
    )
    const profiles = await steam.profiles([ME, FRIEND], 'interactive')
    expect(profiles).toEqual([
      { ...UNKNOWN_PROFILE, displayName: 'Ada' },
      { ...UNKNOWN_PROFILE, steamId: FRIEND },
    ])
  })

  test.each([null, -1, 1.5, '120', 2 ** 32, []])('SYNC-17: of a game, %j counts as absent', async (value) => {
    const odd = {
      name: value === '120' ? null : value,
      img_icon_url: value,
      playtime_disconnected: value,
      playtime_2weeks: value,
      rtime_last_played: value,
    }
    const { steam } = await clientOf(json(owned(portal, { ...portal, ...odd, appid: 401 })))
    const library = await steam.ownedGames(ME, 'interactive')
    expect(library.status === 'ok' && library.games[1]).toEqual({
      appid: 401,
      name: null,
      iconHash: value === '120' ? '120' : null,
      minutes: 90,
      recentMinutes: 0,
      lastPlayed: 0,
    })
  })

  test('PLAT-17: minutes played offline count, and are not lost when there are very many', async () => {
    const { steam } = await clientOf(
      json(
        owned(
          { ...portal, playtime_forever: 12_072, playtime_disconnected: 178 },
          { ...portal, appid: 401, playtime_forever: 0, playtime_disconnected: 240 },
          { ...portal, appid: 402, playtime_forever: 2 ** 32 - 1, playtime_disconnected: 9 },
        ),
      ),
    )
    const library = await steam.ownedGames(ME, 'interactive')
    expect(library.status === 'ok' && library.games.map((game) => game.minutes)).toEqual([
      12_250,
      240,
      2 ** 32 - 1,
    ])
  })

  test('PLAT-19: a 401, or a 403 with JSON, that does not name the key means private games', async () => {
    const responses: [number, string, Record<string, string>?][] = [
      [401, '<html><body><h1>Unauthorized</h1></body></html>', HTML],
      [401, '{}'],
      [403, '{}'],
    ]
    const { steam, outcomes } = await clientOf((response, _request, nth) =>
      answer(response, ...responses[nth - 1]!),
    )
    for (const _response of responses)
      expect(await steam.ownedGames(ME, 'interactive')).toEqual({ status: 'private' })
    expect(outcomes).toEqual(responses.map(() => ({ ok: true })))
  })

  test('PLAT-19: a 403 page for one player is theirs, until Steam refuses another one', async () => {
    const answers = [403, 403, 403, 200, 403]
    const { steam } = await clientOf((response, _request, nth) =>
      answers[nth - 1] === 200
        ? answer(response, 200, JSON.stringify(owned(portal)))
        : answer(response, 403, '<h1>Forbidden</h1>', HTML),
    )
    const failure = async (steamId: string) =>
      (await failureOf(steam.ownedGames(steamId, 'interactive'))).failure
    expect([await failure(ME), await failure(ME), await failure(FRIEND)]).toEqual([
      'unavailable',
      'unavailable',
      'forbidden',
    ])
    await steam.ownedGames(ME, 'interactive')
    expect(await failure(FRIEND)).toBe('unavailable')
  })

  test('PLAT-47: a wishlist is read by priority, then newest first; a bad entry is left out', async () => {
    const entry = (appid: unknown, priority: number, date_added: number) => ({ appid, priority, date_added })
    const items = [entry(10, 0, 5), entry(20, 2, 1), entry('x', 1, 1), entry(30, 1, 1), entry(40, 0, 9)]
    const answers: unknown[] = [{ items: [...items, items[0]] }, {}, { items: [] }]
    const { steam } = await clientOf((response) => json({ response: answers.shift() })(response))
    expect(await steam.wishlist(ME)).toEqual([30, 20, 40, 10])
    expect(await steam.wishlist(ME)).toEqual([])
    expect(await steam.wishlist(ME)).toEqual([])
    for (const malformed of [{ count: 3 }, { items: {} }, { items: [{ appid: 'x' }] }]) {
      answers.push(malformed)
      expect(await failureOf(steam.wishlist(ME))).toMatchObject({ failure: 'unavailable' })
    }
  })

  test('avatars are http or https URLs, and https on Steam’s hosts', async () => {
    const given = [
      ['http://media.steampowered.com/a.jpg', 'https://media.steampowered.com/a.jpg'],
      ['http://127.0.0.1:5000/a.svg', 'http://127.0.0.1:5000/a.svg'],
      ['javascript:alert(1)', null],
      ['data:image/svg+xml,<svg/>', null],
      ['//evil.example/a.jpg', null],
      ['https://user:password@evil.example/a.jpg', null],
      ['', null],
    ] as const
    const ids = given.map((_, nth) => String(76561197960265730n + BigInt(nth)))
    const { steam } = await clientOf(
      json({
        response: { players: ids.map((steamid, nth) => ({ steamid, avatarfull: given[nth]![0] })) },
      }),
    )
    const profiles = await steam.profiles(ids, 'interactive')
    expect(profiles.map((profile) => profile.avatarUrl)).toEqual(given.map(([, wanted]) => wanted))
  })

  test('PLAT-24: players that were not requested are left out, and an unknown state counts as offline', async () => {
    const { steam } = await clientOf(
      json({
        response: {
          players: [
            { steamid: FRIEND, personaname: 'Eve', personastate: 1 },
            { steamid: ME, personaname: 'Ada', personastate: 99, gameextrainfo: 'Portal', gameid: '400' },
          ],
        },
      }),
    )
    expect(await steam.profiles([ME], 'interactive')).toEqual([
      {
        steamId: ME,
        displayName: 'Ada',
        avatarUrl: null,
        personastate: 0,
        playing: 'Portal',
        playingAppid: 400,
      },
    ])
  })

  test.each([
    ['400', 400],
    ['4294967295', 4_294_967_295],
    // A game that the player added themselves.
    ['13268018764381814784', null],
    ['4294967296', null],
    ['0', null],
    ['0400', null],
    ['Portal', null],
    ['', null],
    [400, null],
    [{ id: 400 }, null],
    [null, null],
    [undefined, null],
  ])('PLAT-27: the gameid %j has the appid %j, all else counts', async (gameid, playingAppid) => {
    const { steam } = await clientOf(
      json({ response: { players: [{ steamid: ME, personastate: 1, gameextrainfo: 'Portal', gameid }] } }),
    )
    expect(await steam.profiles([ME], 'interactive')).toMatchObject([{ playing: 'Portal', playingAppid }])
  })

  test('PLAT-29, PLAT-33: store items have header, kind and categories; one without an appid is left out', async () => {
    const { steam } = await clientOf(
      json({
        response: {
          store_items: [
            {
              appid: 570,
              id: 570,
              success: 1,
              name: 'Dota 2',
              type: 0,
              is_free: true,
              categories: { supported_player_categoryids: [1, 9, 38] },
              assets: { asset_url_format: 'steam/apps/570/${FILENAME}?t=17', header: 'ab/header.jpg' },
            },
            {
              appid: 10,
              success: 1,
              assets: { asset_url_format: '../../../${FILENAME}', header: 'header.jpg' },
            },
            { appid: 11, id: 11, success: 15, name: 'Elsewhere' },
            {
              appid: 12,
              success: 1,
              name: 'Nulls',
              type: null,
              categories: null,
              assets: null,
              is_free: null,
            },
            { success: 1, name: 'No appid' },
            { appid: 999, success: 1, name: 'Not asked for' },
          ],
        },
      }),
    )
    const nothing = { name: null, kind: null, headerUrl: null, categories: [], isFree: false, price: null }
    expect(await steam.storeItems([570, 10, 11, 12], 'background')).toEqual([
      {
        appid: 570,
        isShown: true,
        name: 'Dota 2',
        kind: 0,
        headerUrl:
          'https://shared.akamai.steamstatic.com/store_item_assets/steam/apps/570/ab/header.jpg?t=17',
        categories: [1, 9, 38],
        isFree: true,
        price: null,
      },
      { ...nothing, appid: 10, isShown: true },
      { ...nothing, appid: 11, isShown: false, name: 'Elsewhere' },
      { ...nothing, appid: 12, isShown: true, name: 'Nulls' },
    ])
  })

  test('PLAT-46: a price is read as a whole or not at all, and a discount where it makes sense', async () => {
    const option = { final_price_in_cents: '499', formatted_final_price: '4,99€' }
    const sale = { ...option, discount_pct: 75, active_discounts: [{ discount_end_date: 1_800_000_000 }] }
    const price = { formatted: '4,99€', cents: 499, discountPercent: 0, discountEndsAt: null }
    const onSale = { ...price, discountPercent: 75, discountEndsAt: 1_800_000_000_000 }
    const cases: [object | null | undefined, object | null][] = [
      [option, price],
      [{ ...option, final_price_in_cents: 499 }, price],
      [sale, onSale],
      // The price changes when the first of them ends.
      [{ ...sale, active_discounts: [{ discount_end_date: 2 ** 31 }, ...sale.active_discounts] }, onSale],
      [
        { ...sale, active_discounts: null },
        { ...onSale, discountEndsAt: null },
      ],
      [
        { ...sale, active_discounts: [{ discount_end_date: -1 }, {}] },
        { ...onSale, discountEndsAt: null },
      ],
      [{ ...sale, discount_pct: 101 }, price],
      [{ ...sale, discount_pct: null }, price],
      [{ ...option, formatted_final_price: '\u0000' }, null],
      [{ ...option, formatted_final_price: null }, null],
      [{ ...option, formatted_final_price: 'x'.repeat(41) }, null],
      [{ ...option, final_price_in_cents: '-499' }, null],
      [{ ...option, final_price_in_cents: '4.99' }, null],
      [{ ...option, final_price_in_cents: '9'.repeat(13) }, null],
      [{ formatted_final_price: '4,99€' }, null],
      [null, null],
      [undefined, null],
    ]
    const items = cases.map(([offer], nth) => ({ appid: nth + 1, success: 1, best_purchase_option: offer }))
    const free = { appid: 999, success: 1, is_free: true, best_purchase_option: option }
    const { steam } = await clientOf(json({ response: { store_items: [...items, free] } }))
    const asked = [...items.map(({ appid }) => appid), 999]
    const read = await steam.storeItems(asked, 'background', 'DE')
    expect(read.map((item) => item.price)).toEqual([...cases.map(([, expected]) => expected), null])
  })

  test('PLAT-18: a library of 30,000 games is read completely', async () => {
    const games = Array.from({ length: 30_000 }, (_, nth) => ({ ...portal, appid: nth + 1 }))
    const { steam } = await clientOf(json(owned(...games)))
    const library = await steam.ownedGames(ME, 'interactive')
    expect(library.status === 'ok' && library.games.length).toBe(30_000)
  })
})

describe('SYNC-17: a response of the wrong shape is a failure and never partly accepted', () => {
  const friend = { steamid: FRIEND, relationship: 'friend', friend_since: 1 }
  const library = (steam: SteamPort) => steam.ownedGames(ME, 'background')
  const friends = (steam: SteamPort) => steam.friendList(ME, 'background')
  const profiles = (steam: SteamPort) => steam.profiles([ME], 'background')
  const store = (steam: SteamPort) => steam.storeItems([570], 'background')

  test.each<[string, (steam: SteamPort) => Promise<unknown>, unknown]>([
    ['no response', library, {}],
    ['null', library, null],
    ['a list', library, []],
    ['response is text', library, { response: 'ok' }],
    ['a count without games', library, { response: { game_count: 3 } }],
    ['games without a count', library, { response: { games: [portal] } }],
    ['fewer games than counted', library, { response: { game_count: 5, games: [portal] } }],
    ['more games than counted', library, { response: { game_count: 0, games: [portal] } }],
    ['a response without games', library, { response: { total_count: 0 } }],
    ['games are an object', library, { response: { game_count: 1, games: { 0: portal } } }],
    ['a game without appid', library, owned(portal, { name: 'Lost', playtime_forever: 1 })],
    ['an appid as text', library, owned({ ...portal, appid: '400' })],
    ['an appid of 0', library, owned({ ...portal, appid: 0 })],
    ['an appid beyond 32 bits', library, owned({ ...portal, appid: 2 ** 32 })],
    ['no playtime', library, owned({ appid: 400, name: 'Portal' })],
    ['a negative playtime', library, owned({ ...portal, playtime_forever: -1 })],
    ['a fraction of a minute', library, owned({ ...portal, playtime_forever: 1.5 })],
    ['a playtime beyond 32 bits', library, owned({ ...portal, playtime_forever: 2 ** 32 })],
    ['a playtime as text', library, owned({ ...portal, playtime_forever: '90' })],
    ['a game twice', library, owned(portal, portal)],
    ['a response without a friend list', friends, { response: {} }],
    ['a friend list without friends', friends, { friendslist: {} }],
    ['friends are an object', friends, { friendslist: { friends: {} } }],
    [
      'friends without a valid id',
      friends,
      { friendslist: { friends: [{ friend_since: 1 }, { ...friend, steamid: 76561197960265744 }] } },
    ],
    ['no players', profiles, { response: {} }],
    ['players are an object', profiles, { response: { players: {} } }],
    ['a player without steam id', profiles, { response: { players: [{ personaname: 'Ada' }] } }],
    ['no store items', store, { response: {} }],
  ])('%s', async (_name, call, body) => {
    const { steam, requests, outcomes } = await clientOf(json(body))
    expect((await failureOf(call(steam))).failure).toBe('unavailable')
    expect(requests).toHaveLength(1)
    expect(outcomes).toMatchObject([{ ok: false, failure: 'unavailable' }])
  })
})
