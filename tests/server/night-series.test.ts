/** Nights that repeat: starting one, its next nights, and stopping (SERIES-1 to SERIES-8). */
import { describe, expect, test } from 'vitest'
import { api, engines, nextSteamId, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { iso } from '../support/dates.ts'
import { startReceiver } from '../support/hooks.ts'
import { friendsWithGames, inNight, startInGroup } from '../support/nights.ts'
import { DAY, HOUR, tick } from '../support/proposed-dates.ts'

/** A Monday in a zone whose clocks go back on 25 October. */
const NOW = Date.UTC(2026, 9, 12, 12)
/** Friday at 20:30 in Berlin; a week later, and after the clocks have changed. */
const FIRST = Date.UTC(2026, 9, 16, 18, 30)
const SECOND = FIRST + 7 * DAY
const THIRD = FIRST + 14 * DAY + HOUR
const WEEKLY = { every: 'week', zone: 'Europe/Berlin' } as const
const AHEAD = 6 * DAY

async function begin(engine: (typeof engines)[number], options: object = {}) {
  const clock = { now: NOW }
  const app = await startTestApp({ engine, clock: () => clock.now, ...options })
  const { host, ada: ben, ben: eve, groupId } = await friendsWithGames(app, 3)
  const inGroup = (rest: object = {}) =>
    startInGroup(host, groupId, { starts_at: iso(FIRST), repeat: WEEKLY, ...rest })
  const withPeople = (people: readonly TestPlayer[], rest: object = {}) =>
    host.call(
      api.nights.start,
      {},
      {
        steam_ids: people.map(({ steam_id }) => steam_id),
        starts_at: iso(FIRST),
        repeat: WEEKLY,
        ...rest,
      },
    )
  /** Does what is due at a time. */
  const at = async (now: number) => {
    clock.now = now
    await tick(app)
  }
  return { app, clock, host, ben, eve, groupId, inGroup, withPeople, at }
}

/** The starts of a player's nights that are not past and not cancelled. */
async function startsOf(player: TestPlayer): Promise<number[]> {
  const { nights } = await player.call(api.nights.list, player.user)
  return nights
    .filter(({ status }) => status === 'open')
    .map(({ starts_at }) => Date.parse(starts_at))
    .sort((a, b) => a - b)
}

async function latestOf(player: TestPlayer) {
  const { nights } = await player.call(api.nights.list, player.user)
  const [latest] = nights.toSorted((a, b) => Date.parse(b.starts_at) - Date.parse(a.starts_at))
  return player.call(api.nights.read, { id: latest!.night_id })
}
const idsOf = (players: readonly { steam_id: string }[]) => players.map(({ steam_id }) => steam_id).sort()

describe.each(engines)('a night that repeats (%s)', (engine) => {
  test('SERIES-1: names its series; only one that is planned at one time repeats', async () => {
    const { host, ben, groupId, inGroup } = await begin(engine)
    const night = await inGroup()
    expect(night.series).toEqual({
      series_id: expect.any(Number) as number,
      ...WEEKLY,
      next_starts_at: iso(SECOND),
    })
    // The zone of the series, where none is given.
    expect(night.zone).toBe('Europe/Berlin')
    expect(night.my.may_stop_repeating).toBe(true)
    const seen = await inNight(night, ben).read()
    expect(seen.series).toEqual(night.series)
    expect(seen.my.may_stop_repeating).toBe(false)
    const { nights } = await ben.call(api.nights.list, ben.user)
    expect(nights[0]!.series).toEqual(night.series)
    expect((await startInGroup(host, groupId)).series).toBeNull()
    const twoWeeks = await inGroup({ repeat: { every: 'two_weeks', zone: 'America/New_York' } })
    // There the clocks change on 1 November.
    expect(twoWeeks.series!.next_starts_at).toBe(iso(FIRST + 14 * DAY))

    const refused = async (body: object) => {
      const { status, field } = await host.refused(api.nights.start, {}, { group_id: groupId, ...body })
      return [status, field]
    }
    const times = [iso(FIRST), iso(SECOND)]
    expect(await refused({ repeat: WEEKLY })).toEqual([400, 'repeat'])
    expect(await refused({ repeat: WEEKLY, times })).toEqual([400, 'repeat'])
    expect(await refused({ repeat: WEEKLY, starts_at: iso(NOW) })).toEqual([400, 'repeat'])
    const starts_at = iso(FIRST)
    expect(await refused({ starts_at, repeat: { every: 'day', zone: 'UTC' } })).toEqual([400, 'repeat.every'])
    expect(await refused({ starts_at, repeat: { every: 'week' } })).toEqual([400, 'repeat.zone'])
    // One that is newer than the server, or that a browser says instead of none.
    const unknown = await host.call(
      api.nights.start,
      {},
      { group_id: groupId, starts_at, repeat: { every: 'week', zone: 'Etc/Unknown' } },
    )
    expect(unknown.series).toMatchObject({ zone: 'UTC' })
  })

  test('SERIES-2, SERIES-3: the next night is created six days ahead, at the same local time, like one that is started', async () => {
    const receiver = await startReceiver()
    const { app, host, ben, eve, groupId, inGroup, at } = await begin(engine, { web: receiver.web })
    await host.call(api.webhooks.set, { id: groupId }, { url: receiver.url, format: 'json' })
    const first = await inGroup({ title: 'Raid', forbids: true, except: [eve.steam_id] })
    await at(SECOND - AHEAD - 1)
    expect(await startsOf(ben)).toEqual([])
    await at(SECOND - AHEAD)
    expect(await startsOf(ben)).toEqual([SECOND])
    const second = await latestOf(ben)
    expect(second).toMatchObject({
      title: 'Raid',
      forbids: true,
      planned: true,
      zone: 'Europe/Berlin',
      host_steam_id: host.steam_id,
      series: { series_id: first.series!.series_id, next_starts_at: iso(THIRD) },
      my: { answer: null },
    })
    expect(second.people.map(({ steam_id, answer }) => [steam_id, answer])).toEqual([
      [host.steam_id, 'in'],
      [ben.steam_id, null],
    ])
    const reminders = app.db.selectFrom('night_reminders').select('night_id')
    expect((await reminders.execute()).map((row) => row.night_id)).toContain(second.night_id)
    const planned = receiver.bodies().filter((body) => JSON.stringify(body).includes('planned'))
    expect(planned).toHaveLength(2)
    await at(THIRD - AHEAD)
    expect(await startsOf(ben)).toEqual([THIRD])
    // Nothing else is due.
    await at(THIRD - AHEAD + HOUR)
    expect(await startsOf(ben)).toEqual([THIRD])
  })

  test('SERIES-3: servers that were off leave out what has passed, and create the next one at once', async () => {
    const { ben, inGroup, at } = await begin(engine)
    await inGroup()
    await at(THIRD + 3 * DAY)
    // Dates that have passed are left out first.
    await at(THIRD + 3 * DAY)
    expect(await startsOf(ben)).toEqual([THIRD + 7 * DAY])
  })

  test('SERIES-4: two servers create each date once; a claim of one that was killed is taken over', async () => {
    const clock = { now: NOW }
    const options = { engine, clock: () => clock.now }
    const one = await startTestApp(options)
    const two = await startTestApp({ ...options, besides: one })
    const { host, others, groupId } = await friendsWithGames(one, 2)
    for (let count = 0; count < 4; count++)
      await startInGroup(host, groupId, { starts_at: iso(FIRST + count * HOUR), repeat: WEEKLY })
    for (let week = 1; week <= 3; week++) {
      clock.now = FIRST + (7 * week + 1) * DAY - AHEAD
      await Promise.all([tick(one), tick(two), tick(one), tick(two)])
    }
    const nights = await one.db.selectFrom('nights').select('starts_at').execute()
    expect(nights).toHaveLength(16)
    expect(new Set(nights.map((night) => night.starts_at)).size).toBe(16)
    // A server claims what is due for a minute, and is killed before it creates the nights.
    clock.now += 7 * DAY
    await claimedByKilled(one, clock.now + 60_000)
    await Promise.all([tick(one), tick(two)])
    expect((await startsOf(others[0]!)).filter((at) => at > clock.now)).toEqual([])
    clock.now += 60_000
    await Promise.all([tick(one), tick(two)])
    expect((await startsOf(others[0]!)).filter((at) => at > clock.now)).toHaveLength(4)
  })

  test('SERIES-5: asks the members there are then, or those of the latest night whom the host may still ask', async () => {
    const { app, host, ben, eve, groupId, inGroup, withPeople, at } = await begin(engine)
    await inGroup({ except: [eve.steam_id] })
    const chosen = await withPeople([ben, eve])
    const { token } = await host.call(api.invites.renewOfNight, { id: chosen.night_id })
    // Somebody who comes by link is not connected with the host.
    const guest = await app.player()
    await guest.call(api.invites.accept, { token }, {})
    await eve.call(api.nights.removePlayer, { id: chosen.night_id, steamId: eve.steam_id })
    const mia = await app.player({ friends: [host] })
    await host.call(api.groups.addMembers, { id: groupId }, { steam_ids: [mia.steam_id] })
    await inNight(chosen, host).cancel()
    await at(SECOND - AHEAD)
    const created = await app.db
      .selectFrom('nights')
      .select(['night_id', 'group_id'])
      .where('starts_at', '=', SECOND)
      .execute()
    expect(created).toHaveLength(2)
    for (const { night_id, group_id } of created) {
      const { people } = await inNight({ night_id }, host).read()
      expect(idsOf(people)).toEqual(idsOf(group_id === null ? [host, ben] : [host, ben, mia]))
    }
  })

  test('SERIES-6: moving and cancelling one night touches no other', async () => {
    const { host, ben, inGroup, at } = await begin(engine)
    const first = await inGroup()
    await host.call(api.nights.change, { id: first.night_id }, { starts_at: iso(FIRST + DAY), title: 'Late' })
    await at(SECOND - AHEAD)
    expect(await startsOf(ben)).toEqual([FIRST + DAY, SECOND])
    const second = await latestOf(ben)
    expect(second.title).toBeNull()
    await inNight(second, host).cancel()
    await at(SECOND - AHEAD + HOUR)
    expect(await startsOf(ben)).toEqual([FIRST + DAY])
    await at(THIRD - AHEAD)
    expect(await startsOf(ben)).toEqual([THIRD])
  })

  test('LIM-46, SERIES-3: five series of a group and of a host; a full group waits, and its date is left out once it has passed', async () => {
    const { app, host, ben, groupId, inGroup, at, clock } = await begin(engine)
    for (let count = 0; count < 5; count++) await inGroup({ starts_at: iso(FIRST + count * HOUR) })
    const more = { starts_at: iso(FIRST), repeat: WEEKLY }
    const refused = await host.refused(api.nights.start, {}, { steam_ids: [], ...more })
    expect([refused.status, refused.code]).toEqual([409, 'too_many_series'])
    const { nights } = await host.call(api.nights.list, host.user)
    // What was refused left nothing.
    expect(nights).toHaveLength(5)
    for (const { night_id } of nights) await inNight({ night_id }, host).cancel()
    const byBen = await ben.refused(api.nights.start, {}, { group_id: groupId, ...more })
    expect([byBen.status, byBen.code]).toEqual([409, 'too_many_series'])

    // Four other nights leave room for one of the five series.
    const others = []
    for (let count = 0; count < 4; count++)
      others.push(await startInGroup(ben, groupId, { starts_at: iso(SECOND + 5 * HOUR) }))
    await at(SECOND - AHEAD + 6 * HOUR)
    expect(await startsOf(host)).toHaveLength(5)
    await at(SECOND - HOUR)
    expect(await startsOf(host)).toHaveLength(5)
    // There is room again, for a date that has not passed.
    await inNight(others[0]!, ben).cancel()
    await at(SECOND + 2 * HOUR + 60_000)
    await at(clock.now + 60_000)
    const starts = await startsOf(host)
    expect(starts).toHaveLength(5)
    expect(starts.filter((start) => start > clock.now && start < SECOND + 5 * HOUR)).toHaveLength(1)
    expect(await app.db.selectFrom('night_series').select('series_id').execute()).toHaveLength(5)
  })

  test('SERIES-7: goes on when its host leaves one of its nights, and ends with their account', async () => {
    const { app, host, ben, inGroup, withPeople, at } = await begin(engine)
    const [ofGroup, chosen] = [await inGroup({ title: 'A wrote this' }), await withPeople([ben])]
    for (const night of [ofGroup, chosen]) {
      await inNight(night, ben).answer('in')
      await host.call(api.nights.removePlayer, { id: night.night_id, steamId: host.steam_id })
      expect(await inNight(night, ben).read()).toMatchObject({ host_steam_id: ben.steam_id })
    }
    await at(SECOND - AHEAD)
    const { nights } = await ben.call(api.nights.list, ben.user)
    const next = nights.filter(({ starts_at }) => starts_at === iso(SECOND))
    expect(next.map(({ host_steam_id }) => host_steam_id)).toEqual([host.steam_id, host.steam_id])

    for (const { night_id } of next) await inNight({ night_id }, ben).answer('in')
    await host.call(api.privacy.deleteAccount, host.user)
    for (const night of next)
      expect(await inNight(night, ben).read()).toMatchObject({
        host_steam_id: ben.steam_id,
        title: null,
        series: null,
      })
    expect(await app.db.selectFrom('night_series').selectAll().execute()).toEqual([])
  })

  test('SERIES-7: ends when nobody is left in its only night, where nobody could stop it', async () => {
    const { app, host, ben, withPeople } = await begin(engine)
    const night = await withPeople([ben])
    const id = { id: night.night_id }
    await ben.call(api.nights.removePlayer, { ...id, steamId: ben.steam_id })
    await host.call(api.nights.removePlayer, { ...id, steamId: host.steam_id })
    expect(await app.db.selectFrom('night_series').selectAll().execute()).toEqual([])
  })

  test('SERIES-7: ends when its host leaves the group, or is blocked', async () => {
    const steamId = nextSteamId()
    const { app, ben, eve, groupId } = await begin(engine, { env: { OPERATORS: steamId } })
    const operator = await app.player({ steamId })
    const starts = { starts_at: iso(FIRST), repeat: WEEKLY }
    const [byBen, byEve] = [
      await startInGroup(ben, groupId, starts),
      await startInGroup(eve, groupId, { ...starts, starts_at: iso(FIRST + HOUR) }),
    ]
    await inNight(byBen, eve).answer('maybe')
    await ben.call(api.groups.removeMember, { id: groupId, steamId: ben.steam_id })
    expect(await inNight(byBen, eve).read()).toMatchObject({ host_steam_id: eve.steam_id, series: null })
    expect((await inNight(byEve, eve).read()).series).not.toBeNull()
    await operator.call(api.operator.changeAccount, eve.user, { action: 'block', reason: 'rude' })
    const rows = await app.db.selectFrom('night_series').select('series_id').execute()
    expect(rows).toEqual([])
  })

  test('SERIES-8: its host and the owner of its group stop it; nights that exist stay; it ends with its group', async () => {
    const { app, host, ben, groupId, inGroup, at } = await begin(engine)
    const mine = await startInGroup(ben, groupId, { starts_at: iso(FIRST), repeat: WEEKLY })
    const id = { id: mine.series!.series_id }
    const second = await inGroup()
    expect((await ben.refused(api.nights.stopRepeating, { id: second.series!.series_id })).status).toBe(403)
    // The owner of the group.
    await host.call(api.nights.stopRepeating, id)
    const again = await ben.refused(api.nights.stopRepeating, id)
    expect([again.status, again.code]).toEqual([404, 'not_found'])
    const read = await inNight(mine, ben).read()
    expect([read.status, read.series]).toEqual(['open', null])
    await at(SECOND - AHEAD)
    expect(await startsOf(ben)).toEqual([SECOND])
    await host.call(api.groups.remove, { id: groupId })
    const rows = await app.db.selectFrom('night_series').select('series_id').execute()
    expect(rows).toEqual([])
  })
})

/** Claims every series, as a server does before it creates nights, and does nothing else. */
const claimedByKilled = (app: TestApp, until: number) =>
  app.write((tx) => tx.updateTable('night_series').set({ due_at: until }).execute())
