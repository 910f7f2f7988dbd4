/** SIGN-1 to SIGN-35, over real HTTP against the simulator's provider. */
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import type { FaultRule } from '../../src/simulator/faults.ts'
import { api, engines, nextSteamId, startAt, startTestApp, type TestApp } from '../support/app.ts'
import { begin } from '../support/sign-in.ts'

const MINUTE = 60 * 1000
const DAY = 24 * 60 * 60 * 1000

describe.each(engines)('on %s', (engine) => {
  test('OPS-1, SIGN-1, SIGN-2: the redirect to Steam has realm and return_to of PUBLIC_URL, and sets the state cookie', async () => {
    const app = await startTestApp({ engine })
    const response = await fetch(`${app.url}/auth/steam`, { redirect: 'manual' })

    expect(response.status).toBe(302)
    const location = new URL(response.headers.get('location')!)
    expect(location.origin + location.pathname).toBe(app.simulator.openidUrl)
    expect(location.searchParams.get('openid.mode')).toBe('checkid_setup')
    expect(location.searchParams.get('openid.realm')).toBe(app.url)
    // Which lets the visitor choose an account.
    for (const name of ['openid.identity', 'openid.claimed_id'])
      expect(location.searchParams.get(name)).toMatch(/\/identifier_select$/)
    expect(location.searchParams.get('openid.return_to')).toMatch(
      new RegExp(`^${app.url}/auth/steam/return\\?state=[0-9a-z]+\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}$`),
    )
    const cookie = response.headers.getSetCookie()[0]!
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Lax/)
    expect(cookie).not.toMatch(/Secure/)
  })

  test('SIGN-2: a visitor at another host name of the server is sent to PUBLIC_URL first', async () => {
    const app = await startTestApp({ engine })
    const response = await fetch(`${app.url.replace('localhost', '127.0.0.1')}/auth/steam`, {
      redirect: 'manual',
    })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe(`${app.url}/auth/steam`)
  })

  test('SIGN-8, SIGN-16: the landing page gets steam id, name, avatar and a hand-over token that is valid at once', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player({ name: 'Ada "the" <b>Great</b>' })
    const landing = new URL((await app.returnFromPlatform(ada.steam_id)).landing)

    expect(landing.origin + landing.pathname).toBe(`${app.url}/steam-auth-success`)
    expect(landing.searchParams.get('steam_id')).toBe(ada.steam_id)
    expect(landing.searchParams.get('display_name')).toBe('Ada "the" <b>Great</b>')
    expect(landing.searchParams.get('avatar_url')).toMatch(/^http/)
    const handover = app.callsOf(landing.searchParams.get('token')!)
    const summary = await handover.call(api.library.summary, ada.user)
    expect(summary.display_name).toBe('Ada "the" <b>Great</b>')
  })

  test('SIGN-12, SIGN-24: a hand-over token is valid for 60 seconds, a session for 30 days after its last use', async () => {
    const { app, time } = await startAt(Date.now(), { engine })
    const ada = await app.player()
    const handover = app.callsOf((await app.handover(ada.steam_id)).token)
    const summary = async (calls: typeof handover) =>
      (await calls.attempt(api.library.summary, ada.user)).status

    time.now += 59_000
    expect(await summary(handover)).toBe(200)
    time.now += 2_000
    expect(await summary(handover)).toBe(401)
    time.now += 29 * DAY
    expect(await summary(ada)).toBe(200)
    time.now += 29 * DAY
    expect(await summary(ada)).toBe(200)
    time.now += 31 * DAY
    expect(await summary(ada)).toBe(401)
  })

  test('SIGN-26: logging out revokes this token and leaves the person’s other sessions alone', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player()
    const elsewhere = app.callsOf(await app.signIn(ada.steam_id))

    expect((await elsewhere.attempt(api.session.logOut, {})).status).toBe(204)
    expect((await elsewhere.attempt(api.session.logOut, {})).status).toBe(401)
    expect((await ada.attempt(api.library.summary, ada.user)).status).toBe(200)
  })

  test('API-1, SIGN-28: only the bearer header signs in, not a cookie or the query', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player()
    const path = `/api/users/${ada.steam_id}/summary_local`
    const nobody = app.callsOf(undefined)
    expect((await nobody.request(`${path}?token=${ada.token}&access_token=${ada.token}`)).status).toBe(401)
    expect((await nobody.request(path, { headers: { cookie: `token=${ada.token}` } })).status).toBe(401)
    expect((await nobody.request(path, { headers: { authorization: `Basic ${ada.token}` } })).status).toBe(
      401,
    )
  })

  test('SIGN-24: the database has only hashes of tokens', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player()
    const rows = await app.db.selectFrom('sessions').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(ada.token)
    expect(rows.every((row) => /^[0-9a-f]{64}$/.test(row.token_hash))).toBe(true)
  })

  describe('SIGN-7, SIGN-9, SIGN-33: an invalid return leads to /login?error=steam_auth_failed with the reason, and stores nothing', () => {
    const attacks: Record<string, Record<string, (attempt: Attempt) => Promise<Response>>> = {
      other_browser: {
        'without the state cookie': ({ address }) => fetch(address, { redirect: 'manual' }),
        'with another browser’s state': async ({ app, address }) => back(address, (await start(app)).cookie),
        'of a sign-in that began eleven minutes ago': ({ address, cookie, wait }) => {
          wait(11 * MINUTE)
          return back(address, cookie)
        },
        'without parameters': ({ app, cookie }) => back(`${app.url}/auth/steam/return`, cookie),
        'replayed in another browser': async ({ app, address, cookie }) => {
          await back(address, cookie)
          return back(address, (await start(app)).cookie)
        },
      },
      cancelled: {
        cancelled: ({ app, cookie }) => back(`${app.url}/auth/steam/return?openid.mode=cancel`, cookie),
      },
      not_confirmed: {
        'with another person’s id': ({ address, cookie, steamId }) =>
          back(address.replaceAll(steamId, nextSteamId()), cookie),
        'with a parameter given twice': ({ address, cookie, steamId }) =>
          back(
            `${address}&openid.identity=${encodeURIComponent(`https://example.org/openid/id/${steamId}`)}`,
            cookie,
          ),
        'replayed in another browser, with its state': async ({ app, address, cookie, returnTo }) => {
          await back(address, cookie)
          const mine = await start(app)
          const [my, their] = [mine.returnTo, returnTo].map((url) => new URL(url).searchParams.get('state')!)
          return back(address.replaceAll(their!, my!), mine.cookie)
        },
      },
      clock: {
        'of Steam’s when the clock of this server has gone wrong': ({ address, cookie, wait }) => {
          wait(6 * MINUTE)
          return back(address, cookie)
        },
      },
    }
    const rows = Object.entries(attacks).flatMap(([reason, all]) =>
      Object.entries(all).map(([name, attack]) => [name, reason, attack] as const),
    )
    test.each(rows)('SIGN-4, OID-2: %s', async (name, reason, attack) => {
      let late = 0
      const lines: string[] = []
      const app = await startTestApp({
        engine,
        clock: () => Date.now() + late,
        logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
      })
      const steamId = app.newcomer()
      const { cookie, returnTo } = await start(app)
      const before = await sessionsIn(app)
      const response = await attack({
        app,
        steamId,
        cookie,
        returnTo,
        address: app.simulator.assertionFor(steamId, returnTo),
        wait: (ms) => (late += ms),
      })
      expect(response.status).toBe(302)
      expect(response.headers.get('location')).toBe(
        `${app.url}/login?error=steam_auth_failed&reason=${reason}`,
      )
      // The replay's first use is the one that counts.
      expect(await sessionsIn(app)).toBe(before + (name.startsWith('replayed') ? 1 : 0))
      expect(lines.filter((line) => line.includes('sign-in refused'))).toHaveLength(1)
    })
  })

  test('SIGN-33: at most sixty refused sign-ins a minute are logged', async () => {
    const lines: string[] = []
    const now = Date.UTC(2026, 0, 1)
    const app = await startTestApp({
      engine,
      clock: () => now,
      logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    })
    for (let n = 0; n < 100; n++) await back(`${app.url}/auth/steam/return`, '')
    expect(lines.filter((line) => line.includes('sign-in refused'))).toHaveLength(60)
    expect(lines.filter((line) => line.includes('more sign-ins were refused'))).toHaveLength(1)
  })

  test.each(['first', 'second'])('SIGN-32: sign-ins begun in two tabs work (%s first)', async (which) => {
    const app = await startTestApp({ engine })
    const steamId = app.newcomer()
    const browser = createBrowser()
    const begun = [await browser.begin(app), await browser.begin(app)]
    if (which === 'second') begun.reverse()
    for (const returnTo of begun) {
      const { pathname } = await browser.open(app.simulator.assertionFor(steamId, returnTo))
      expect(pathname).toBe('/steam-auth-success')
    }
  })

  test('SIGN-32: a refused return leaves the sign-in of another tab alone', async () => {
    const app = await startTestApp({ engine })
    const browser = createBrowser()
    const [refused, other] = [await browser.begin(app), await browser.begin(app)]
    const forged = app.simulator.assertionFor(nextSteamId(), refused, { forged: { sig: 'AAAA' } })
    expect((await browser.open(forged)).pathname).toBe('/login')
    expect((await browser.open(app.simulator.assertionFor(app.newcomer(), other))).pathname).toBe(
      '/steam-auth-success',
    )
  })

  test('SIGN-32: a browser keeps the cookies of its ten latest sign-ins', async () => {
    const { app, time } = await startAt(Date.now(), { engine })
    const browser = createBrowser()
    const begun: string[] = []
    for (let n = 0; n < 12; n++) {
      time.now += 1000
      begun.push(await browser.begin(app))
    }
    expect(browser.cookies.size).toBe(10)
    const places = []
    for (const returnTo of [begun[1]!, begun[2]!])
      places.push((await browser.open(app.simulator.assertionFor(app.newcomer(), returnTo))).pathname)
    expect(places).toEqual(['/login', '/steam-auth-success'])
  })

  test('SIGN-35: a return that the same browser has used, reloaded, leads to the dashboard without a token; a second approval signs in again', async () => {
    const { app, time } = await startAt(Date.now(), { engine })
    const other = await startTestApp({ besides: app, clock: () => time.now, env: { PUBLIC_URL: app.url } })
    const steamId = app.newcomer()
    const browser = createBrowser()
    const returnTo = await browser.begin(app)
    const address = app.simulator.assertionFor(steamId, returnTo)
    expect((await browser.open(address)).pathname).toBe('/steam-auth-success')
    app.simulator.clearCalls()
    const sessions = await sessionsIn(app)
    time.now += 6 * MINUTE
    for (const at of [app.url, other.address])
      expect((await browser.open(address.replace(app.url, at))).href).toBe(`${app.url}/dashboard`)
    expect(app.simulator.calls).toEqual([])
    expect(await sessionsIn(app)).toBe(sessions)
    time.now -= 6 * MINUTE
    const again = await browser.open(app.simulator.assertionFor(steamId, returnTo))
    expect(again.pathname).toBe('/steam-auth-success')
    expect(again.searchParams.get('steam_id')).toBe(steamId)
  })

  test('SIGN-35: one of several equal returns gets the token, the others the dashboard', async () => {
    const app = await startTestApp({ engine })
    const browser = createBrowser()
    const address = app.simulator.assertionFor(app.newcomer(), await browser.begin(app))
    app.simulator.fail({ endpoint: 'check_authentication', kind: 'slow', ms: 300 })
    const places = await Promise.all(Array.from({ length: 5 }, () => browser.open(address)))
    expect(places.map(({ pathname }) => pathname).sort()).toEqual([
      ...Array<string>(4).fill('/dashboard'),
      '/steam-auth-success',
    ])
    expect(app.simulator.callsTo('check_authentication')).toHaveLength(1)
  })

  test.each([
    { 'sec-purpose': 'prefetch;prerender' },
    { 'sec-purpose': 'prefetch' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
  ] as Record<string, string>[])('SIGN-32: a prefetch uses nothing up: %j', async (headers) => {
    const app = await startTestApp({ engine })
    const browser = createBrowser()
    const start = await fetch(`${app.url}/auth/steam`, { headers, redirect: 'manual' })
    expect([start.status, start.headers.getSetCookie()]).toEqual([204, []])
    const address = app.simulator.assertionFor(app.newcomer(), await browser.begin(app))
    const cookie = [...browser.cookies.values()].join('; ')
    const early = await fetch(address, { headers: { ...headers, cookie }, redirect: 'manual' })
    expect([early.status, early.headers.getSetCookie()]).toEqual([204, []])
    expect(app.simulator.calls).toEqual([])
    expect((await browser.open(address)).pathname).toBe('/steam-auth-success')
  })

  test.each<[string, FaultRule]>([
    ['a reset', { kind: 'reset' }],
    ['status 502', { kind: 'status', status: 502 }],
    ['status 429', { kind: 'status', status: 429 }],
    ['status 503 with Retry-After', { kind: 'status', status: 503, headers: { 'retry-after': '1' } }],
    ['a page of maintenance', { kind: 'html_200' }],
  ])('OID-17: one hiccup of Steam’s confirmation costs nobody their sign-in: %s', async (_name, fault) => {
    const app = await startTestApp({ engine })
    const browser = createBrowser()
    const address = app.simulator.assertionFor(app.newcomer(), await browser.begin(app))
    app.simulator.fail({ ...fault, endpoint: 'check_authentication', times: 1 })
    expect((await browser.open(address)).pathname).toBe('/steam-auth-success')
  })

  test('a database failure during a sign-in leads to /login?error=steam_auth_failed', async () => {
    const app = await startTestApp({ engine })
    const steamId = app.newcomer()
    const { cookie, returnTo } = await start(app)
    const address = app.simulator.assertionFor(steamId, returnTo)
    await app.database.close()
    const response = await back(address, cookie)
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe(`${app.url}/login?error=steam_auth_failed`)
  })

  test('OID-10: an assertion accepted by one server is refused by another server of the same database', async () => {
    const app = await startTestApp({ engine })
    const other = await startTestApp({ besides: app, env: { PUBLIC_URL: app.url } })
    const steamId = app.newcomer()
    const { cookie, returnTo } = await start(app)
    const address = app.simulator.assertionFor(steamId, returnTo)
    const [first, second] = await Promise.all([
      back(address, cookie),
      back(address.replace(app.url, other.address), cookie),
    ])
    const places = [first, second].map((response) => new URL(response.headers.get('location')!).pathname)
    expect(places.filter((place) => place === '/steam-auth-success')).toHaveLength(1)
    expect(await sessionsIn(app)).toBe(1)
  })
})

type Attempt = {
  app: TestApp
  steamId: string
  cookie: string
  returnTo: string
  address: string
  /** Sets the clock of the server ahead. */
  wait: (ms: number) => void
}

/** What a browser does: it keeps the cookies of all its tabs. */
function createBrowser() {
  const cookies = new Map<string, string>()
  async function open(url: string, init: RequestInit = {}): Promise<URL> {
    const headers = { cookie: [...cookies.values()].join('; ') }
    const response = await fetch(url, { redirect: 'manual', headers, ...init })
    for (const set of response.headers.getSetCookie()) {
      const name = set.slice(0, set.indexOf('='))
      if (/Max-Age=0|Expires=Thu, 01 Jan 1970/.test(set)) cookies.delete(name)
      else cookies.set(name, set.split(';')[0]!)
    }
    return new URL(response.headers.get('location')!)
  }
  /** Begins a sign-in in a tab; returns its `return_to`. */
  const begin = async (app: TestApp) =>
    (await open(`${app.url}/auth/steam`)).searchParams.get('openid.return_to')!
  return { cookies, open, begin }
}

async function start(app: TestApp) {
  const { state, returnTo } = await begin(app.url)
  return { cookie: state.cookie, returnTo }
}

function back(address: string, cookie: string): Promise<Response> {
  return fetch(address, { headers: { cookie }, redirect: 'manual' })
}

async function sessionsIn(app: TestApp): Promise<number> {
  return (await app.db.selectFrom('sessions').select('session_id').execute()).length
}
