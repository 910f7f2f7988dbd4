/** When the database fails, every request gets a plain 500: the process does not end, and no client waits forever. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { engines, startTestApp } from '../support/app.ts'

test.each(engines)('on %s', async (engine) => {
  const app = await startTestApp({ engine })
  const ada = await app.player({ games: { Portal: 60 } })
  const requests = [
    () => ada.request(`/api/users/${ada.steam_id}/games`),
    () => ada.request(`/api/users/${ada.steam_id}/settings`),
    () => ada.request(`/api/users/${ada.steam_id}/fetch_games`, { method: 'POST' }),
    () => app.callsOf('x'.repeat(43)).request(`/api/users/${ada.steam_id}/games`),
    () => fetch(`${app.url}/media/${'0'.repeat(32)}.webp`),
  ]
  // Fills the caches.
  for (const sendRequest of [...requests, ...requests]) expect((await sendRequest()).status).toBeLessThan(500)

  await app.database.close()
  for (const sendRequest of [...requests, ...requests]) {
    const response = await sendRequest()
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({
      code: 'internal',
      error: 'Something went wrong on our side.',
    })
  }
  expect((await fetch(`${app.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
})

test('a session that was unused for days reads on where nothing can be written', async () => {
  const app = await startTestApp({ engine: 'sqlite', memoryBytes: 0 })
  const ada = await app.player({ games: { Portal: 60 } })
  const games = () => ada.request(`/api/users/${ada.steam_id}/games`)
  expect((await games()).status).toBe(200)
  await app.write((tx) => tx.updateTable('sessions').set({ last_used_at: 1 }).execute())
  await sql`CREATE TRIGGER full BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'disk full'); END`.execute(
    app.db,
  )
  expect((await games()).status).toBe(200)
})
