/** What earlier nights of the same people say (MEMORY-1 to MEMORY-5). */
import { describe, expect, test } from 'vitest'
import { groupsContract } from '#shared/contract/groups.ts'
import { invitesContract } from '#shared/contract/invites.ts'
import { nightsContract } from '#shared/contract/nights.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { NIGHT_HISTORY_MAX } from '#shared/limits.ts'
import { startTestApp, type TestPlayer } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import { answerAs, makeNight } from '../support/stored-nights.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY

/** A group of three, and a clock. */
async function begin(engine: (typeof engines)[number], now = Date.UTC(2026, 5, 5, 18)) {
  const time = { now }
  const app = await startTestApp({ engine, clock: () => time.now })
  const { host, others, groupId, appids } = await friendsWithGames(app, 3)
  const [ada, ben] = others as [TestPlayer, TestPlayer]

  /** A night that starts at once, to which these come beside its host, and that picks this game. */
  const play = async (
    came: TestPlayer[],
    appid: number | undefined,
    body: object = { group_id: groupId },
  ) => {
    const night = await host.call(nightsContract.start, {}, body)
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
const history = (player: TestPlayer, id: number) => player.call(nightsContract.history, { id })
const ofGroup = async (player: TestPlayer, id: number) =>
  (await player.call(nightsContract.historyOfGroup, { id })).histories
const mine = async (player: TestPlayer) =>
  (await player.call(nightsContract.histories, { steamId: player.steam_id })).histories
const cameIn = (told: { came: { steam_id: string; nights: number }[] }) =>
  Object.fromEntries(told.came.map((one) => [one.steam_id, one.nights]))
const iso = (time: number) => new Date(time).toISOString()

describe.each(engines)('the history of nights (%s)', (engine) => {
  test('MEMORY-1, MEMORY-2: when they last played together, who came how often, and what was picked', async () => {
    const { time, host, ada, ben, groupId, appids, play } = await begin(engine)
    const all = await play([ada, ben], appids[0])
    time.now += WEEK
    const two = await play([ada], appids[1])
    time.now += WEEK
    await play([ada], appids[0])
    time.now += WEEK
    // Without a pick it counts once it is past.
    const open = await play([ben], undefined)
    const next = await host.call(
      nightsContract.start,
      {},
      { group_id: groupId, starts_at: iso(time.now + WEEK), title: 'Next' },
    )
    const told = await history(ben, next.night_id)
    expect(told).toMatchObject({
      group: { group_id: groupId },
      people: [],
      last: { is_mine: true, starts_at: iso(time.now - WEEK), pick: { appid: appids[0] } },
      last_together: { night_id: all, pick: { appid: appids[0] } },
      nights: 3,
      games: [
        { appid: appids[0], picked: 2 },
        { appid: appids[1], picked: 1 },
      ],
    })
    expect(cameIn(told)).toEqual({ [host.steam_id]: 3, [ada.steam_id]: 3, [ben.steam_id]: 1 })
    // Those who are out are not missed.
    await inNight(next, ben).answer('out')
    expect((await history(host, next.night_id)).last_together).toMatchObject({ pick: { appid: appids[0] } })
    expect((await history(host, next.night_id)).last_together!.night_id).not.toBe(all)
    time.now += 12 * HOUR
    const later = await history(host, next.night_id)
    expect(later).toMatchObject({ nights: 4, last: { night_id: open, pick: null } })
    expect(cameIn(later)[ben.steam_id]).toBe(2)
    // Of a past night the last is the one before it; the counts are those of now.
    expect(await history(host, two)).toMatchObject({ nights: 4, last: { night_id: all } })
    expect((await history(host, all)).last).toBeNull()
  })

  test('MEMORY-2: cancelled nights, nights ahead and those to which one came alone do not count', async () => {
    const { time, host, ada, groupId, appids, play } = await begin(engine)
    await play([], appids[0])
    const cancelled = await play([ada], undefined)
    await inNight({ night_id: cancelled }, host).cancel()
    const decided = await host.call(
      nightsContract.start,
      {},
      { group_id: groupId, starts_at: iso(time.now + DAY) },
    )
    await inNight(decided, ada).answer('in')
    await inNight(decided, host).vote([{ appid: appids[0], mark: 'want' }])
    await inNight(decided, host).close()
    expect(await ofGroup(host, groupId)).toEqual([])
    expect(await mine(ada)).toEqual([])
    time.now += DAY
    expect(await ofGroup(host, groupId)).toMatchObject([{ nights: 1, last: { night_id: decided.night_id } }])
    // Moved ahead, it has not been held.
    await host.call(nightsContract.change, { id: decided.night_id }, { starts_at: iso(time.now + DAY) })
    expect(await ofGroup(host, groupId)).toEqual([])
  })

  test('MEMORY-3: guests see only nights that they were asked to, members all, strangers and former members nothing', async () => {
    const { app, time, host, ada, ben, groupId, appids, play } = await begin(engine)
    await play([ada, ben], appids[0])
    time.now += WEEK
    const withGuest = await play([ada], appids[1])
    const guest = await app.player({ name: 'Guest' })
    const link = await host.call(invitesContract.renewOfNight, { id: withGuest })
    await guest.call(invitesContract.accept, { token: link.url.split('/').at(-1)! }, { answer: 'in' })
    time.now += WEEK
    const last = await play([ada, ben], appids[0], { group_id: groupId, except: [] })
    expect(await history(guest, withGuest)).toMatchObject({ nights: 1, last: null })
    expect((await mine(guest)).map((one) => one.nights)).toEqual([1])
    expect(await history(host, withGuest)).toMatchObject({ nights: 3, group: { group_id: groupId } })
    // A member who was left out sees that night too, and cannot open it.
    const without = await play([ada], appids[0], { group_id: groupId, except: [ben.steam_id] })
    expect((await ofGroup(ben, groupId))[0]).toMatchObject({
      nights: 4,
      last: { night_id: without, is_mine: false },
    })
    expect((await mine(ben))[0]).toMatchObject({ nights: 3, last: { night_id: last } })
    for (const one of [guest, await app.player()])
      expect(await one.refused(nightsContract.historyOfGroup, { id: groupId })).toMatchObject({
        status: 404,
        code: 'group_not_found',
      })
    expect(await guest.refused(nightsContract.history, { id: last })).toMatchObject({
      status: 404,
      code: 'night_not_found',
    })
    expect(await ada.refused(nightsContract.histories, { steamId: host.steam_id })).toMatchObject({
      status: 403,
    })
    time.now += DAY
    await host.call(groupsContract.removeMember, { id: groupId, steamId: ben.steam_id })
    expect(await mine(ben)).toEqual([])
    expect(await ben.refused(nightsContract.history, { id: last })).toMatchObject({ status: 404 })
    // The others still know that he came.
    expect(cameIn((await ofGroup(ada, groupId))[0]!)[ben.steam_id]).toBe(2)
  })

  test('MEMORY-3, MEMORY-5: nights of no group are apart by who was asked; deleted accounts are not named', async () => {
    const { time, host, ada, ben, appids, play } = await begin(engine)
    const both = { steam_ids: [ada.steam_id, ben.steam_id] }
    await play([ada, ben], appids[0], both)
    time.now += HOUR
    await play([ada], appids[1], { steam_ids: [ada.steam_id] })
    time.now += HOUR
    const third = await play([ada, ben], appids[0], both)
    const told = await mine(host)
    expect(told).toMatchObject([
      { group: null, nights: 2, last: { night_id: third }, games: [{ appid: appids[0], picked: 2 }] },
      { group: null, nights: 1, games: [{ appid: appids[1], picked: 1 }] },
    ])
    expect(told.map(({ people }) => people.length)).toEqual([3, 2])
    expect((await mine(ben)).map(({ nights }) => nights)).toEqual([2])
    expect(await history(host, third)).toMatchObject({ nights: 2, people: [{}, {}, {}] })
    await ben.call(privacyContract.deleteAccount, { steamId: ben.steam_id })
    expect(JSON.stringify(await mine(host))).not.toContain(ben.steam_id)
  })

  test('MEMORY-1: a year begins in the time zone of each night', async () => {
    const { time, host, ada, groupId, play } = await begin(engine, Date.UTC(2026, 11, 31, 20))
    await play([ada], undefined, { group_id: groupId, zone: 'Asia/Tokyo' })
    const night = await play([ada], undefined, { group_id: groupId, zone: 'America/New_York' })
    time.now += 13 * HOUR
    // It is 2027 in both, and was at the start of the first.
    expect(await ofGroup(host, groupId)).toMatchObject([{ nights: 1, last: { night_id: night } }])
  })

  test('LIM-54: the last 100 nights of the last 366 days', async () => {
    const { app, time, host, ada, groupId } = await begin(engine, Date.UTC(2026, 11, 20, 18))
    for (let nth = 0; nth < NIGHT_HISTORY_MAX + 3; nth++) {
      const night = await makeNight(app, {
        host,
        players: [ada],
        groupId,
        startsAt: time.now - (nth + 1) * DAY,
      })
      await answerAs(app, night, ada, 'in')
    }
    const [told] = await ofGroup(host, groupId)
    expect(told!.nights).toBe(NIGHT_HISTORY_MAX)
    expect(cameIn(told!)).toEqual({
      [host.steam_id]: NIGHT_HISTORY_MAX,
      [ada.steam_id]: NIGHT_HISTORY_MAX,
    })
  })
})
