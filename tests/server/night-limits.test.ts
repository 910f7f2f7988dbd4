/** How many game nights and how many people (LIM-46). */
import { describe, expect, test } from 'vitest'
import { NIGHT_STARTS_PER_DAY, NIGHTS_HOSTED_MAX } from '#shared/limits.ts'
import { api, engines, startTestApp } from '../support/app.ts'
import { inNight } from '../support/nights.ts'

describe.each(engines)('game nights (%s)', (engine) => {
  test('LIM-46: of chosen people has at most 32', async () => {
    const app = await startTestApp({ engine })
    const host = await app.player()
    const ids = await app.strangersConnectedWith(host, 32)
    const full = { status: 409, code: 'night_full' }
    expect(await host.refused(api.nights.start, {}, { steam_ids: ids })).toMatchObject(full)
    const night = await host.call(api.nights.start, {}, { steam_ids: ids.slice(0, 30) })
    const id = { id: night.night_id }
    expect(await host.refused(api.nights.addPlayers, id, { steam_ids: ids })).toMatchObject(full)
    const { people } = await host.call(api.nights.addPlayers, id, { steam_ids: ids.slice(0, 31) })
    expect(people).toHaveLength(32)
  })

  test('LIM-46: are at most 20 of a host, and 50 starts in 24 hours', async () => {
    const app = await startTestApp({ engine })
    const host = await app.player()
    const ids = await app.strangersConnectedWith(host, 1)
    const start = () => host.attempt(api.nights.start, {}, { steam_ids: ids })
    const many: Awaited<ReturnType<typeof start>>[] = []
    // More of one user's at once may be refused (LIM-22).
    while (many.length < NIGHTS_HOSTED_MAX + 4)
      many.push(...(await Promise.all([start(), start(), start(), start()])))
    expect(many.filter(({ status }) => status === 201)).toHaveLength(NIGHTS_HOSTED_MAX)
    expect(many.filter(({ status }) => status === 409)).toHaveLength(4)
    const { nights } = await host.call(api.nights.list, host.user)
    for (const night of nights) await inNight(night, host).cancel()
    // Nights of a group that is deleted count too.
    for (let count = NIGHTS_HOSTED_MAX; count < NIGHT_STARTS_PER_DAY; count++) {
      const { group_id } = await app.group({ owner: host })
      await host.call(api.nights.start, {}, { group_id })
      await host.call(api.groups.remove, { id: group_id })
    }
    const { code, headers } = await host.refused(api.nights.start, {}, { steam_ids: ids })
    expect(code).toBe('night_limit_reached')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
