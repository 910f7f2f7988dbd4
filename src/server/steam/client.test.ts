/** The client over real HTTP: what goes over the wire, every fault of STEAM.md, time limits and turns. */
import { describe, expect, test } from 'vitest'
import { answer, scriptedServer, type Script } from '../../../tests/support/scripted-server.ts'
import { clientOf, failureOf, json, KEY, owned, portal } from '../../../tests/support/scripted-platform.ts'
import { createSteamClient } from './client.ts'
import { SteamError } from './port.ts'

const ME = '76561197960265730'
const HTML = { 'content-type': 'text/html; charset=UTF-8' }
const KEY_REFUSED =
  '<html><head><title>Forbidden</title></head><body><h1>Forbidden</h1>Access is denied. Retrying will not help. ' +
  'Please verify your <pre>key=</pre> parameter.</body></html>'

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
