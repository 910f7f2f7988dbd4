/** The date of a night is found once, on any number of servers (DATE-7), and is an instant (DATE-15). */
import { describe, expect, test } from 'vitest'
import { api, engines, startAt, startTestApp, type TestPlayer } from '../support/app.ts'
import { findingDate, iso } from '../support/dates.ts'
import { startReceiver } from '../support/hooks.ts'
import { friendsWithGames, inNight, startInGroup as start } from '../support/nights.ts'
import { HOUR, MON, NOW, tick, TUE } from '../support/proposed-dates.ts'

describe.each(engines)('finding a date on two servers (%s)', (engine) => {
  /** A night that has a time on each day, of players on two servers, and how often its group was told of its date. */
  async function onTwoServers() {
    const receiver = await startReceiver()
    const clock = { now: NOW }
    const options = { engine, clock: () => clock.now, web: receiver.web }
    const one = await startTestApp(options)
    const two = await startTestApp({ ...options, besides: one })
    const { host, others, groupId } = await friendsWithGames(one, 3)
    await host.call(api.webhooks.set, { id: groupId }, { url: receiver.url, format: 'json' })
    const elsewhere = (player: TestPlayer) => ({ ...player, ...two.callsOf(player.token) })
    const propose = (rest: object = {}) =>
      start(host, groupId, { times: [iso(MON), iso(TUE)], title: 'Raid', ...rest })
    const announced = async () => {
      for (let sent = 1; sent > 0;) sent = await tick(one)
      return receiver.bodies().filter(({ event }) => event === 'night.planned').length
    }
    return { one, two, clock, host, ben: others[0]!, eve: others[1]!, elsewhere, propose, announced }
  }

  test('DATE-6, DATE-7, NIGHT-14: the last two answers, at once on two servers, find the date once', async () => {
    const { host, ben, eve, elsewhere, propose, announced } = await onTwoServers()
    for (let round = 1; round <= 4; round++) {
      const night = await propose()
      const before = await findingDate(night, eve).mark([MON, 'no'], [TUE, 'no'])
      const last = await Promise.all([
        findingDate(night, host).mark([MON, 'yes'], [TUE, 'maybe']),
        findingDate(night, elsewhere(ben)).mark([MON, 'yes'], [TUE, 'yes']),
      ])
      expect(last.map(({ status }) => status)).toContain('open')
      const found = await inNight(night, eve).read()
      expect(found).toMatchObject({ status: 'open', starts_at: iso(MON) })
      // One for each answer, and one for the date.
      expect(found.version).toBe(before.version + 3)
      expect(await announced()).toBe(round)
    }
  })

  test('DATE-7, NIGHT-14: a deadline comes once, also when the host takes a time at that moment', async () => {
    const { one, two, clock, host, ben, elsewhere, propose, announced } = await onTwoServers()
    const nights = []
    for (let count = 0; count < 4; count++) nights.push(await propose({ close_times_at: iso(NOW + HOUR) }))
    for (const night of nights) await findingDate(night, ben).mark([TUE, 'yes'])
    clock.now += HOUR
    const byHost = nights.slice(2).map((night, nth) => {
      const id = { id: night.night_id }
      return (nth === 0 ? host : elsewhere(host)).attempt(api.nights.takeTime, id, {
        starts_at: iso(MON),
      })
    })
    await Promise.all([tick(one), tick(two), ...byHost])
    for (const [nth, night] of nights.entries()) {
      const { status, starts_at } = await inNight(night, ben).read()
      const taken = await byHost[nth - 2]
      expect([status, starts_at]).toEqual(['open', iso(taken?.ok ? MON : TUE)])
      if (taken) expect([200, 409]).toContain(taken.status)
    }
    expect(await announced()).toBe(nights.length)
    await Promise.all([tick(one), tick(two)])
    expect(await announced()).toBe(nights.length)
  })
})

/** Times in the evening before and after each change of clocks, by what clocks show there. */
const CHANGES = [
  { zone: 'Europe/Berlin', evenings: ['2026-03-28', '2026-03-29', '2026-10-24', '2026-10-25'] },
  { zone: 'America/New_York', evenings: ['2026-03-07', '2026-03-08', '2026-10-31', '2026-11-01'] },
  { zone: 'Australia/Lord_Howe', evenings: ['2026-04-04', '2026-04-05', '2026-10-03', '2026-10-04'] },
]
/** What these clocks are ahead of UTC on these evenings, in minutes. */
const OFFSETS = [
  [60, 120, 120, 60],
  [-300, -240, -240, -300],
  [660, 630, 630, 660],
]

test('DATE-15: a time is an instant, whatever clocks do between the proposed ones', async () => {
  const { app } = await startAt(Date.UTC(2026, 1, 1))
  const { host, others, groupId } = await friendsWithGames(app, 2)
  for (const [nth, { zone, evenings }] of CHANGES.entries()) {
    const times = evenings.map((day, at) => Date.parse(`${day}T20:00Z`) - OFFSETS[nth]![at]! * 60_000)
    const night = await start(host, groupId, { times: times.map(iso), zone })
    expect(night.zone).toBe(zone)
    expect(night.times.map(({ starts_at }) => Date.parse(starts_at))).toEqual(times)
    const shown = night.times.map(({ starts_at }) =>
      new Date(starts_at).toLocaleString('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }),
    )
    expect(shown).toEqual(evenings.map((day) => `${day} 20:00`))
    await findingDate(night, others[0]!).mark([times[1]!, 'yes'])
    const found = await findingDate(night, host).take(times[1]!)
    expect(Date.parse(found.starts_at)).toBe(times[1])
    await inNight(night, host).cancel()
  }
})
