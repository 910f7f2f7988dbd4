/** Reminders before a planned night, on devices and by webhook (PUSH-6, NIGHT-68). */
import { describe, expect, test } from 'vitest'
import { api, engines, startTestApp } from '../support/app.ts'
import { startReceiver } from '../support/hooks.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import { groupWithDevices, nobody, NOW, settleSends } from '../support/push-devices.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = NOW + 3 * DAY
const iso = (time: number) => new Date(time).toISOString()
const when = 'Thursday 4 June at 14:00, GMT+2'
const upcoming = `Coming up: ${when}`
const question = `Are you in? You have not answered yet: ${when}`

/** A host, Ada, who is in, and Ben, who has not answered, are asked to a night; everything before it was sent. */
async function begin(engine: (typeof engines)[number], { startsAt = START } = {}) {
  const world = await groupWithDevices(engine)
  const start = (rest: object = {}) =>
    world.start({ starts_at: iso(startsAt), zone: 'Europe/Berlin', ...rest })
  const night = await start()
  await inNight(night, world.ada).answer('in')
  await world.news()
  return { ...world, night, start }
}

describe.each(engines)('reminders (%s)', (engine) => {
  test('PUSH-6: come a day and half an hour before, once, from whichever server', async () => {
    const { app, clock, service, devices, news } = await begin(engine)
    const other = await startTestApp({ engine, besides: app, clock: () => clock.now, web: service.web })
    clock.now = START - DAY - MINUTE
    expect(await news(app, other)).toEqual(nobody)
    clock.now = START - DAY
    expect(await news(app, other)).toEqual({ host: [upcoming], ada: [upcoming], ben: [question] })
    expect(devices.ada.received.at(-1)!.headers).toMatchObject({
      ttl: String(24 * 60 * 60),
      urgency: 'normal',
    })
    clock.now = START - 30 * MINUTE - 1
    expect(await news(app, other)).toEqual(nobody)
    clock.now = START - 30 * MINUTE
    expect(await news(app, other)).toEqual({
      host: ['It starts in 30 minutes.'],
      ada: ['It starts in 30 minutes.'],
      ben: ['Are you in? It starts in 30 minutes, and you have not answered yet.'],
    })
    expect(devices.ben.received.at(-1)!.headers).toMatchObject({ urgency: 'high' })
    clock.now = START - MINUTE
    expect(await news(app, other)).toEqual(nobody)
    expect(await app.db.selectFrom('night_reminders').selectAll().execute()).toEqual([])
  })

  test('PUSH-6: there is none a day before a start that is chosen less than 25 hours ahead', async () => {
    const { clock, news } = await begin(engine, { startsAt: NOW + 25 * HOUR - 1 })
    clock.now = NOW + HOUR
    expect(await news()).toEqual(nobody)
    clock.now = NOW + 25 * HOUR - 30 * MINUTE
    expect(await news()).toMatchObject({ ada: ['It starts in 30 minutes.'] })

    const whole = await begin(engine, { startsAt: NOW + 25 * HOUR })
    whole.clock.now = NOW + HOUR
    expect(await whole.news()).toMatchObject({
      ada: [expect.stringMatching(/^Coming up: Tuesday 2 June at 15:00/)],
    })
  })

  test('PUSH-6: the first comes late if servers were off, but never with the second', async () => {
    const { app, clock, start, news } = await begin(engine)
    clock.now = START - 31 * MINUTE
    expect(await news()).toMatchObject({ ada: ['It starts in 31 minutes.'] })
    clock.now = START - 20 * MINUTE
    expect(await news()).toMatchObject({ ada: ['It starts in 20 minutes.'] })

    const later = START + 2 * DAY
    await start({ starts_at: iso(later) })
    await news()
    clock.now = later - 2 * HOUR
    expect((await news()).host).toEqual(['Coming up: Saturday 6 June at 14:00, GMT+2'])
    await start({ starts_at: iso(later + 2 * DAY) })
    await news()
    clock.now = later + 2 * DAY - 10 * MINUTE
    expect((await news()).host).toEqual(['It starts in 10 minutes.'])
    expect(await app.db.selectFrom('night_reminders').selectAll().execute()).toEqual([])
  })

  test('PUSH-6: both move with the night', async () => {
    const { clock, host, night, news } = await begin(engine)
    const id = { id: night.night_id }
    const move = async (to: number) => {
      await host.call(api.nights.change, id, { starts_at: iso(to) })
      await news()
    }
    await move(START + DAY)
    clock.now = START - DAY
    expect(await news()).toEqual(nobody)
    clock.now = START
    expect(await news()).toMatchObject({ ada: [expect.stringMatching(/^Coming up: Friday 5 June at 14:00/)] })
    // It is far ahead again, and reminded of again.
    await move(START + 3 * DAY)
    clock.now = START + DAY - 30 * MINUTE
    expect(await news()).toEqual(nobody)
    clock.now = START + 2 * DAY
    expect(await news()).toMatchObject({ ada: [expect.stringMatching(/^Coming up: Sunday 7 June at 14:00/)] })
    clock.now = START + 3 * DAY - 30 * MINUTE
    expect(await news()).toMatchObject({ ada: ['It starts in 30 minutes.'] })
  })

  test('PUSH-6: none when it is cancelled, one is out, has left, or has switched it off', async () => {
    const { clock, host, ada, ben, night, groupId, start, news } = await begin(engine)
    await inNight(night, ada).answer('out')
    const settings = ben.user
    await ben.call(api.privacy.changeSettings, settings, { notifications: { starting: false } })
    clock.now = START - DAY
    expect(await news()).toEqual({ ...nobody, host: [upcoming] })
    clock.now = START - 30 * MINUTE
    expect(await news()).toMatchObject({ ada: [], ben: [] })
    await ben.call(api.privacy.changeSettings, settings, { notifications: { starting: true } })

    const later = START + 7 * DAY
    const other = await start({ starts_at: iso(later) })
    await news()
    await ben.call(api.groups.leave, { id: groupId })
    clock.now = later - DAY
    expect(await news()).toMatchObject({ ben: [] })
    await inNight(other, host).cancel()
    await news()
    clock.now = later - 30 * MINUTE
    expect(await news()).toEqual(nobody)
  })

  test('PUSH-6: one that was answered before it is sent asks nothing, and the game is named', async () => {
    const { clock, host, ben, night, appids, news } = await begin(engine)
    await inNight(night, host).decide(appids[0]!)
    await news()
    clock.now = START - DAY
    await inNight(night, ben).answer('maybe')
    const said = `You play Portal: ${when}`
    expect(await news()).toEqual({ host: [said], ada: [said], ben: [said] })
  })

  test('NIGHT-68: a webhook gets both, once from two servers, without names of players', async () => {
    const clock = { now: NOW }
    const receiver = await startReceiver()
    const app = await startTestApp({ engine, clock: () => clock.now, web: receiver.web })
    const other = await startTestApp({ engine, besides: app, clock: () => clock.now, web: receiver.web })
    const { host, groupId } = await friendsWithGames(app, 2)
    await host.call(api.webhooks.set, { id: groupId }, { url: receiver.url, format: 'json' })
    const night = await host.call(api.nights.start, {}, { group_id: groupId, starts_at: iso(START) })
    const all = async () => {
      await Promise.all([settleSends(app), settleSends(other)])
      return receiver.bodies().slice(1)
    }
    expect(await all()).toEqual([])
    clock.now = START - DAY
    const about = { night_id: night.night_id, starts_at: iso(START), in: 1 }
    const both = [
      { event: 'night.upcoming', text: 'A game night is coming up (Friday).', night: about },
      { event: 'night.starting', text: 'The game night starts soon (Friday).', night: about },
    ]
    expect(await all()).toMatchObject(both.slice(0, 1))
    clock.now = START - 30 * MINUTE
    expect(await all()).toMatchObject(both)
    clock.now = START - MINUTE
    expect(await all()).toHaveLength(2)
    expect(receiver.received.map(({ body }) => body).join()).not.toMatch(/Host|Player/)
  })

  test('NIGHT-68: a reminder that waits is not sent when the night was moved, is cancelled or starts', async () => {
    const clock = { now: NOW }
    const receiver = await startReceiver()
    const app = await startTestApp({ engine, clock: () => clock.now, web: receiver.web })
    const { host, groupId } = await friendsWithGames(app, 2)
    await host.call(api.webhooks.set, { id: groupId }, { url: receiver.url, format: 'json' })
    const changes: ((night: { night_id: number }) => Promise<unknown>)[] = [
      (night) => host.call(api.nights.change, { id: night.night_id }, { starts_at: iso(START + 9 * DAY) }),
      (night) => inNight(night, host).cancel(),
      async () => void (clock.now = START),
    ]
    for (const change of changes) {
      clock.now = NOW
      const night = await host.call(api.nights.start, {}, { group_id: groupId, starts_at: iso(START) })
      await settleSends(app)
      receiver.respond(() => ({ status: 500 }))
      clock.now = START - 30 * MINUTE
      await settleSends(app)
      const tried = receiver.bodies().filter(({ event }) => event === 'night.starting').length
      receiver.respond(() => ({ status: 204 }))
      clock.now += MINUTE
      await change(night)
      await settleSends(app)
      expect(receiver.bodies().filter(({ event }) => event === 'night.starting')).toHaveLength(tried)
      await app.db.deleteFrom('night_reminders').execute()
    }
  })
})
