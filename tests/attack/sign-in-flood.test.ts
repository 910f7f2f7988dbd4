/** Floods of forged sign-ins cost Steam and the database little, and keep nobody out. */
import { createHmac, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { api, engines, nextSteamId, startAt, startTestApp, type TestApp } from '../support/app.ts'
import { begin, comeBack } from '../support/sign-in.ts'

const ATTACKER = '127.0.0.66'
const HANGS_MS = 5000
/** After which the server asks Steam again. */
const TRY_MS = 6000
const FAILED = '/login?error=steam_auth_failed'

/** Differs after every commit. */
async function stateOf({ database }: TestApp): Promise<unknown> {
  const { opaque } = (await database.changesSince(undefined)).position
  const { version, snapshot } = opaque as { version?: number; snapshot?: string }
  return version ?? snapshot
}

describe.each(engines)('on %s', (engine) => {
  test('SIGN-4: 500 returns with invented states cause no call to Steam and no write to the database', async () => {
    const app = await startTestApp({ engine })
    const steamId = app.newcomer()
    const { state } = await begin(app.url)
    const own = valueOf(state.cookie)
    const invented = [
      () => randomBytes(16).toString('base64url'),
      () => own.replace(/^[^.]+/, (Date.now() + 1000).toString(36)),
      () => own.replace(/\.[^.]+$/, `.${randomBytes(32).toString('base64url')}`),
      () => `${own}x`,
      () => signedByAnother(own),
    ]
    const changesDatabase = async () => {
      const stateBefore = await stateOf(app)
      const places = await Promise.all(
        Array.from({ length: 500 }, async (_, n) => {
          const forged = invented[n % invented.length]!()
          const address = app.simulator.assertionFor(steamId, `${app.url}/auth/steam/return?state=${forged}`)
          const back = await fetch(address, {
            headers: { cookie: `shelfmates_sign_in_${forged.split('.')[1]}=${forged}` },
            redirect: 'manual',
          })
          return back.headers.get('location')
        }),
      )
      expect(new Set(places)).toEqual(new Set([`${app.url}${FAILED}&reason=other_browser`]))
      expect(app.simulator.calls).toHaveLength(0)
      return (await stateOf(app)) !== stateBefore
    }
    // Once a minute PostgreSQL's autovacuum makes transactions of its own, so a first change may not be a write.
    expect((await changesDatabase()) && (await changesDatabase())).toBe(false)
  })

  test('SIGN-4: a state is valid for ten minutes, on every server of the installation and on no other', async () => {
    const { app, time } = await startAt(Date.now(), { engine })
    const other = await startTestApp({ besides: app, clock: () => time.now, env: { PUBLIC_URL: app.url } })
    const elsewhere = await startTestApp({ engine, clock: () => time.now, env: { PUBLIC_URL: app.url } })
    const steamId = app.newcomer()
    const [atOther, tooLate, atElsewhere] = [await begin(app.url), await begin(app.url), await begin(app.url)]
    const back = async ({ state, returnTo }: typeof atOther, { address }: TestApp) => {
      const to = app.simulator.assertionFor(steamId, returnTo)
      const response = await fetch(to.replace(app.url, address), {
        headers: { cookie: state.cookie },
        redirect: 'manual',
      })
      return new URL(response.headers.get('location')!).pathname
    }
    expect(await back(atElsewhere, elsewhere)).toBe('/login')
    time.now += 10 * 60_000 - 1
    expect(await back(atOther, other)).toBe('/steam-auth-success')
    time.now += 2
    const checksBefore = app.simulator.callsTo('check_authentication').length
    expect(await back(tooLate, app)).toBe('/login')
    expect(app.simulator.callsTo('check_authentication')).toHaveLength(checksBefore)
  })

  test('LIM-30: while Steam hangs and one address sends 520 returns, other people can sign in and use the product', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player()
    const attacker = app.newcomer()
    app.simulator.clearCalls()
    app.simulator.fail({ endpoint: 'check_authentication', kind: 'slow', ms: HANGS_MS })
    const returns = await Promise.all(
      Array.from({ length: 520 }, async () => {
        const { state, returnTo } = await begin(app.url)
        return { state, address: app.simulator.assertionFor(attacker, returnTo) }
      }),
    )
    const began = performance.now()
    const flood = returns.map(({ state, address }) => sendFrom(ATTACKER, address, state.cookie))
    const checks = () => app.simulator.callsTo('check_authentication')
    await expect.poll(() => checks().length).toBeGreaterThan(0)
    // Returns that are refused at once have been refused when a later request gets its response.
    await sendFrom(ATTACKER, `${app.url}/auth/steam`, '').location

    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await ada.attempt(api.library.summary, ada.user)).status),
    )
    expect(statuses).toEqual(Array(20).fill(200))
    // On a busy machine the first checks may be over by now, and others follow.
    const rounds = 1 + Math.floor((performance.now() - began) / TRY_MS)
    expect(checks().length).toBeLessThanOrEqual(10 * rounds)

    const others = await Promise.all(
      Array.from({ length: 4 }, () => comeBack(app.simulator, app.newcomer(), app.url)),
    )
    for (const { landing } of others) expect(new URL(landing).pathname).toBe('/steam-auth-success')
    for (const { leave } of flood) leave()
  })

  test('LIM-30: a client that disconnects leaves its address’s slots at once, whether its check was running or waiting', async () => {
    const app = await startTestApp({ engine })
    const attacker = app.newcomer()
    app.simulator.fail({ endpoint: 'check_authentication', steamId: attacker, kind: 'slow', ms: HANGS_MS })
    const returns = await Promise.all(Array.from({ length: 20 }, () => begin(app.url)))
    const flood = returns.map(({ state, returnTo }) =>
      sendFrom('127.0.0.1', app.simulator.assertionFor(attacker, returnTo), state.cookie),
    )
    await expect.poll(() => app.simulator.callsTo('check_authentication').length).toBeGreaterThanOrEqual(10)
    for (const { leave } of flood) leave()
    const started = performance.now()
    const { landing } = await comeBack(app.simulator, app.newcomer(), app.url)
    expect(new URL(landing).pathname).toBe('/steam-auth-success')
    expect(performance.now() - started).toBeLessThan(HANGS_MS / 2)
  })

  test('LIM-31: after 30 returns of an address that Steam has not confirmed, its next ones cost Steam no call for the rest of the minute; other addresses sign in', async () => {
    const { app, time } = await startAt(Date.UTC(2026, 0, 1), { engine, env: { TRUST_PROXY: '127.0.0.1' } })
    const checks = () => app.simulator.callsTo('check_authentication').length
    const forgeries = await Promise.all(Array.from({ length: 100 }, () => begin(app.url)))
    const forge = async ({ state, returnTo }: (typeof forgeries)[0]) => {
      const address = app.simulator.assertionFor(nextSteamId(), returnTo, { forged: { sig: 'AAAA' } })
      return placeOf(await fetch(address, asOne(state.cookie)))
    }
    const places = await Promise.all(forgeries.map(forge))
    // Those that ran beside the thirtieth.
    expect(checks()).toBeLessThanOrEqual(30 + 10)
    expect(places.filter((place) => place === `${FAILED}&reason=not_confirmed`)).toHaveLength(checks())
    expect(places.filter((place) => place === `${FAILED}&reason=too_many_requests`)).toHaveLength(
      100 - checks(),
    )
    const { landing } = await comeBack(app.simulator, app.newcomer(), app.url)
    expect(new URL(landing).pathname).toBe('/steam-auth-success')

    time.now += 60_000
    const { state, returnTo } = await begin(app.url)
    const address = app.simulator.assertionFor(app.newcomer(), returnTo)
    expect(placeOf(await fetch(address, asOne(state.cookie)))).toMatch(/^\/steam-auth-success/)
  })

  test('LIM-30: 150 people of one address can sign in at once', async () => {
    const app = await startTestApp({ engine })
    const returns = await Promise.all(
      Array.from({ length: 150 }, () => comeBack(app.simulator, app.newcomer(), app.url)),
    )
    const places = returns.map(({ landing }) => new URL(landing).pathname)
    expect(places).toEqual(Array(150).fill('/steam-auth-success'))
  })
})

test('starting a sign-in needs no query', async () => {
  const app = await startTestApp()
  await app.database.close()
  const { state } = await begin(app.url)
  expect(state.header).toContain('SameSite=Lax')
})

/** A return by another client behind the proxy of the tests. */
function asOne(cookie: string): RequestInit {
  return { headers: { cookie, 'x-forwarded-for': '203.0.113.8' }, redirect: 'manual' }
}

function placeOf(response: Response): string {
  const { pathname, search } = new URL(response.headers.get('location')!)
  return pathname + search
}

/** Sends a GET from a chosen loopback address; `leave` disconnects. */
function sendFrom(localAddress: string, address: string, cookie: string) {
  const sent = request(address, { localAddress, family: 4, agent: false, headers: { cookie } })
  const location = new Promise<string | undefined>((resolve) => {
    sent.once('response', (response) => {
      response.resume()
      resolve(response.headers.location)
    })
    // Disconnected by the test before the response.
    sent.once('error', () => resolve(undefined))
  })
  sent.end()
  const leave = () => void sent.destroy()
  onTestFinished(leave)
  return { location, leave }
}

/** The same state with a MAC made with another secret. */
function signedByAnother(state: string): string {
  const payload = state.slice(0, state.lastIndexOf('.'))
  const secret = randomBytes(32)
  return `${payload}.${createHmac('sha256', secret).update(`sign-in state\0${payload}`).digest('base64url')}`
}

function valueOf(cookie: string): string {
  return cookie.slice(cookie.indexOf('=') + 1)
}
