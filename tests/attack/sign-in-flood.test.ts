/** Strangers who come back from a platform they never went to: what they cost, and whom they keep out. */
import { createHmac, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { libraryContract } from '#shared/contract/library.ts'
import { newPlayer, nextSteamId, startTestApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { begin, comeBack } from '../support/sign-in.ts'

const ATTACKER = '127.0.0.66'
const HANGS_MS = 7000
const FAILED = '/login?error=steam_auth_failed'

describe.each(engines)('on %s', (engine) => {
  test('500 returns with invented states cost the platform no call and the database no write', async () => {
    const app = await startTestApp({ engine })
    const steamId = newcomer(app)
    const { state } = await begin(app.url)
    const own = valueOf(state.cookie)
    const stateBefore = await app.database.state()
    const invented = [
      () => randomBytes(16).toString('base64url'),
      () => own.replace(/^[^.]+/, (Date.now() + 1000).toString(36)),
      () => own.replace(/[^.]+$/, randomBytes(32).toString('base64url')),
      () => `${own}x`,
      () => signedByAnother(own),
    ]
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
    expect(app.simulator.callsTo('check_authentication')).toHaveLength(0)
    expect(await app.database.state()).toBe(stateBefore)
  })

  test('a state is good for ten minutes, at every server of the database and at no other installation', async () => {
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
    const asked = app.simulator.callsTo('check_authentication').length
    expect(await back(tooLate, app)).toBe('/login')
    expect(app.simulator.callsTo('check_authentication')).toHaveLength(asked)
  })

  test('while the platform hangs and one address sends 520 returns, others sign in and the signed-in are served', async () => {
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
    const flood = returns.map(({ state, address }) => sendFrom(ATTACKER, address, state.cookie))
    const asked = () => app.simulator.callsTo('check_authentication')
    await expect.poll(() => asked().length).toBeGreaterThan(0)
    // All that is refused at once has been refused when another request of theirs is answered.
    await sendFrom(ATTACKER, `${app.url}/auth/steam`, '').location

    const statuses = await Promise.all(
      Array.from(
        { length: 20 },
        async () => (await ada.attempt(libraryContract.summary, { steamId: ada.steam_id })).status,
      ),
    )
    expect(statuses).toEqual(Array(20).fill(200))
    expect(asked().length).toBeLessThanOrEqual(4)

    const others = await Promise.all(
      Array.from({ length: 4 }, () => comeBack(app.simulator, newcomer(app), app.url)),
    )
    for (const { landing } of others) expect(new URL(landing).pathname).toBe('/steam-auth-success')
    for (const { leave } of flood) leave()
  })

  test('who goes away gives the place back at once, whether it was asked about or waiting', async () => {
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

  test('an address whose sign-ins keep failing is not asked about any more; others are', async () => {
    const app = await startTestApp({ engine })
    const attacker = newcomer(app)
    const forged = async () => {
      const { state, returnTo } = await begin(app.url)
      const address = app.simulator.assertionFor(attacker, returnTo, { forged: { sig: 'AAAA' } })
      return sendFrom(ATTACKER, address, state.cookie).location
    }
    for (let n = 0; n < 40; n++) expect(await forged()).toBe(app.url + FAILED)
    expect(app.simulator.callsTo('check_authentication', attacker)).toHaveLength(30)
    const { landing } = await comeBack(app.simulator, newcomer(app), app.url)
    expect(new URL(landing).pathname).toBe('/steam-auth-success')
  })

  test('150 people of one address sign in at once', async () => {
    const app = await startTestApp({ engine })
    const returns = await Promise.all(
      Array.from({ length: 150 }, () => comeBack(app.simulator, newcomer(app), app.url)),
    )
    const places = returns.map(({ landing }) => new URL(landing).pathname)
    expect(places).toEqual(Array(150).fill('/steam-auth-success'))
  })
})

test('beginning a sign-in asks the database for nothing', async () => {
  const app = await startTestApp()
  await app.database.close()
  const { state } = await begin(app.url)
  expect(state.header).toContain('SameSite=Lax')
})

function newcomer(app: TestApp): string {
  const steamId = nextSteamId()
  app.simulator.addPlayer(newPlayer(steamId))
  return steamId
}

/** A GET from a chosen loopback address: where it was sent, and how its sender hangs up. */
function sendFrom(localAddress: string, address: string, cookie: string) {
  const sent = request(address, { localAddress, family: 4, agent: false, headers: { cookie } })
  const location = new Promise<string | undefined>((resolve) => {
    sent.once('response', (response) => {
      response.resume()
      resolve(response.headers.location)
    })
    // Hung up by us before it was answered.
    sent.once('error', () => resolve(undefined))
  })
  sent.end()
  const leave = () => void sent.destroy()
  onTestFinished(leave)
  return { location, leave }
}

/** The same state, with the code of somebody who knows how it is made and not the secret. */
function signedByAnother(state: string): string {
  const payload = state.slice(0, state.lastIndexOf('.'))
  const secret = randomBytes(32)
  return `${payload}.${createHmac('sha256', secret).update(`sign-in state\0${payload}`).digest('base64url')}`
}

function valueOf(cookie: string): string {
  return cookie.slice(cookie.indexOf('=') + 1)
}
