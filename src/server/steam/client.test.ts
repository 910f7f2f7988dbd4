/** The client over real HTTP: requests, every kind of failure (PLAT-38 to PLAT-41). */
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { answer, scriptedServer, type Script } from '../../../tests/support/scripted-server.ts'
import {
  clientOf,
  failureOf,
  HTML,
  json,
  KEY,
  KEY_REFUSED,
  ME,
  owned,
  portal,
} from '../../../tests/support/scripted-steam.ts'
import { createSteamClient } from './client.ts'
import { type SteamError } from './port.ts'

describe('requests', () => {
  test('PLAT-16: GetOwnedGames requests names, played free games and unvetted games', async () => {
    const { steam, requests } = await clientOf(json(owned(portal)))
    await steam.ownedGames(ME, 'interactive')
    expect(requests[0]!.path).toBe('/IPlayerService/GetOwnedGames/v1/')
    expect(Object.fromEntries(requests[0]!.query)).toEqual({
      key: KEY,
      steamid: ME,
      include_appinfo: '1',
      include_played_free_games: '1',
      skip_unvetted_apps: '0',
    })
  })

  test('PLAT-24: 250 different profiles take three requests of at most 100 ids, with each id once', async () => {
    const ids = Array.from({ length: 250 }, (_, nth) => String(76561197960265730n + BigInt(nth)))
    const { steam, requests } = await clientOf((response, { query }) => {
      const players = query.get('steamids')!.split(',').toReversed()
      json({ response: { players: players.map((steamid) => ({ steamid, personaname: steamid })) } })(response)
    })
    const profiles = await steam.profiles([...ids, ...ids], 'interactive')
    expect(profiles.map((profile) => profile.steamId).toSorted()).toEqual(ids.toSorted())
    expect(profiles.every((profile) => profile.displayName === profile.steamId)).toBe(true)
    expect(requests[0]!.path).toBe('/ISteamUser/GetPlayerSummaries/v2/')
    expect(requests.map(({ query }) => query.get('steamids')!.split(',').length).toSorted()).toEqual([
      100, 100, 50,
    ])
  })

  test('PLAT-29: store items are requested in hundreds and without the key', async () => {
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
})

type Fault = [name: string, failure: SteamError['failure'], calls: number, fault: Script, seconds?: number]
/** Steam's response with a status, as HTML. */
const page =
  (status: number, retryAfter?: string, body: string | Uint8Array = '<h1>Oops</h1>'): Script =>
  (response) =>
    answer(response, status, body, {
      ...HTML,
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    })
const plain =
  (body: string | Uint8Array): Script =>
  (response) =>
    answer(response, 200, body)
/** Begins a JSON response, and then does this, or nothing. */
const begun =
  (then: (socket: Socket) => unknown = () => {}): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"response":', () => then(response.socket!))
  }
const faults: Fault[] = [
  ['PLAT-12: 500 with HTML', 'unavailable', 4, page(500)],
  ['PLAT-38: 502 with HTML', 'unavailable', 4, page(502)],
  ['503 with HTML', 'unavailable', 4, page(503)],
  ['503 with Retry-After', 'unavailable', 1, page(503, '30'), 30],
  ['PLAT-2: 429 with HTML', 'rate_limited', 4, page(429)],
  ['429 with Retry-After', 'rate_limited', 1, page(429, '120'), 120],
  [
    'PLAT-2: 429 with Retry-After as a date',
    'rate_limited',
    1,
    page(429, 'Wed, 01 Jan 2025 00:01:30 GMT'),
    90,
  ],
  ['PLAT-2: 429 with a Retry-After of a week', 'rate_limited', 1, page(429, '604800'), 604_800],
  ['429 with a Retry-After of a year, cut to a month', 'rate_limited', 1, page(429, '31536000'), 30 * 86_400],
  ['429 with an invalid Retry-After', 'rate_limited', 4, page(429, 'soon')],
  ['429 with a Retry-After of 0', 'rate_limited', 4, page(429, '0')],
  ['PLAT-2: 403 that does not name the key', 'forbidden', 1, page(403)],
  ['PLAT-20: 401 that names the key', 'invalid_key', 1, page(401, undefined, KEY_REFUSED)],
  ['PLAT-20: 403 that names the key', 'invalid_key', 1, page(403, undefined, KEY_REFUSED)],
  [
    'LIM-49: 403 with megabytes that almost name the key',
    'forbidden',
    1,
    page(403, undefined, 'verify your <'.repeat(100_000)),
  ],
  ['404', 'unavailable', 1, page(404)],
  ['200 with HTML', 'unavailable', 4, page(200)],
  ['PLAT-38: JSON with the content type of HTML', 'unavailable', 4, page(200, undefined, '{}')],
  ['PLAT-38: truncated JSON', 'unavailable', 4, plain('{"response":{"game_count":1,"ga')],
  ['an empty body', 'unavailable', 4, plain('')],
  [
    'bytes that are not UTF-8',
    'unavailable',
    4,
    plain(Buffer.from('{"response":{},"note":"\xff"}', 'latin1')),
  ],
  ['wrong shape', 'unavailable', 4, json({ response: { game_count: 2, games: [portal] } })],
  ['a connection closed at once', 'unavailable', 4, (response) => response.socket!.destroy()],
  ['a connection reset within the body', 'unavailable', 4, begun((socket) => socket.resetAndDestroy())],
  ['PLAT-38: no response', 'timeout', 4, () => undefined],
  ['PLAT-38: a body that never ends', 'timeout', 4, begun()],
]

describe('failures', () => {
  /** Short only where Steam never responds, so that a busy machine causes no other timeouts. */
  const timingOf = (failure: string) =>
    failure === 'timeout' ? { timeoutMs: 200, backgroundTimeoutMs: 200 } : undefined

  test.each(faults)('%s: %s after %i requests', async (_name, failure, calls, fault, seconds) => {
    const { steam, requests, turns, outcomes, pauses } = await clientOf(fault, { timing: timingOf(failure) })
    const error = await failureOf(steam.profiles([ME], 'interactive'))

    expect(error.failure).toBe(failure)
    expect(error.retryAfterSeconds).toBe(seconds)
    expect(requests).toHaveLength(calls)
    // Every attempt waits for the budget and is reported to it.
    expect(turns).toHaveLength(calls)
    expect(outcomes).toEqual(
      Array(calls).fill({
        ok: false,
        failure,
        ...(seconds !== undefined && { retryAfterSeconds: seconds }),
      }),
    )
    expect(pauses).toEqual([400, 800, 1600].slice(0, calls - 1))
  })

  test.each(faults)('%s: a background call is not retried', async (_name, failure, _calls, fault) => {
    const { steam, requests } = await clientOf(fault, { timing: timingOf(failure) })
    expect((await failureOf(steam.profiles([ME], 'background'))).failure).toBe(failure)
    expect(requests).toHaveLength(1)
  })

  test.each(faults)('PLAT-41: %s: the key is in no error or log', async (_name, failure, _calls, fault) => {
    const { steam, said } = await clientOf(fault, { timing: timingOf(failure) })
    const error = await failureOf(steam.ownedGames(ME, 'interactive'))
    const everything = [said, ...chainOf(error)].map(spelledOut).join('\n')
    for (const secret of [KEY, encodeURIComponent(KEY), 'SECRET', 'key=']) {
      expect(everything).not.toContain(secret)
    }
    expect(everything).toContain('GetOwnedGames')
  })

  test('a click that fails once succeeds at the second attempt', async () => {
    const { steam, requests, outcomes, pauses } = await clientOf(
      (response, _request, nth) =>
        nth === 1 ? answer(response, 503, '', HTML) : json(owned(portal))(response),
      { random: 0 },
    )
    expect((await steam.ownedGames(ME, 'interactive')).status).toBe('ok')
    expect(requests).toHaveLength(2)
    expect(outcomes).toMatchObject([{ ok: false, failure: 'unavailable' }, { ok: true }])
    expect(pauses).toEqual([200])
  })

  test('the error of a refused connection does not contain the key', async () => {
    const { url } = await scriptedServer(() => undefined)
    const said: unknown[] = []
    const log = {
      debug: (...all: unknown[]) => void said.push(all),
      warn: (...all: unknown[]) => void said.push(all),
    }
    const budget = { take: async () => ({ failing: false }), report: async () => undefined }
    const nowhere = url.replace(/:\d+$/, ':1')
    const steam = createSteamClient({
      apiUrl: nowhere,
      apiKey: KEY,
      budget,
      log,
      sleep: async () => undefined,
    })
    const error = await failureOf(steam.friendList(ME, 'interactive'))
    expect(error.failure).toBe('unavailable')
    expect([said, ...chainOf(error)].map(spelledOut).join('\n')).not.toContain('SECRET')
  })

  test('a redirect is a failure and is not followed', async () => {
    const target = await scriptedServer(json(owned(portal)))
    const { steam, requests } = await clientOf((response) =>
      answer(response, 302, '', { location: `${target.url}/elsewhere` }),
    )
    expect((await failureOf(steam.ownedGames(ME, 'interactive'))).failure).toBe('unavailable')
    expect(requests).toHaveLength(1)
    expect(target.requests).toEqual([])
  })

  test('PLAT-18: reading an endless response stops at the size limit', async () => {
    const megabyte = ' '.repeat(1024 * 1024)
    const { steam, requests } = await clientOf((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        if (!response.destroyed) response.write(megabyte, more)
      }
      more()
    })
    expect((await failureOf(steam.ownedGames(ME, 'interactive'))).failure).toBe('unavailable')
    expect(requests).toHaveLength(1)
  })
})

function chainOf(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...chainOf(error.cause)] : []
}

/** Everything a log or a crash report would show of a value. */
function spelledOut(value: unknown): string {
  return value instanceof Error
    ? `${value.message}\n${value.stack}\n${JSON.stringify(value, Object.getOwnPropertyNames(value))}`
    : JSON.stringify(value)
}
