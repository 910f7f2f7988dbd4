import { describe, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'

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
