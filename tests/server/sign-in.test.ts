/** SIGN-1 to SIGN-30, over real HTTP against the simulator's provider. */
import { describe, expect, test } from 'vitest'
import { libraryContract } from '#shared/contract/library.ts'
import { sessionContract } from '#shared/contract/session.ts'
import { newPlayer, nextSteamId, startTestApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { begin } from '../support/sign-in.ts'

const MINUTE = 60 * 1000
const DAY = 24 * 60 * 60 * 1000

describe.each(engines)('on %s', (engine) => {
  test('OPS-3, SIGN-1, SIGN-2: the redirect to Steam has realm and return_to of PUBLIC_URL, and sets the state cookie', async () => {
    const app = await startTestApp({ engine })
    const response = await fetch(`${app.url}/auth/steam`, { redirect: 'manual' })

    expect(response.status).toBe(302)
    const location = new URL(response.headers.get('location')!)
    expect(location.origin + location.pathname).toBe(app.simulator.openidUrl)
    expect(location.searchParams.get('openid.mode')).toBe('checkid_setup')
    expect(location.searchParams.get('openid.realm')).toBe(app.url)
    expect(location.searchParams.get('openid.return_to')).toMatch(
      new RegExp(`^${app.url}/auth/steam/return\\?state=[0-9a-z]+\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}$`),
    )
    const cookie = response.headers.getSetCookie()[0]!
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Lax/)
    expect(cookie).not.toMatch(/Secure/)
  })

  test('SIGN-3: a visitor at another host name of the server is sent to PUBLIC_URL first', async () => {
    const app = await startTestApp({ engine })
    const response = await fetch(`${app.url.replace('localhost', '127.0.0.1')}/auth/steam`, {
      redirect: 'manual',
    })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe(`${app.url}/auth/steam`)
  })

  test('SIGN-3: repeated sign-ins are redirected each time, but a misconfigured proxy causes no redirect loop', async () => {
    const app = await startTestApp({ engine })
    const at = `${app.url.replace('localhost', '127.0.0.1')}/auth/steam`
    const press = (moved: number) =>
      fetch(at, { redirect: 'manual', headers: { cookie: `shelfmates_moved=${moved}` } })
    for (const moved of [1, 2])
      expect((await press(moved)).headers.get('location')).toBe(`${app.url}/auth/steam`)
    expect((await press(3)).headers.get('location')).toContain('openid')
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
    const summary = await handover.call(libraryContract.summary, { steamId: ada.steam_id })
    expect(summary.display_name).toBe('Ada "the" <b>Great</b>')
  })

  test('SIGN-11, SIGN-25: a hand-over token is valid for 60 seconds, a session for 30 days after its last use', async () => {
    let now = Date.now()
    const app = await startTestApp({ engine, clock: () => now })
    const ada = await app.player()
    const handover = app.callsOf((await app.handover(ada.steam_id)).token)
    const summary = async (calls: typeof handover) =>
      (await calls.attempt(libraryContract.summary, { steamId: ada.steam_id })).status

    now += 59_000
    expect(await summary(handover)).toBe(200)
    now += 2_000
    expect(await summary(handover)).toBe(401)
    now += 29 * DAY
    expect(await summary(ada)).toBe(200)
    now += 29 * DAY
    expect(await summary(ada)).toBe(200)
    now += 31 * DAY
    expect(await summary(ada)).toBe(401)
  })

  test('uses of a session are written in batches and when a server stops; after a day, before the response', async () => {
    let now = Date.now()
    const app = await startTestApp({ engine, clock: () => now })
    const other = await startTestApp({ besides: app, clock: () => now })
    const ada = await app.player()
    const sessions = app.database.queries.selectFrom('sessions').where('steam_id', '=', ada.steam_id)
    const lastUses = async () =>
      (await sessions.select('last_used_at').execute()).map(({ last_used_at }) => last_used_at)
    await ada.call(libraryContract.summary, { steamId: ada.steam_id })
    const [signedIn] = await lastUses()

    now += 6 * MINUTE
    await Promise.all(
      Array.from({ length: 5 }, () =>
        other.callsOf(ada.token).call(libraryContract.summary, { steamId: ada.steam_id }),
      ),
    )
    expect(await lastUses()).toEqual([signedIn])
    await other.close()
    expect(await lastUses()).toEqual([now])

    now += DAY + MINUTE
    await ada.call(libraryContract.summary, { steamId: ada.steam_id })
    expect(await lastUses()).toEqual([now])
  })

  test('a server stops even when uses of sessions cannot be written', async () => {
    let now = Date.now()
    const app = await startTestApp({ engine, clock: () => now })
    const ada = await app.player()
    now += 6 * MINUTE
    await ada.call(libraryContract.summary, { steamId: ada.steam_id })
    await app.database.queries.schema.dropTable('sessions').execute()
    await expect(app.close()).resolves.toBeUndefined()
  })

  test('SIGN-26: logging out revokes this token and leaves the person’s other sessions alone', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player()
    const elsewhere = app.callsOf(await app.signIn(ada.steam_id))

    expect((await elsewhere.attempt(sessionContract.logOut, {})).status).toBe(204)
    expect((await elsewhere.attempt(sessionContract.logOut, {})).status).toBe(401)
    expect((await ada.attempt(libraryContract.summary, { steamId: ada.steam_id })).status).toBe(200)
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
    const rows = await app.database.queries.selectFrom('sessions').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(ada.token)
    expect(rows.every((row) => /^[0-9a-f]{64}$/.test(row.token_hash))).toBe(true)
  })

  describe('SIGN-7, SIGN-9: an invalid return leads to /login?error=steam_auth_failed and stores nothing', () => {
    test.each<[string, (attempt: Attempt) => Promise<Response>]>([
      ['without the state cookie', async ({ address }) => fetch(address, { redirect: 'manual' })],
      ['with another browser’s state', async ({ app, address }) => back(address, (await start(app)).cookie)],
      [
        'cancelled',
        async ({ app, cookie }) => back(`${app.url}/auth/steam/return?openid.mode=cancel`, cookie),
      ],
      ['without parameters', async ({ app, cookie }) => back(`${app.url}/auth/steam/return`, cookie)],
      [
        'with another person’s id',
        async ({ address, cookie, steamId }) => back(address.replaceAll(steamId, nextSteamId()), cookie),
      ],
      [
        'with a parameter given twice',
        async ({ address, cookie, steamId }) =>
          back(
            `${address}&openid.identity=${encodeURIComponent(`https://example.org/openid/id/${steamId}`)}`,
            cookie,
          ),
      ],
      [
        'replayed',
        async ({ address, cookie }) => {
          await back(address, cookie)
          return back(address, cookie)
        },
      ],
    ])('SIGN-5, OID-2: %s', async (_name, attack) => {
      const app = await startTestApp({ engine })
      const steamId = nextSteamId()
      app.simulator.addPlayer(newPlayer(steamId))
      const { cookie, returnTo } = await start(app)
      const before = await sessionsIn(app)
      const response = await attack({
        app,
        steamId,
        cookie,
        address: app.simulator.assertionFor(steamId, returnTo),
      })
      expect(response.status).toBe(302)
      expect(response.headers.get('location')).toBe(`${app.url}/login?error=steam_auth_failed`)
      // The replay's first use is the one that counts.
      expect(await sessionsIn(app)).toBe(before + (_name === 'replayed' ? 1 : 0))
    })
  })

  test('a database failure during a sign-in leads to /login?error=steam_auth_failed', async () => {
    const app = await startTestApp({ engine })
    const steamId = nextSteamId()
    app.simulator.addPlayer(newPlayer(steamId))
    const { cookie, returnTo } = await start(app)
    const address = app.simulator.assertionFor(steamId, returnTo)
    await app.database.close()
    const response = await back(address, cookie)
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe(`${app.url}/login?error=steam_auth_failed`)
  })

  test('OID-11: an assertion accepted by one server is refused by another server of the same database', async () => {
    const app = await startTestApp({ engine })
    const other = await startTestApp({ besides: app, env: { PUBLIC_URL: app.url } })
    const steamId = nextSteamId()
    app.simulator.addPlayer(newPlayer(steamId))
    const { cookie, returnTo } = await start(app)
    const address = app.simulator.assertionFor(steamId, returnTo)
    const [first, second] = await Promise.all([
      back(address, cookie),
      back(address.replace(app.url, other.address), cookie),
    ])
    const places = [first, second]
      .map((response) => new URL(response.headers.get('location')!).pathname)
      .sort()
    expect(places).toEqual(['/login', '/steam-auth-success'])
  })
})

type Attempt = { app: TestApp; steamId: string; cookie: string; address: string }

async function start(app: TestApp) {
  const { state, returnTo } = await begin(app.url)
  return { cookie: state.cookie, returnTo }
}

function back(address: string, cookie: string): Promise<Response> {
  return fetch(address, { headers: { cookie }, redirect: 'manual' })
}

async function sessionsIn(app: TestApp): Promise<number> {
  return (await app.database.queries.selectFrom('sessions').select('session_id').execute()).length
}
