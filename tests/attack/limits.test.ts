/** Limits per address and token, for every URL (LIM-15 to LIM-18). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { engines, startTestApp, type TestApp } from '../support/app.ts'
import { sendRequest } from './raw-http.ts'
import { stallDatabase } from './stall.ts'

function pagesFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shelfmates-pages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><html><head></head><body></body></html>')
  writeFileSync(join(folder, 'robots.txt'), 'User-agent: *\n')
  return folder
}

/** Statuses of requests one after another. */
async function statuses(app: TestApp, path: string, count: number, headers: string[] = []) {
  const found: number[] = []
  for (let n = 0; n < count; n++) found.push((await sendRequest(app.address, `GET ${path}`, headers)).status)
  return found
}

test('all spellings of an API URL count towards one limit', async () => {
  const app = await startTestApp({ requestLimits: { perAddress: 20, perToken: 1000 } })
  await statuses(app, '/api/nothing', 20)
  for (const path of ['/api/nothing', '/%61pi/nothing', `${app.address}/api/nothing`, '/api/nothing?x'])
    expect(await statuses(app, path, 1), path).toEqual([429])
})

describe('LIM-15: every URL has its limit', () => {
  const limits = { perAddress: 20, perToken: 1000 }
  test.each([
    ['/media/00000000000000000000000000000000.webp', 404, 20],
    ['/dashboard', 200, 20],
    ['/robots.txt', 200, 20],
    ['/assets/nothing.js', 404, 20],
    ['/api/openapi.json', 200, 20],
    ['/api/nothing', 404, 20],
    ['/%61pi/nothing', 404, 20],
    ['/readyz', 200, 2],
    ['/readyz?x', 200, 2],
    ['/%72eadyz', 200, 2],
    ['/metrics', 200, 2],
  ])('%s', async (path, status, accepted) => {
    const app = await startTestApp({ requestLimits: limits, pagesFolder: pagesFolder() })
    expect(await statuses(app, path, accepted + 3)).toEqual([
      ...Array<number>(accepted).fill(status),
      429,
      429,
      429,
    ])
    const refusal = await sendRequest(app.address, `GET ${path}`)
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refusal.headers.get('x-content-type-options')).toBe('nosniff')
    expect(JSON.parse(refusal.body)).toMatchObject({ code: 'too_many_requests' })
    // /healthz is not limited.
    expect(await statuses(app, '/healthz', 3)).toEqual([200, 200, 200])
  })

  test('LIM-15: pages and pictures have a separate limit from API requests', async () => {
    const app = await startTestApp({ requestLimits: limits, pagesFolder: pagesFolder() })
    await statuses(app, '/dashboard', 25)
    expect(await statuses(app, '/api/groups/1', 1)).toEqual([401])
    expect(await statuses(app, '/readyz', 1)).toEqual([200])
  })
})

test('LIM-15, LIM-17: strangers have the limit of their address, and leave others theirs', async () => {
  const app = await startTestApp({
    requestLimits: { perAddress: 10, perToken: 5 },
    env: { TRUST_PROXY: '127.0.0.1' },
  })
  const from = (address: string, count: number) =>
    statuses(app, '/api/invites/nothing', count, [`X-Forwarded-For: ${address}`])
  expect(await from('192.0.2.1', 11)).toEqual([...Array<number>(10).fill(404), 429])
  expect(await from('192.0.2.2', 1)).toEqual([404])
})

describe('/metrics', () => {
  const TOKEN = 'a-token-for-metrics-0123'
  const bearer = (token: string) => [`Authorization: Bearer ${token}`]

  test('OPS-17: is available to programs on this machine, but not through a proxy', async () => {
    const app = await startTestApp()
    expect(await statuses(app, '/metrics', 1)).toEqual([200])
    for (const header of [
      'X-Forwarded-For: 127.0.0.1',
      'Forwarded: for=127.0.0.1',
      'X-Real-IP: ::1',
      'Via: 1.1 x',
    ]) {
      const response = await sendRequest(app.address, 'GET /metrics', [header])
      expect([header, response.status, response.body.includes('process_')]).toEqual([header, 403, false])
    }
  })

  test('OPS-17: is available to others with its token', async () => {
    const app = await startTestApp({ env: { METRICS_TOKEN: TOKEN, TRUST_PROXY: '127.0.0.1' } })
    const forwarded = 'X-Forwarded-For: 203.0.113.7'
    const status = async (headers: string[]) =>
      (await sendRequest(app.address, 'GET /metrics', headers)).status
    expect(await status([forwarded, ...bearer(TOKEN)])).toBe(200)
    expect(await status([forwarded, ...bearer(`${TOKEN}x`)])).toBe(403)
    expect(await status([forwarded, ...bearer('')])).toBe(403)
    expect(await status([forwarded])).toBe(403)
  })
})

describe.each(engines)('LIM-15: beyond the limit of an address nothing is looked up (%s)', (engine) => {
  test('with an invented token', async () => {
    const path = '/api/users/76561197960265729/games'
    const app = await startTestApp({ engine, requestLimits: { perAddress: 3, perToken: 1000 } })
    const headers = [`Authorization: Bearer ${'x'.repeat(43)}`]
    expect(await statuses(app, path, 3, headers)).toEqual([401, 401, 401])
    const release = await stallDatabase(app.database)
    let released = false
    const refusal = sendRequest(app.address, `GET ${path}`, headers).then(({ status }) => ({
      status,
      released,
    }))
    const waited = setTimeout(() => {
      released = true
      void release()
    }, 3000)
    try {
      // Refused although the database does not respond.
      expect(await refusal).toEqual({ status: 429, released: false })
    } finally {
      clearTimeout(waited)
      await release()
    }
  })
})
