/** SIGN-2 to SIGN-22: the hand-over token, its browser, and the lasting token that it is swapped for. */
import { describe, expect, test } from 'vitest'
import { SESSIONS_MAX } from '#shared/limits.ts'
import { api, engines, startAt, startTestApp, type TestApp } from '../support/app.ts'
import { swap } from '../support/sign-in.ts'

const MINUTE = 60 * 1000

describe.each(engines)('on %s', (engine) => {
  test('SIGN-12: the return sets a SameSite=Strict cookie for /auth that lasts 60 seconds', async () => {
    const app = await startTestApp({ engine })
    const { browser } = await app.returnFromPlatform(app.newcomer())
    expect(browser.header).toMatch(/^shelfmates_browser=[A-Za-z0-9_-]{43};/)
    expect(attributesOf(browser.header)).toEqual(['HttpOnly', 'Max-Age=60', 'Path=/auth', 'SameSite=Strict'])
  })

  test('SIGN-2, SIGN-12: on https both cookies are Secure and have the prefix __Secure-', async () => {
    const app = await startTestApp({
      engine,
      env: { PUBLIC_URL: 'https://games.example.org', TRUST_PROXY: '127.0.0.1' },
    })
    const steamId = app.newcomer()
    const { state, browser, landing } = await app.returnFromPlatform(steamId)
    expect(state.header).toMatch(/^__Secure-shelfmates_sign_in_[\w-]{22}=/)
    expect(attributesOf(state.header)).toEqual([
      'HttpOnly',
      'Max-Age=600',
      'Path=/auth/steam',
      'SameSite=Lax',
      'Secure',
    ])
    expect(browser.header).toMatch(/^__Secure-shelfmates_browser=/)
    expect(attributesOf(browser.header)).toContain('Secure')
    const token = new URL(landing).searchParams.get('token')!
    expect((await swap(app.address, { token, cookie: browser.cookie })).status).toBe(200)
  })

  test('SIGN-12: without the cookie, or with another browser’s, the swap is refused and the token stays valid', async () => {
    const app = await startTestApp({ engine })
    const [mine, others] = [await app.handover(app.newcomer()), await app.handover(app.newcomer())]
    const { token } = mine
    for (const cookie of [undefined, others.cookie, 'shelfmates_browser=', `${mine.cookie}x`]) {
      const refused = await swap(app.url, { token, cookie })
      expect(refused.status).toBe(403)
      expect(refused.error).toBe('Only the browser that signed in can swap its token.')
    }
    expect(await statusWith(app, token, mine.steamId)).toBe(200)
    const swapped = await swap(app.url, mine)
    expect(swapped.status).toBe(200)
    expect(await statusWith(app, swapped.token, mine.steamId)).toBe(200)
  })

  test('SIGN-12: a swap is possible for 60 seconds after the sign-in; the lasting token stays valid afterwards', async () => {
    const { app, time } = await startAt(Date.now(), { engine })
    const mine = await app.handover(app.newcomer())
    const late = await app.handover(app.newcomer())
    time.now += MINUTE - 1
    expect((await swap(app.url, mine)).status).toBe(200)
    const { status, token } = await swap(app.url, mine)
    expect(status).toBe(200)
    time.now += 1
    expect((await swap(app.url, mine)).status).toBe(401)
    expect((await swap(app.url, late)).status).toBe(401)
    expect(await statusWith(app, token, mine.steamId)).toBe(200)
  })

  test('SIGN-17: a swap can be repeated until the lasting token is used; each replaces the previous token', async () => {
    const app = await startTestApp({ engine })
    const mine = await app.handover(app.newcomer())
    const first = await swap(app.url, mine)
    const second = await swap(app.url, mine)
    const third = await swap(app.url, mine)
    expect([first.status, second.status, third.status]).toEqual([200, 200, 200])
    expect(new Set([first.token, second.token, third.token]).size).toBe(3)
    for (const invalid of [mine.token, first.token, second.token])
      expect(await statusWith(app, invalid, mine.steamId)).toBe(401)
    // Requests refused with an invalid token do not count as the first use.
    const fourth = await swap(app.url, mine)
    expect(fourth.status).toBe(200)
    expect(await statusWith(app, fourth.token, mine.steamId)).toBe(200)
    expect((await swap(app.url, mine)).status).toBe(401)
    expect(await statusWith(app, fourth.token, mine.steamId)).toBe(200)
    expect((await swap(app.url, { token: fourth.token, cookie: mine.cookie })).status).toBe(403)
  })

  test('SIGN-17: 12 parallel swaps on two servers all succeed, and one token stays valid', async () => {
    const app = await startTestApp({ engine })
    const other = await startTestApp({ besides: app })
    for (let round = 0; round < 5; round++) {
      const mine = await app.handover(app.newcomer())
      const swaps = await Promise.all(
        Array.from({ length: 12 }, (_, n) => swap(n % 2 === 0 ? app.url : other.url, mine)),
      )
      expect(swaps.map(({ status }) => status)).toEqual(Array(12).fill(200))
      const valid: number[] = []
      for (const [n, { token }] of swaps.entries())
        if ((await statusWith(n % 3 === 0 ? app : other, token, mine.steamId)) === 200) valid.push(n)
      expect(valid).toHaveLength(1)
    }
  })

  test.each(['before the swap', 'after the swap', 'after the first use'])(
    'SIGN-16: logging out with the hand-over token %s ends only this sign-in’s session, unless the token has ended',
    async (when) => {
      const app = await startTestApp({ engine })
      const steamId = app.newcomer()
      const elsewhere = await app.signIn(steamId)
      const mine = await app.handover(steamId)
      const lasting = when === 'before the swap' ? undefined : (await swap(app.url, mine)).token
      const used = when === 'after the first use'
      if (used) expect(await statusWith(app, lasting, steamId)).toBe(200)

      const { status } = await app.callsOf(mine.token).attempt(api.session.logOut, {})
      expect(status).toBe(used ? 401 : 204)
      if (lasting) expect(await statusWith(app, lasting, steamId)).toBe(used ? 200 : 401)
      expect(await statusWith(app, mine.token, steamId)).toBe(401)
      expect((await swap(app.url, mine)).status).toBe(401)
      expect(await statusWith(app, elsewhere, steamId)).toBe(200)
    },
  )

  test('LIM-14: a person has at most 50 sessions; a 51st ends the least recently used one', async () => {
    let now = Date.now()
    const oneServer = 'the uses of the last minutes are in memory (LIM-14)'
    const app = await startTestApp({ engine, oneServer, clock: () => now })
    const steamId = app.newcomer()
    const tokens: string[] = []
    for (let n = 0; n < SESSIONS_MAX; n++) {
      now += 1000
      tokens.push(await app.signIn(steamId))
    }
    for (const token of tokens) expect(await statusWith(app, token, steamId)).toBe(200)
    // The oldest is used again, a minute or a day later, so another one is the least recently used.
    for (const [nth, later] of [MINUTE, 6 * MINUTE, 25 * 60 * MINUTE].entries()) {
      now += later
      expect(await statusWith(app, tokens[0], steamId)).toBe(200)
      now += 1000
      tokens.push(await app.signIn(steamId))
      const rows = await app.db
        .selectFrom('sessions')
        .select('session_id')
        .where('steam_id', '=', steamId)
        .orderBy('session_id')
        .execute()
      expect(rows.map((row) => row.session_id)).toEqual([
        1,
        ...Array.from({ length: 49 }, (_, n) => nth + n + 3),
      ])
    }
    expect(await statusWith(app, tokens[0], steamId)).toBe(200)
    expect(await statusWith(app, tokens[1], steamId)).toBe(401)
  })
})

async function statusWith(app: TestApp, token: string | undefined, steamId: string): Promise<number> {
  return (await app.callsOf(token).attempt(api.library.summary, { steamId })).status
}

function attributesOf(header: string): string[] {
  return header.split('; ').slice(1).sort()
}
