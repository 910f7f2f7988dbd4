/** The description of the API needs no token and is built only once (API-4). */
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { sendRequest } from '../attack/raw-http.ts'

const PATH = '/api/openapi.json'

describe('/api/openapi.json', () => {
  test('API-4: describes every endpoint', async () => {
    const app = await startTestApp()
    const description = (await (await fetch(`${app.url}${PATH}`)).json()) as { paths: Record<string, object> }
    expect(Object.keys(description.paths)).toContain('/api/groups/{id}/shared_games')
    expect(Object.keys(description.paths).length).toBeGreaterThan(25)
    expect(description.paths).toMatchObject({
      '/api/users/{steamId}/events': {
        get: { responses: { 200: { content: { 'text/event-stream': {} } } } },
      },
      '/api/invites/{token}': { get: { security: [] } },
      '/api/invites/{token}/accept': { post: { security: [{ token: [] }] } },
    })
  })

  test('API-4: is the same with and without gzip, and not stored', async () => {
    const app = await startTestApp()
    const raw = async (coding: string, expected: string | undefined) => {
      const response = await app.http.inject({ url: PATH, headers: { 'accept-encoding': coding } })
      expect(response.headers).toMatchObject({
        'content-length': String(response.rawPayload.length),
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        vary: 'accept-encoding',
      })
      expect(response.headers['content-encoding']).toBe(expected)
      return response.rawPayload
    }
    const plain = await raw('identity', undefined)
    expect(gunzipSync(await raw('br, gzip', 'gzip')).equals(plain)).toBe(true)
    expect((await raw('gzip;q=0', undefined)).equals(plain)).toBe(true)
  })
})

describe('/api/docs', () => {
  test('is counted like every other route', async () => {
    const app = await startTestApp()
    await fetch(`${app.url}/api/docs/static/swagger-initializer.js`)
    const metrics = await (await fetch(`${app.url}/metrics`)).text()
    expect(metrics).toContain('route="/api/docs/static/swagger-initializer.js",status="200"')
  })

  test('API-4: shows the description', async () => {
    const app = await startTestApp()
    expect((await fetch(`${app.url}/api/docs/static/index.html`)).status).toBe(200)
    for (const path of ['/api/docs/json', '/api/docs/yaml']) {
      const answer = await sendRequest(app.address, `GET ${path}`)
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 302, PATH])
    }
  })

  test('API-4: is not compressed for each request', async () => {
    const app = await startTestApp()
    const bundle = await fetch(`${app.url}/api/docs/static/swagger-ui-bundle.js`, encoded('br, gzip'))
    expect(bundle.headers.get('content-encoding')).toBeNull()
    const again = await sendRequest(app.address, `GET ${new URL(bundle.url).pathname}`, [
      `If-None-Match: ${bundle.headers.get('etag')}`,
    ])
    expect(again.status).toBe(304)
  })
})

function encoded(codings: string): RequestInit {
  return { headers: { 'accept-encoding': codings } }
}
