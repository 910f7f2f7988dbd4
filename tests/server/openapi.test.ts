/** The description of the API needs no token and is built only once (API-4, API-43). */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
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
      '/api/nights/{id}/events': { get: { responses: { 200: { content: { 'text/event-stream': {} } } } } },
      '/api/invites/{token}': { get: { security: [] } },
      '/api/invites/{token}/accept': { post: { security: [{ token: [] }] } },
    })
  })

  test('API-43: has the same ETag on every server, and is not sent again to clients that have it', async () => {
    const app = await startTestApp()
    const other = await startTestApp({ besides: app, env: { PUBLIC_URL: app.url } })
    const first = await sendRequest(app.address, `GET ${PATH}`)
    const etag = first.headers.get('etag')!
    expect(first.status).toBe(200)
    expect(etag).toMatch(/^W\/"[\w-]{20,}"$/)
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    expect(first.headers.get('vary')).toContain('accept-encoding')
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect((await sendRequest(other.address, `GET ${PATH}`)).headers.get('etag')).toBe(etag)

    for (const known of [etag, `"x", ${etag}`, '*']) {
      const again = await sendRequest(app.address, `GET ${PATH}`, [`If-None-Match: ${known}`])
      expect([again.status, again.body]).toEqual([304, ''])
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('cache-control')).toBe('public, max-age=300')
    }
    expect((await sendRequest(app.address, `GET ${PATH}`, ['If-None-Match: "x"'])).status).toBe(200)
    const head = await sendRequest(app.address, `HEAD ${PATH}`)
    expect([head.status, head.body, head.headers.get('etag')]).toEqual([200, '', etag])
  })

  test('API-43: is sent in each content coding, with its length', async () => {
    const app = await startTestApp()
    const plain = Buffer.from(await (await fetch(`${app.url}${PATH}`, encoded('identity'))).arrayBuffer())
    const raw = async (coding: string) => {
      const response = await app.http.inject({ url: PATH, headers: { 'accept-encoding': coding } })
      expect(response.headers['content-length']).toBe(String(response.rawPayload.length))
      expect(response.headers['content-encoding']).toBe(coding)
      return response.rawPayload
    }
    expect(brotliDecompressSync(await raw('br')).equals(plain)).toBe(true)
    expect(gunzipSync(await raw('gzip')).equals(plain)).toBe(true)
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

  test('API-43: is not compressed for each request', async () => {
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
