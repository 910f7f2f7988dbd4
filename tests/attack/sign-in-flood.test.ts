/** Floods of forged sign-ins cost Steam and the database little, and keep nobody out. */
import { createHmac, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { libraryContract } from '#shared/contract/library.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { countUse } from '../../src/server/storage/account-uses.ts'
import { newPlayer, nextSteamId, startTestApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { begin, comeBack } from '../support/sign-in.ts'
import { syncGames } from '../support/sync-calls.ts'

const ATTACKER = '127.0.0.66'
const HANGS_MS = 7000
const FAILED = '/login?error=steam_auth_failed'

/** Differs after every commit. */
async function stateOf({ database }: TestApp): Promise<unknown> {
  const { opaque } = (await database.changesSince(undefined)).position
  const { version, snapshot } = opaque as { version?: number; snapshot?: string }
  return version ?? snapshot
}

describe.each(engines)('on %s', (engine) => {
  test('SIGN-6: 500 returns with invented states cause no call to Steam and no write to the database', async () => {
    const app = await startTestApp({ engine })
    const steamId = newcomer(app)
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
            headers: { cookie: `${state.cookie.split('=')[0]}=${forged}` },
            redirect: 'manual',
          })
          return back.headers.get('location')
        }),
      )
      expect(new Set(places)).toEqual(new Set([app.url + FAILED]))
      expect(app.simulator.calls).toHaveLength(0)
      return (await stateOf(app)) !== stateBefore
    }
    // Once a minute PostgreSQL's autovacuum makes transactions of its own, so a first change may not be a write.
    expect((await changesDatabase()) && (await changesDatabase())).toBe(false)
  })

  test('SIGN-4, SIGN-31: a state is valid for ten minutes, on every server of the installation and on no other', async () => {
    let now = Date.now()
    const app = await startTestApp({ engine, clock: () => now })
    const other = await startTestApp({ besides: app, clock: () => now, env: { PUBLIC_URL: app.url } })
    const elsewhere = await startTestApp({ engine, clock: () => now, env: { PUBLIC_URL: app.url } })
    const steamId = newcomer(app)
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
    now += 10 * 60_000 - 1
    expect(await back(atOther, other)).toBe('/steam-auth-success')
    now += 2
    const checksBefore = app.simulator.callsTo('check_authentication').length
    expect(await back(tooLate, app)).toBe('/login')
    expect(app.simulator.callsTo('check_authentication')).toHaveLength(checksBefore)
  })

  test('LIM-30: while Steam hangs and one address sends 520 returns, other people can sign in and use the product', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player()
    const attacker = newcomer(app)
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
      Array.from(
        { length: 20 },
        async () => (await ada.attempt(libraryContract.summary, { steamId: ada.steam_id })).status,
      ),
    )
    expect(statuses).toEqual(Array(20).fill(200))
    // On a busy machine the first checks may be over by now, and others follow.
    const rounds = 1 + Math.floor((performance.now() - began) / HANGS_MS)
    expect(checks().length).toBeLessThanOrEqual(4 * rounds)

    const others = await Promise.all(
      Array.from({ length: 4 }, () => comeBack(app.simulator, newcomer(app), app.url)),
    )
    for (const { landing } of others) expect(new URL(landing).pathname).toBe('/steam-auth-success')
    for (const { leave } of flood) leave()
  })

  test('a client that disconnects leaves the queue at once, whether its check was running or waiting', async () => {
    const app = await startTestApp({ engine })
    const attacker = newcomer(app)
    app.simulator.fail({ endpoint: 'check_authentication', steamId: attacker, kind: 'slow', ms: HANGS_MS })
    const returns = await Promise.all(Array.from({ length: 20 }, () => begin(app.url)))
    const flood = returns.map(({ state, returnTo }) =>
      sendFrom('127.0.0.1', app.simulator.assertionFor(attacker, returnTo), state.cookie),
    )
    await expect.poll(() => app.simulator.callsTo('check_authentication').length).toBeGreaterThanOrEqual(4)
    for (const { leave } of flood) leave()
    const started = performance.now()
    const { landing } = await comeBack(app.simulator, newcomer(app), app.url)
    expect(new URL(landing).pathname).toBe('/steam-auth-success')
    expect(performance.now() - started).toBeLessThan(HANGS_MS / 2)
  })

  test('LIM-31: endless forged returns do not keep out people of the same address who have signed in before', async () => {
    const app = await startTestApp({ engine })
    const pupil = await app.player()
    const ada = await app.player()
    app.simulator.clearCalls()
    const stop = new AbortController()
    // Many at a time, for invented accounts and the pupil's own.
    const forging = Array.from({ length: 60 }, async (_, n) => {
      while (!stop.signal.aborted) {
        const { state, returnTo } = await begin(app.url)
        const account = n % 2 === 0 ? nextSteamId() : pupil.steam_id
        const address = app.simulator.assertionFor(account, returnTo, { forged: { sig: 'AAAA' } })
        const { location, leave } = sendFrom('127.0.0.1', address, state.cookie)
        stop.signal.addEventListener('abort', leave)
        expect([app.url + FAILED, undefined]).toContain(await location)
      }
    })
    const checks = () => app.simulator.callsTo('check_authentication').length
    try {
      await vi.waitUntil(() => checks() >= 20, { timeout: 10_000 })
      const started = performance.now()
      const { landing } = await comeBack(app.simulator, ada.steam_id, app.url)
      const waited = performance.now() - started
      expect(new URL(landing).pathname).toBe('/steam-auth-success')
      // A burst of ten of each queue and her own, then one of each every three seconds.
      expect(checks()).toBeLessThanOrEqual(23 + (2 * waited) / 3000)
    } finally {
      stop.abort()
      await Promise.all(forging)
    }
  })

  test('LIM-31: 40 forged returns do not keep out a new account of the same address', async () => {
    const app = await startTestApp({ engine })
    const returns = await Promise.all(Array.from({ length: 40 }, () => begin(app.url)))
    let refused = 0
    for (const { state, returnTo } of returns) {
      const address = app.simulator.assertionFor(nextSteamId(), returnTo, { forged: { sig: 'AAAA' } })
      void sendFrom('127.0.0.1', address, state.cookie).location.then(() => refused++)
    }
    // Ten were checked and ten evicted, so all have arrived and twenty wait.
    await vi.waitUntil(() => refused >= 20, { timeout: 10_000 })
    const { landing } = await comeBack(app.simulator, newcomer(app), app.url)
    expect(new URL(landing).pathname).toBe('/steam-auth-success')
    expect(app.simulator.callsTo('check_authentication').length).toBeLessThan(20)
  })

  test('LIM-38, LIM-39, SIGN-9: one account can sign in 600 times in ten minutes on all servers together, and its profile is read thirty times', async () => {
    let now = Date.now()
    const shipped = { engine, callLimits: {}, clock: () => now }
    const app = await startTestApp(shipped)
    const other = await startTestApp({ ...shipped, besides: app })
    const ada = await app.player()
    const attacker = newcomer(app)
    const profiles = () => app.simulator.callsTo('GetPlayerSummaries', attacker).length
    const signIns = async (count: number) => {
      const returns = await Promise.all(
        Array.from({ length: count }, (_, n) =>
          comeBack(app.simulator, attacker, (n % 2 === 0 ? app : other).url),
        ),
      )
      return returns.map(({ landing }) => landing.slice(new URL(landing).origin.length))
    }
    await signIns(40)
    expect(profiles()).toBe(30)
    await countSignIns(app, attacker, 500, now)
    app.simulator.clearCalls()
    const refused = [...(await signIns(70)), ...(await signIns(70))].filter(
      (place) => !place.startsWith('/steam-auth-success?'),
    )
    expect(refused).toHaveLength(140 - 60)
    expect(new Set(refused)).toEqual(new Set([`${FAILED}&reason=too_many_requests`]))
    // The checks running when the last sign-in was used may finish; after that no request is sent.
    expect(app.simulator.callsTo('check_authentication', attacker).length).toBeLessThanOrEqual(70)
    expect(profiles()).toBe(0)
    // Enough calls are left for others.
    for (let n = 0; n < 8; n++) expect((await syncGames(ada)).status).toBe(200)

    now += 10 * 60_000
    const { landing } = await comeBack(app.simulator, attacker, app.url)
    expect(new URL(landing).pathname).toBe('/steam-auth-success')
    expect(profiles()).toBe(1)
  })

  test('LIM-38: deleting the account does not reset its sign-ins, and its id is not stored', async () => {
    const app = await startTestApp({ engine })
    const steamId = newcomer(app)
    const signIn = async () => app.callsOf(await app.signIn(steamId))
    const signInAndDelete = async () => {
      const me = await signIn()
      expect((await me.attempt(privacyContract.deleteAccount, { steamId })).status).toBe(204)
    }
    for (let n = 0; n < 5; n++) await signInAndDelete()
    const used = await app.database.queries.selectFrom('used_once').select(['kind', 'value']).execute()
    expect(JSON.stringify(used)).not.toContain(steamId)
    await countSignIns(app, steamId, 594, Date.now())
    await signInAndDelete()
    await expect(signIn()).rejects.toThrow('too_many_requests')
    expect(app.simulator.callsTo('GetPlayerSummaries', steamId)).toHaveLength(5)
  })

  test('150 people of one address can sign in at once', async () => {
    const app = await startTestApp({ engine })
    const returns = await Promise.all(
      Array.from({ length: 150 }, () => comeBack(app.simulator, newcomer(app), app.url)),
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

/** Counts this many sign-ins of an account. */
async function countSignIns(app: TestApp, steamId: string, times: number, now: number): Promise<void> {
  await app.database.transaction(async (tx) => {
    for (let n = 0; n < times; n++) await countUse(app.database, tx, 'sign_in', steamId, now)
  })
}

function newcomer(app: TestApp): string {
  const steamId = nextSteamId()
  app.simulator.addPlayer(newPlayer(steamId))
  return steamId
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
