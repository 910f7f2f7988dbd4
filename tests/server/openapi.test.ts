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
})
