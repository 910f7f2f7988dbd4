/** The client over real HTTP: recorded answers, every fault of STEAM.md, and what goes over the wire. */
import type { ServerResponse } from 'node:http'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { answer, scriptedServer, type Script } from '../../../tests/support/scripted-server.ts'
import { createSteamClient, type SteamTiming } from './client.ts'
import { SteamError, type CallBudget, type SteamPort, type Urgency } from './port.ts'

const FIXTURES = join(import.meta.dirname, '../../../../shared/data/fixtures/web_api')
const recorded = existsSync(FIXTURES)
if (!recorded) process.stderr.write('client.test.ts: ../shared/data is not there, recorded answers skipped\n')

const KEY = 'SECRET0123456789ABCDEF&key=+%'
const ME = '76561197960265730'
const FRIEND = '76561197960265731'
const HTML = { 'content-type': 'text/html; charset=UTF-8' }
const KEY_REFUSED =
  '<html><head><title>Forbidden</title></head><body><h1>Forbidden</h1>Access is denied. Retrying will not help. ' +
  'Please verify your <pre>key=</pre> parameter.</body></html>'

type Options = {
  timing?: Partial<SteamTiming>
  take?: CallBudget['take']
  report?: CallBudget['report']
  now?: number
  random?: number
}

/** The real client against a scripted platform; pauses end at once and are remembered. */
async function clientOf(script: Script, options: Options = {}) {
  const server = await scriptedServer(script)
  const said: unknown[] = []
  const pauses: number[] = []
  const turns: Urgency[] = []
  const outcomes: { ok: boolean; retryAfterSeconds?: number }[] = []
  const log = {
    debug: (fields: object, text: string) => void said.push([fields, text]),
    warn: (fields: object, text: string) => void said.push([fields, text]),
  }
  const steam = createSteamClient({
    apiUrl: server.url,
    apiKey: KEY,
    log,
    budget: {
      take: async (host, urgency) => {
        turns.push(urgency)
        await options.take?.(host, urgency)
      },
      report: async (host, outcome) => {
        outcomes.push(outcome)
        await options.report?.(host, outcome)
      },
    },
    timing: options.timing,
    random: () => options.random ?? 1,
    sleep: async (ms) => void pauses.push(ms),
    now: () => options.now ?? Date.UTC(2025, 0, 1),
  })
  return { steam, ...server, said, pauses, turns, outcomes }
}

async function failureOf(call: Promise<unknown>): Promise<SteamError> {
  const error: unknown = await call.then(
    (value) => {
      throw new Error(`the call did not fail but gave ${JSON.stringify(value)}`)
    },
    (reason: unknown) => reason,
  )
  if (!(error instanceof SteamError)) throw error
  return error
}

const json = (value: unknown) => (response: ServerResponse) => answer(response, 200, JSON.stringify(value))
const owned = (...games: object[]) => ({ response: { game_count: games.length, games } })
const portal = { appid: 400, name: 'Portal', playtime_forever: 90, img_icon_url: 'cf' }

describe.skipIf(!recorded)('recorded answers', () => {
  const file = (name: string) => readFileSync(join(FIXTURES, name))
  const playing = (name: string) => clientOf((response) => answer(response, 200, file(name)))

  test.each([
    ['GetOwnedGames.456_games.2017.json', 456],
    ['GetOwnedGames.84_games.2025.json', 84],
    ['GetOwnedGames.1_game.no_appinfo.2021.json', 1],
  ])('%s gives all its games', async (name, count) => {
    const { steam } = await playing(name)
    const library = await steam.ownedGames(ME, 'click')
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

  test('names and icons come along, and an empty icon is none', async () => {
    const { steam } = await playing('GetOwnedGames.456_games.2017.json')
    const library = await steam.ownedGames(ME, 'click')
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

  test('private game details are private, not empty', async () => {
    const { steam } = await playing('GetOwnedGames.private_game_details.json')
    expect(await steam.ownedGames(ME, 'click')).toEqual({ status: 'private' })
  })

  test('the friend list has every friend and since when', async () => {
    const { steam } = await playing('GetFriendList.47_friends.2024.json')
    const list = await steam.friendList(ME, 'click')
    if (list.status !== 'ok') throw new Error('the list is private')
    expect(list.friends).toHaveLength(47)
    expect(list.friends[0]).toEqual({ steamId: '76561201960476163', since: 1705723638 })
  })

  test.each([
    ['GetPlayerSummaries.public.2025.json', 'Tin Kettle', 'https://avatars.steamstatic.com/', 1, null],
    ['GetPlayerSummaries.private.2023.json', 'Тихий Ёж', 'https://avatars.steamstatic.com/', 0, null],
    [
      'GetPlayerSummaries.in_game.2024.json',
      '风筝 ☂ Kite',
      'https://avatars.steamstatic.com/',
      1,
      'Counter-Strike 2',
    ],
    ['GetPlayerSummaries.default_avatar.2013.json', 'foobar', 'https://media.steampowered.com/', 0, null],
    [
      'GetPlayerSummaries.public_vanity_url.2021.json',
      'Quartz Heron',
      'https://steamcdn-a.akamaihd.net/',
      undefined,
      null,
    ],
  ])(
    '%s gives name, avatar and presence',
    async (name, displayName, avatarHost, personastate, playingNow) => {
      const { steam } = await playing(name)
      const steamId = /"steamid": "(\d+)"/.exec(file(name).toString())![1]!
      const [profile] = await steam.profiles([steamId], 'click')
      expect(profile).toMatchObject({ steamId, displayName, playing: playingNow })
      expect(profile!.avatarUrl).toMatch(new RegExp(`^${avatarHost}.*_full\\.jpg$`))
      if (personastate !== undefined) expect(profile!.personastate).toBe(personastate)
    },
  )

  test('an unknown id simply does not come back', async () => {
    const { steam } = await playing('GetPlayerSummaries.unknown_id.json')
    expect(await steam.profiles([ME], 'click')).toEqual([])
  })

  test.each([
    [401, 'error.401.unauthorized.html'],
    [403, 'error.403.bad_or_missing_key.html'],
  ])('a %i that complains about the key is the key’s fault, also for a friend list', async (status, name) => {
    const { steam, requests } = await clientOf((response) => answer(response, status, file(name), HTML))
    expect((await failureOf(steam.friendList(ME, 'click'))).failure).toBe('key_refused')
    expect((await failureOf(steam.ownedGames(ME, 'click'))).failure).toBe('key_refused')
    expect((await failureOf(steam.profiles([ME], 'click'))).failure).toBe('key_refused')
    expect(requests).toHaveLength(3)
  })
})

describe('on the wire', () => {
  test('GetOwnedGames asks for names, played free games and games of limited features', async () => {
    const { steam, requests } = await clientOf(json(owned(portal)))
    await steam.ownedGames(ME, 'click')
    expect(requests[0]!.path).toBe('/IPlayerService/GetOwnedGames/v1/')
    expect(Object.fromEntries(requests[0]!.query)).toEqual({
      key: KEY,
      steamid: ME,
      include_appinfo: '1',
      include_played_free_games: '1',
      skip_unvetted_apps: '0',
    })
  })

  test('GetFriendList asks for friends', async () => {
    const { steam, requests } = await clientOf(json({ friendslist: { friends: [] } }))
    await steam.friendList(ME, 'click')
    expect(requests[0]!.path).toBe('/ISteamUser/GetFriendList/v1/')
    expect(Object.fromEntries(requests[0]!.query)).toEqual({ key: KEY, steamid: ME, relationship: 'friend' })
  })

  test('250 different profiles are three calls of at most 100 ids, each id asked once', async () => {
    const ids = Array.from({ length: 250 }, (_, nth) => String(76561197960265730n + BigInt(nth)))
    const { steam, requests } = await clientOf((response, { query }) => {
      const players = query.get('steamids')!.split(',').toReversed()
      json({ response: { players: players.map((steamid) => ({ steamid, personaname: steamid })) } })(response)
    })
    const profiles = await steam.profiles([...ids, ...ids], 'click')
    expect(profiles.map((profile) => profile.steamId).toSorted()).toEqual(ids.toSorted())
    expect(profiles.every((profile) => profile.displayName === profile.steamId)).toBe(true)
    expect(requests[0]!.path).toBe('/ISteamUser/GetPlayerSummaries/v2/')
    expect(requests.map(({ query }) => query.get('steamids')!.split(',').length).toSorted()).toEqual([
      100, 100, 50,
    ])
  })

  test('store items are asked in hundreds, and never with the key', async () => {
    const appids = Array.from({ length: 150 }, (_, nth) => nth + 10)
    const { steam, requests } = await clientOf((response, { query }) => {
      const { ids } = JSON.parse(query.get('input_json')!) as { ids: { appid: number }[] }
      json({ response: { store_items: ids.map(({ appid }) => ({ appid, success: 1 })) } })(response)
    })
    expect(await steam.storeItems(appids, 'background')).toHaveLength(150)
    expect(requests.map(({ path }) => path)).toEqual(Array(2).fill('/IStoreBrowseService/GetItems/v1/'))
    for (const { query } of requests) {
      expect([...query.keys()]).toEqual(['input_json'])
      expect(JSON.parse(query.get('input_json')!)).toMatchObject({
        context: { language: 'english', country_code: 'US' },
        data_request: { include_basic_info: true, include_assets: true },
      })
    }
  })

  test('nobody asked for: no call', async () => {
    const { steam, requests } = await clientOf(json({}))
    expect(await steam.profiles([], 'click')).toEqual([])
    expect(await steam.storeItems([], 'background')).toEqual([])
    expect(requests).toEqual([])
  })
})

describe('what an answer means', () => {
  test('an empty library is ok and empty', async () => {
    const { steam } = await clientOf(json({ response: { game_count: 0 } }))
    expect(await steam.ownedGames(ME, 'click')).toEqual({ status: 'ok', games: [] })
  })

  test('names are any text but for control characters, and times before the platform opened are unknown', async () => {
    const odd = '<b>"\u202Eمرحبا\u200B 🎮</b>'
    const { steam } = await clientOf(
      json(
        owned(
          { ...portal, name: `\u0000${odd}\u0007\n`, rtime_last_played: 86400, playtime_2weeks: 5 },
          { ...portal, appid: 401, name: '', img_icon_url: '../../x', rtime_last_played: 1_700_000_000 },
          { ...portal, appid: 402, name: `${'🎮'.repeat(400)}` },
        ),
      ),
    )
    const library = await steam.ownedGames(ME, 'click')
    if (library.status !== 'ok') throw new Error('the library is private')
    expect(library.games[0]).toMatchObject({ name: odd, lastPlayed: 0, recentMinutes: 5 })
    expect(library.games[1]).toMatchObject({ name: null, iconHash: null, lastPlayed: 1_700_000_000 })
    expect(library.games[2]!.name).toBe('🎮'.repeat(300))
  })

  test('a friend list without friends is ok and empty; a missing one, or 401 without a word about the key, is private', async () => {
    const answers: [number, string, Record<string, string>?][] = [
      [200, '{"friendslist":{"friends":[]}}'],
      [200, '{}'],
      [401, '<html><body><h1>Unauthorized</h1></body></html>', HTML],
      [401, '', HTML],
    ]
    const { steam, requests } = await clientOf((response, _request, nth) =>
      answer(response, ...answers[nth - 1]!),
    )
    expect(await steam.friendList(ME, 'click')).toEqual({ status: 'ok', friends: [] })
    for (let nth = 2; nth <= 4; nth++)
      expect(await steam.friendList(ME, 'click')).toEqual({ status: 'private' })
    expect(requests).toHaveLength(4)
  })

  test('only friends are friends', async () => {
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
    expect(await steam.friendList(ME, 'click')).toEqual({
      status: 'ok',
      friends: [{ steamId: FRIEND, since: null }],
    })
  })

  test('avatars are http or https addresses, of the platform always https', async () => {
    const given = [
      ['http://media.steampowered.com/a.jpg', 'https://media.steampowered.com/a.jpg'],
      ['http://127.0.0.1:5000/a.svg', 'http://127.0.0.1:5000/a.svg'],
      ['javascript:alert(1)', null],
      ['data:image/svg+xml,<svg/>', null],
      ['//evil.example/a.jpg', null],
      ['', null],
    ] as const
    const ids = given.map((_, nth) => String(76561197960265730n + BigInt(nth)))
    const { steam } = await clientOf(
      json({
        response: { players: ids.map((steamid, nth) => ({ steamid, avatarfull: given[nth]![0] })) },
      }),
    )
    const profiles = await steam.profiles(ids, 'click')
    expect(profiles.map((profile) => profile.avatarUrl)).toEqual(given.map(([, wanted]) => wanted))
  })

  test('players nobody asked for are left out, and a state from the future counts as offline', async () => {
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
    expect(await steam.profiles([ME], 'click')).toEqual([
      { steamId: ME, displayName: 'Ada', avatarUrl: null, personastate: 0, playing: 'Portal' },
    ])
  })

  test('store items give header, kind and categories; those without payload or readable shape are left out', async () => {
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
              categories: { supported_player_categoryids: [1, 9, 38] },
              assets: { asset_url_format: 'steam/apps/570/${FILENAME}?t=17', header: 'ab/header.jpg' },
            },
            {
              appid: 10,
              success: 1,
              assets: { asset_url_format: '../../../${FILENAME}', header: 'header.jpg' },
            },
            { appid: 11, id: 11, success: 15 },
            { appid: 12, success: 1, name: 7 },
            { appid: 999, success: 1, name: 'Not asked for' },
          ],
        },
      }),
    )
    expect(await steam.storeItems([570, 10, 11, 12], 'background')).toEqual([
      {
        appid: 570,
        name: 'Dota 2',
        kind: 0,
        headerUrl:
          'https://shared.akamai.steamstatic.com/store_item_assets/steam/apps/570/ab/header.jpg?t=17',
        categories: [1, 9, 38],
      },
      { appid: 10, name: null, kind: null, headerUrl: null, categories: [] },
    ])
  })

  test('a library of 30,000 games is read whole', async () => {
    const games = Array.from({ length: 30_000 }, (_, nth) => ({ ...portal, appid: nth + 1 }))
    const { steam } = await clientOf(json(owned(...games)))
    const library = await steam.ownedGames(ME, 'click')
    expect(library.status === 'ok' && library.games.length).toBe(30_000)
  })
})

describe('an answer of the wrong shape is a failure, never partly accepted', () => {
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
    ['something else than games', library, { response: { total_count: 0 } }],
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
    ['recent minutes as text', library, owned({ ...portal, playtime_2weeks: '5' })],
    ['a name that is a number', library, owned({ ...portal, name: 5 })],
    ['a game twice', library, owned(portal, portal)],
    ['something else than a friend list', friends, { response: {} }],
    ['a friend list without friends', friends, { friendslist: {} }],
    ['friends are an object', friends, { friendslist: { friends: {} } }],
    ['a friend without steam id', friends, { friendslist: { friends: [friend, { friend_since: 1 }] } }],
    ['a friend that is no account', friends, { friendslist: { friends: [{ ...friend, steamid: '1' }] } }],
    [
      'a steam id as a number',
      friends,
      { friendslist: { friends: [{ ...friend, steamid: 76561197960265744 }] } },
    ],
    ['a friend twice', friends, { friendslist: { friends: [friend, friend] } }],
    ['no players', profiles, { response: {} }],
    ['players are an object', profiles, { response: { players: {} } }],
    ['a player without steam id', profiles, { response: { players: [{ personaname: 'Ada' }] } }],
    ['a name that is a list', profiles, { response: { players: [{ steamid: ME, personaname: [] }] } }],
    ['no store items', store, { response: {} }],
  ])('%s', async (_name, call, body) => {
    const { steam, requests, outcomes } = await clientOf(json(body))
    expect((await failureOf(call(steam))).failure).toBe('unavailable')
    expect(requests).toHaveLength(1)
    expect(outcomes).toEqual([{ ok: false, retryAfterSeconds: undefined }])
  })
})

type Fault = [name: string, failure: SteamError['failure'], calls: number, fault: Script, seconds?: number]
const faults: Fault[] = [
  ['500 with HTML', 'unavailable', 4, (response) => answer(response, 500, '<h1>Oops</h1>', HTML)],
  ['502 with HTML', 'unavailable', 4, (response) => answer(response, 502, '<h1>Bad</h1>', HTML)],
  ['503 with HTML', 'unavailable', 4, (response) => answer(response, 503, '<h1>Down</h1>', HTML)],
  [
    '503 with Retry-After',
    'unavailable',
    1,
    (response) => answer(response, 503, '', { ...HTML, 'retry-after': '30' }),
    30,
  ],
  ['429 with HTML', 'rate_limited', 4, (response) => answer(response, 429, '<h1>Slow down</h1>', HTML)],
  [
    '429 with Retry-After',
    'rate_limited',
    1,
    (response) => answer(response, 429, '', { ...HTML, 'retry-after': '120' }),
    120,
  ],
  [
    '429 with Retry-After as a date',
    'rate_limited',
    1,
    (response) => answer(response, 429, '', { ...HTML, 'retry-after': 'Wed, 01 Jan 2025 00:01:30 GMT' }),
    90,
  ],
  [
    '429 with a Retry-After of a year',
    'rate_limited',
    1,
    (response) => answer(response, 429, '', { ...HTML, 'retry-after': '31536000' }),
    86_400,
  ],
  [
    '429 with a Retry-After that says nothing',
    'rate_limited',
    4,
    (response) => answer(response, 429, '', { ...HTML, 'retry-after': 'soon' }),
  ],
  ['403 without a word about the key', 'rate_limited', 1, (response) => answer(response, 403, '', HTML)],
  ['401 without a word about the key', 'unavailable', 1, (response) => answer(response, 401, '', HTML)],
  ['403 about the key', 'key_refused', 1, (response) => answer(response, 403, KEY_REFUSED, HTML)],
  ['404', 'unavailable', 1, (response) => answer(response, 404, '<h1>Not found</h1>', HTML)],
  ['200 with HTML', 'unavailable', 4, (response) => answer(response, 200, '<h1>Maintenance</h1>', HTML)],
  ['JSON that calls itself HTML', 'unavailable', 4, (response) => answer(response, 200, '{}', HTML)],
  [
    'truncated JSON',
    'unavailable',
    4,
    (response) => answer(response, 200, '{"response":{"game_count":1,"ga'),
  ],
  ['nothing', 'unavailable', 4, (response) => answer(response, 200, '')],
  [
    'bytes that are not text',
    'unavailable',
    4,
    (response) => answer(response, 200, new Uint8Array([0x7b, 0xff, 0x7d])),
  ],
  ['wrong shape', 'unavailable', 4, json({ response: { game_count: 2, games: [portal] } })],
  ['a connection cut at once', 'unavailable', 4, (response) => response.socket!.destroy()],
  [
    'a connection reset within the body',
    'unavailable',
    4,
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"response"', () => response.socket!.resetAndDestroy())
    },
  ],
  ['no answer at all', 'timeout', 4, () => undefined],
  [
    'a body that never ends',
    'timeout',
    4,
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"response":'),
  ],
]

describe('faults', () => {
  const timing = { timeoutMs: 60 }

  test.each(faults)('%s: %s after %i calls', async (_name, failure, calls, fault, seconds) => {
    const { steam, requests, turns, outcomes, pauses } = await clientOf(fault, { timing })
    const error = await failureOf(steam.ownedGames(ME, 'click'))

    expect(error.failure).toBe(failure)
    expect(error.retryAfterSeconds).toBe(seconds)
    expect(requests).toHaveLength(calls)
    // Permission is asked before every single try, and each is reported.
    expect(turns).toHaveLength(calls)
    expect(outcomes).toEqual(Array(calls).fill({ ok: false, retryAfterSeconds: seconds }))
    expect(pauses).toEqual([400, 800, 1600].slice(0, calls - 1))
  })

  test.each(faults)('%s: a background call is tried once', async (_name, failure, _calls, fault) => {
    const { steam, requests } = await clientOf(fault, { timing: { deadlineMs: 60 } })
    expect((await failureOf(steam.profiles([ME], 'background'))).failure).toBe(failure)
    expect(requests).toHaveLength(1)
  })

  test.each(faults)('%s: the key is in nothing that is thrown or logged', async (_name, _f, _c, fault) => {
    const { steam, said } = await clientOf(fault, { timing })
    const error = await failureOf(steam.ownedGames(ME, 'click'))
    const everything = [said, ...chainOf(error)].map(spelledOut).join('\n')
    for (const secret of [KEY, encodeURIComponent(KEY), 'SECRET', 'key=']) {
      expect(everything).not.toContain(secret)
    }
    expect(everything).toContain('GetOwnedGames')
  })

  test('nobody listening there is a failure without the key', async () => {
    const { url } = await scriptedServer(() => undefined)
    const said: unknown[] = []
    const log = {
      debug: (...all: unknown[]) => void said.push(all),
      warn: (...all: unknown[]) => void said.push(all),
    }
    const budget = { take: async () => undefined, report: async () => undefined }
    const nowhere = url.replace(/\d+$/, '1')
    const steam = createSteamClient({
      apiUrl: nowhere,
      apiKey: KEY,
      budget,
      log,
      sleep: async () => undefined,
    })
    const error = await failureOf(steam.friendList(ME, 'click'))
    expect(error.failure).toBe('unavailable')
    expect([said, ...chainOf(error)].map(spelledOut).join('\n')).not.toContain('SECRET')
  })

  test('a redirect is a failure, and its goal is never asked', async () => {
    const goal = await scriptedServer(json(owned(portal)))
    const { steam, requests } = await clientOf((response) =>
      answer(response, 302, '', { location: `${goal.url}/elsewhere` }),
    )
    expect((await failureOf(steam.ownedGames(ME, 'click'))).failure).toBe('unavailable')
    expect(requests).toHaveLength(1)
    expect(goal.requests).toEqual([])
  })

  test('an endless answer is given up instead of filling the memory', async () => {
    const megabyte = ' '.repeat(1024 * 1024)
    const { steam, requests } = await clientOf((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        if (!response.destroyed) response.write(megabyte, more)
      }
      more()
    })
    expect((await failureOf(steam.ownedGames(ME, 'click'))).failure).toBe('unavailable')
    expect(requests).toHaveLength(1)
  })

  test('a click that fails once succeeds at the second try', async () => {
    const { steam, requests, outcomes, pauses } = await clientOf(
      (response, _request, nth) =>
        nth === 1 ? answer(response, 503, '', HTML) : json(owned(portal))(response),
      { random: 0 },
    )
    expect((await steam.ownedGames(ME, 'click')).status).toBe('ok')
    expect(requests).toHaveLength(2)
    expect(outcomes).toEqual([{ ok: false, retryAfterSeconds: undefined }, { ok: true }])
    expect(pauses).toEqual([200])
  })
})

describe('time and turns', () => {
  test('a click is answered at its deadline, however slow the platform is', async () => {
    const { steam, requests } = await clientOf(() => undefined, {
      timing: { timeoutMs: 60_000, deadlineMs: 80 },
    })
    expect((await failureOf(steam.ownedGames(ME, 'click'))).failure).toBe('timeout')
    expect(requests).toHaveLength(1)
  })

  test('a click that waits for a turn too long is answered at its deadline and asks nobody', async () => {
    const { steam, requests, outcomes } = await clientOf(json(owned(portal)), {
      take: () => new Promise(() => undefined),
      timing: { deadlineMs: 80 },
    })
    expect((await failureOf(steam.ownedGames(ME, 'click'))).failure).toBe('timeout')
    expect(requests).toEqual([])
    expect(outcomes).toEqual([])
  })

  test('a caller’s own limit ends the call', async () => {
    const { steam, requests } = await clientOf(() => undefined)
    expect((await failureOf(steam.profiles([ME], 'click', AbortSignal.timeout(80)))).failure).toBe('timeout')
    expect(requests).toHaveLength(1)
    expect((await failureOf(steam.ownedGames(ME, 'background', AbortSignal.abort()))).failure).toBe('timeout')
    expect(requests).toHaveLength(1)
  })

  test('a budget that holds back is heard: no call, no second attempt', async () => {
    const { steam, requests, turns } = await clientOf(json(owned(portal)), {
      take: async () => {
        throw new SteamError('held_back', 'not now', 60)
      },
    })
    const error = await failureOf(steam.ownedGames(ME, 'click'))
    expect([error.failure, error.retryAfterSeconds]).toEqual(['held_back', 60])
    expect(requests).toEqual([])
    expect(turns).toEqual(['click'])
  })

  test('four calls at once, half of them free for clicks, and clicks go first', async () => {
    const waiting: { steamid: string; reply: () => void }[] = []
    const { steam, requests } = await clientOf((response, { query }) => {
      waiting.push({ steamid: query.get('steamid')!, reply: () => json(owned(portal))(response) })
    })
    const id = (nth: number) => String(76561197960265730n + BigInt(nth))
    const arrived = (count: number) => until(() => requests.length === count)

    const background = [1, 2, 3, 4].map((nth) => steam.ownedGames(id(nth), 'background'))
    await arrived(2)
    const clicks = [11, 12, 13].map((nth) => steam.ownedGames(id(nth), 'click'))
    await arrived(4)
    expect(waiting.map(({ steamid }) => steamid)).toEqual([id(1), id(2), id(11), id(12)])

    // One slot becomes free: the waiting click takes it, though background calls have waited longer.
    waiting[0]!.reply()
    await arrived(5)
    expect(waiting[4]!.steamid).toBe(id(13))

    for (let nth = 1; nth < 7; nth++) {
      await until(() => waiting.length > nth)
      waiting[nth]!.reply()
    }
    expect(await Promise.all([...background, ...clicks])).toHaveLength(7)
  })

  test('when one chunk fails for good, the others are given up and the failure is that chunk’s', async () => {
    const ids = Array.from({ length: 600 }, (_, nth) => String(76561197960265730n + BigInt(nth)))
    const { steam, requests } = await clientOf((response, _request, nth) => {
      if (nth === 1) answer(response, 403, KEY_REFUSED, HTML)
    })
    expect((await failureOf(steam.profiles(ids, 'click'))).failure).toBe('key_refused')
    expect(requests.length).toBeLessThanOrEqual(5)
  })
})

/** The event loop turns until a condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

function chainOf(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...chainOf(error.cause)] : []
}

/** Everything an object says of itself, as a log or a crash would show it. */
function spelledOut(value: unknown): string {
  return value instanceof Error
    ? `${value.message}\n${value.stack}\n${JSON.stringify(value, Object.getOwnPropertyNames(value))}`
    : JSON.stringify(value)
}
