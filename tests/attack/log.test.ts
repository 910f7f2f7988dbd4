/** Secrets never reach the log at level trace, through successful and failing requests of every kind. */
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { hashOfToken } from '../../src/server/sessions/sessions.ts'
import { WRONG_SHAPES, type FaultRule } from '../../src/simulator/faults.ts'
import { api, engines, startAt } from '../support/app.ts'
import { begin, swap } from '../support/sign-in.ts'
import { impatient, syncFriends, syncGames, syncGroup } from '../support/sync-calls.ts'

const faults: FaultRule[] = [
  ...[400, 401, 403, 404, 429, 500, 502, 503].map((status) => ({ kind: 'status' as const, status })),
  { kind: 'status', status: 403, body: 'Please verify your <pre>key=</pre> parameter.' },
  { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
  ...WRONG_SHAPES.map((shape) => ({ kind: 'wrong_shape' as const, shape })),
  ...(['html_200', 'truncated', 'cut_off', 'partial', 'reset', 'empty'] as const).map((kind) => ({ kind })),
  { kind: 'slow', ms: 5000 },
  { kind: 'slow', ms: 5000, part: 'body' },
  { kind: 'redirect', location: 'http://127.0.0.1:1/?key=elsewhere' },
]

const seen: string[] = []

test.each(engines)('NIGHT-58, PLAT-41: on %s: no key, token or signature in any line', async (engine) => {
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const { app, time } = await startAt(Date.now(), {
    engine,
    logger,
    steamTiming: { ...impatient, tries: 2 },
    background: true,
    fetchPublic: () => Promise.reject(new Error('no network')),
  })
  const secrets = new Map<string, string>([['the key', app.deps.config.steamApiKey!]])
  const addSecret = (name: string, value: string | null | undefined) => {
    if (!value) throw new Error(`${name} is missing`)
    secrets.set(`${name} ${secrets.size}`, value)
  }

  // Signing in: valid, forged in every part, and abandoned.
  const bob = await app.player({ name: 'Bob' })
  const ada = await app.player({ games: { Portal: 60 }, friends: [bob] })
  for (const player of [ada, bob]) addSecret('token', player.token)
  const { token: handover, cookie: browserCookie } = await app.handover(ada.steam_id)
  addSecret('hand-over token', handover)
  addSecret('secret of the browser', browserCookie.split('=')[1])
  const { state, returnTo } = await begin(app.url)
  const { cookie } = state
  addSecret('state', cookie.split('=')[1])
  const assertion = new URL(app.simulator.assertionFor(ada.steam_id, returnTo))
  addSecret('signature', assertion.searchParams.get('openid.sig'))
  addSecret('nonce', assertion.searchParams.get('openid.response_nonce'))
  for (const name of assertion.searchParams.keys()) {
    const forged = new URL(assertion)
    forged.searchParams.set(name, `${forged.searchParams.get(name)}x`)
    for (const headers of [{ cookie }, {}]) await fetch(forged, { headers, redirect: 'manual' })
  }
  app.simulator.fail({ endpoint: 'check_authentication', kind: 'reset' })
  await fetch(assertion, { headers: { cookie }, redirect: 'manual' })
  app.simulator.clearFaults()

  // Every fault of Steam, in every kind of sync.
  const group = await app.group({ owner: ada, members: [bob] })
  for (const fault of faults) {
    app.simulator.fail(fault)
    for (const sync of [syncGames(ada), syncFriends(ada), syncGroup(ada, ada, bob)]) await sync
    await ada.request(`/api/users/${ada.steam_id}/friends`)
    app.simulator.clearFaults()
    time.now += 3_600_000
  }

  // Links, in every call and page that has one in its URL.
  const { token: invite } = await ada.call(api.invites.renewOfGroup, { id: group.group_id })
  addSecret('token of a link', invite)
  for (const path of [
    `/join/${invite}`,
    `/api/invites/${invite}`,
    `/api/invites/${invite}x`,
    `/api/join/${invite}`,
  ])
    for (const method of ['GET', 'PUT']) await fetch(`${app.url}${path}`, { method })
  for (const player of [ada, bob, app.callsOf(undefined)])
    await player.attempt(api.invites.accept, { token: invite })

  // Secrets in wrong places of a request.
  const { steam_id, token } = ada
  for (const path of [
    `/api/users/${steam_id}/games?token=${token}`,
    `/api/users/${token}/games`,
    `/api/nothing/${token}`,
    `/steam-auth-success?steam_id=${steam_id}&token=${handover}`,
    `/media/${token}`,
    `/%zz?token=${token}`,
  ])
    for (const init of [
      {},
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: `{"a":"${token}` },
    ])
      await ada.request(path, init)
  await fetch(`${app.url}/healthz`, { headers: { authorization: `Bearer ${token}`, cookie } })
  await fetch(`${app.url}/api/groups`, { headers: { authorization: `Bearer ${token}x`, cookie } })

  // A picture that cannot be fetched, and unexpected errors.
  const { picture_image_url } = await ada.call(
    api.groups.setPicture,
    { id: group.group_id },
    { picture_url: 'https://example.org/friday.png' },
  )
  await fetch(`${app.url}${picture_image_url}`)
  await app.db.schema.dropTable('library_changes').execute()
  await app.db.schema.dropTable('used_once').execute()
  expect((await ada.request(`/api/users/${steam_id}/export`)).status).toBe(500)
  await app.db.schema.dropTable('invites').execute()
  expect((await fetch(`${app.url}/api/invites/${invite}`)).status).toBe(500)
  await fetch(assertion, { headers: { cookie }, redirect: 'manual' })
  for (const sent of [undefined, `${browserCookie}x`, browserCookie])
    await swap(app.url, { token: handover, cookie: sent })

  const log = lines.join('')
  for (const word of ['request failed', 'sign-in refused', '"level":50', '"level":20'])
    expect(log).toContain(word)
  for (const [name, value] of secrets) {
    for (const spelling of new Set([value, encodeURIComponent(value), hashOfToken(value)]))
      expect(log.includes(spelling), `${name} is in the log`).toBe(false)
  }
  expect(log).not.toMatch(/bearer|authorization"?:|set-cookie|openid\.sig/i)
  seen.push(engine)
})

afterAll(() => expect(seen).toEqual([...engines]))
