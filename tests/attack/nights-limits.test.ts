/** Limits of game nights. */
import { describe, expect, test } from 'vitest'
import { night } from '#shared/nights/entities.ts'
import { api, startTestApp } from '../support/app.ts'
import { inNight } from '../support/nights.ts'

/** LIM-22: a call that makes the shortlist costs what reading the night costs, so it waits in the same queue. */
test.each(
  Object.entries(api.nights)
    .filter(([, endpoint]) => (endpoint.response as unknown) === night)
    .map(([name, endpoint]) => [name, endpoint] as const),
)('%s, which responds with a whole night, is heavy like reading it', (_, endpoint) => {
  expect('heavy' in endpoint && endpoint.heavy).toBe(true)
})

test('NIGHT-55: a group’s night has at most 100 people', async () => {
  const app = await startTestApp()
  const host = await app.player()
  const { group_id } = await app.group({ owner: host })
  const friends = await app.strangersConnectedWith(host, 96)
  await host.call(api.groups.addMembers, { id: group_id }, { steam_ids: friends })
  const started = await host.call(api.nights.start, {}, { group_id })
  const ofNight = await host.call(api.invites.renewOfNight, { id: started.night_id })
  const ofGroup = await host.call(api.invites.renewOfGroup, { id: group_id })
  // 97 members and 3 guests; then 3 more join the group.
  for (const { token } of [ofNight, ofNight, ofNight, ofGroup, ofGroup, ofGroup]) {
    const player = await app.player({ synced: false })
    await player.attempt(api.invites.accept, { token })
  }
  expect((await inNight(started, host).read()).people.length).toBeLessThanOrEqual(100)
})

describe('texts of one line that a night, a stranger with its link, or a calendar shows', () => {
  test.each([
    ['a line separator', 'Friday\u2028DESCRIPTION:x'],
    ['a paragraph separator', 'Friday\u2029x'],
  ])('a title with %s is refused, or is stored without', async (_, title) => {
    const app = await startTestApp()
    const host = await app.player()
    const response = await host.attempt(api.nights.start, {}, { steam_ids: [host.steam_id], title })
    const stored = response.ok ? ((await response.json()) as { title: string | null }).title : null
    expect(stored ?? '').not.toMatch(/[\u2028\u2029\u202A-\u202E\u2066-\u2069]|^[\u200B\u3164]+$/u)
  })
})
