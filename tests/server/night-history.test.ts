/** What earlier nights of the same people say (MEMORY-1 to MEMORY-3). */
import { describe, expect, test } from 'vitest'
import { api, engines, startAt, type TestPlayer } from '../support/app.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import { answerAs, makeNight } from '../support/stored-nights.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY

/** A group of three, and a clock. */
async function begin(engine: (typeof engines)[number]) {
  const { app, time } = await startAt(Date.UTC(2026, 5, 5, 18), { engine })
  const { host, ada, ben, groupId, appids } = await friendsWithGames(app, 3)

  /** A night that starts at once, to which these come beside its host, and that picks this game. */
  const play = async (
    came: TestPlayer[],
    appid: number | undefined,
    body: object = { group_id: groupId },
  ) => {
    const night = await host.call(api.nights.start, {}, body)
    for (const one of came) await inNight(night, one).answer('in')
    if (appid !== undefined) {
      await inNight(night, host).vote([{ appid, mark: 'want' }])
      // The last vote of a night of two ends it.
      await inNight(night, host).close()
    }
    return night.night_id
  }
  return { app, time, host, ada, ben, groupId, appids: appids as [number, number, number], play }
}
const lastOf = async (player: TestPlayer, id: number) => (await player.call(api.nights.history, { id })).last
const iso = (time: number) => new Date(time).toISOString()

describe.each(engines)('the history of nights (%s)', (engine) => {
  test('MEMORY-1, MEMORY-2: when they last played before, who came, and what was picked', async () => {
    const { app, time, host, ada, ben, groupId, appids, play } = await begin(engine)
    const startsAt = time.now - 367 * DAY
    await answerAs(app, await makeNight(app, { host, players: [ada], groupId, startsAt }), ada, 'in')
    const all = await play([ada, ben], appids[0])
    time.now += WEEK
    const two = await play([ada], appids[1])
    time.now += WEEK
    // Without a pick it counts once it is past.
    const open = await play([ben], undefined)
    const later = { group_id: groupId, starts_at: iso(time.now + WEEK) }
    const { night_id: next } = await host.call(api.nights.start, {}, later)
    expect(await lastOf(ben, next)).toMatchObject({
      night_id: two,
      starts_at: iso(time.now - WEEK),
      pick: { appid: appids[1] },
      came: [{ steam_id: host.steam_id }, { steam_id: ada.steam_id }],
    })
    time.now += 12 * HOUR
    expect(await lastOf(ben, next)).toMatchObject({ night_id: open, pick: null })
    expect(await lastOf(host, two)).toMatchObject({ night_id: all })
    expect(await lastOf(host, all)).toBeNull()
  })

  test('MEMORY-2: cancelled nights, nights ahead and those to which one came alone do not count', async () => {
    const { time, host, ada, groupId, appids, play } = await begin(engine)
    await play([], appids[0])
    const cancelled = await play([ada], undefined)
    await inNight({ night_id: cancelled }, host).cancel()
    const start = (at: number) => host.call(api.nights.start, {}, { group_id: groupId, starts_at: iso(at) })
    const decided = await start(time.now + DAY)
    await inNight(decided, ada).answer('in')
    await inNight(decided, host).decide(appids[0])
    const { night_id: next } = await start(time.now + WEEK)
    expect(await lastOf(host, next)).toBeNull()
    time.now += DAY
    expect(await lastOf(host, next)).toMatchObject({ night_id: decided.night_id })
    // Moved ahead, it has not been held.
    await host.call(api.nights.change, { id: decided.night_id }, { starts_at: iso(time.now + DAY) })
    expect(await lastOf(host, next)).toBeNull()
  })

  test('MEMORY-3: guests see none, members also nights of the group to which they were not asked', async () => {
    const { app, time, host, ada, ben, groupId, appids, play } = await begin(engine)
    const without = await play([ada], appids[0], { group_id: groupId, except: [ben.steam_id] })
    time.now += WEEK
    const withGuest = await play([ada], appids[1])
    const guest = await app.player({ name: 'Guest' })
    const link = await host.call(api.invites.renewOfNight, { id: withGuest })
    await guest.call(api.invites.accept, { token: link.url.split('/').at(-1)! }, { answer: 'in' })
    expect(await lastOf(guest, withGuest)).toBeNull()
    expect(await lastOf(ben, withGuest)).toMatchObject({ night_id: without })
    time.now += DAY
    await host.call(api.groups.removeMember, { id: groupId, steamId: ben.steam_id })
    expect(await ben.refused(api.nights.history, { id: withGuest })).toMatchObject({ status: 404 })
  })

  test('MEMORY-3: nights of no group are apart by who was asked', async () => {
    const { time, host, ada, ben, appids, play } = await begin(engine)
    const both = { steam_ids: [ada.steam_id, ben.steam_id] }
    const first = await play([ada, ben], appids[0], both)
    time.now += HOUR
    const ofTwo = await play([ada], appids[1], { steam_ids: [ada.steam_id] })
    time.now += HOUR
    const third = await play([ada, ben], appids[0], both)
    expect(await lastOf(host, ofTwo)).toBeNull()
    expect(await lastOf(host, third)).toMatchObject({ night_id: first })
  })
})
