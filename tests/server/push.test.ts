/** What devices are notified of, and when (PUSH-4 to PUSH-9). */
import { describe, expect, test } from 'vitest'
import type { Notifications } from '#shared/contract/privacy.ts'
import { api, engines, type TestPlayer } from '../support/app.ts'
import { findingDate } from '../support/dates.ts'
import { deviceOf, groupWithDevices, nobody, NOW } from '../support/push-devices.ts'
import { inNight } from '../support/nights.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const iso = (time: number) => new Date(time).toISOString()

const set = (player: TestPlayer, notifications: Partial<Notifications>) =>
  player.call(api.privacy.changeSettings, player.user, { notifications })
/** Nothing is sent before `news`, which every device takes. */
async function begin(engine: (typeof engines)[number], players?: number) {
  const world = await groupWithDevices(engine, players)
  const news = async () => {
    const told = await world.news()
    expect(world.service.faults).toEqual([])
    return told
  }
  return { ...world, news }
}

const MONDAY_NIGHT = 'Monday 1 June at 20:00, GMT+2'
const PLANNED = { starts_at: iso(NOW + 6 * HOUR), zone: 'Europe/Berlin', title: 'Portal night' }

describe.each(engines)('notifications (%s)', (engine) => {
  test('PUSH-4, PUSH-11: come when one is asked to a night, it is moved, and it is cancelled', async () => {
    const { host, ben, clock, devices, start, news } = await begin(engine)
    const night = await start(PLANNED)
    const asked = [`Host asks you to play: ${MONDAY_NIGHT}`]
    expect(await news()).toEqual({ host: [], ada: asked, ben: asked })
    const page = { title: 'Portal night', path: `/nights/${night.night_id}`, tag: `night-${night.night_id}` }
    expect(devices.ada.notifications()).toEqual([{ ...page, body: asked[0] }])

    await inNight(night, ben).answer('out')
    const id = { id: night.night_id }
    await host.call(api.nights.change, id, { starts_at: iso(NOW + 7 * HOUR) })
    const later = 'Monday 1 June at 21:00, GMT+2'
    expect(await news()).toEqual({ ...nobody, ada: [`New time: ${later}`] })
    // A title is no news.
    await host.call(api.nights.change, id, { title: 'Friday' })
    expect(await news()).toEqual(nobody)
    await inNight(night, host).cancel()
    expect(await news()).toEqual({ ...nobody, ada: [`It is cancelled. It was planned for ${later}.`] })

    const [first, moved] = devices.ada.received
    expect(first!.headers).toMatchObject({ ttl: String(6 * 60 * 60), urgency: 'normal' })
    expect(moved!.headers).toMatchObject({ ttl: String(7 * 60 * 60), topic: first!.headers.topic })
    clock.now += HOUR
    await start()
    expect(await news()).toEqual({
      host: [],
      ada: ['Host asks you to play now.'],
      ben: ['Host asks you to play now.'],
    })
    const now = devices.ada.received.at(-1)!
    expect(now.headers.ttl).toBe('3600')
    expect(now.headers.topic).not.toBe(first!.headers.topic)
    expect(devices.ada.notifications().at(-1)!.title).toBe('Friday')
  })

  test('PUSH-4, DATE-9: come when one is asked for a date, when it was found, and before that night starts', async () => {
    const { host, ada, ben, clock, start, news } = await begin(engine)
    const times = [iso(NOW + 6 * HOUR), iso(NOW + DAY)]
    const night = await start({ times, zone: 'Europe/Berlin', title: 'Portal night' })
    const asked = ['Host asks when you can play.']
    expect(await news()).toEqual({ host: [], ada: asked, ben: asked })
    await findingDate(night, ada).mark([NOW + 6 * HOUR, 'yes'])
    await inNight(night, ben).answer('out')
    expect(await news()).toEqual(nobody)
    await findingDate(night, host).take(NOW + 6 * HOUR)
    expect(await news()).toEqual({ ...nobody, ada: [`The date was found: ${MONDAY_NIGHT}`] })
    clock.now = NOW + 6 * HOUR - 30 * MINUTE
    // The host has answered none of the times.
    const unanswered = 'Are you in? It starts in 30 minutes, and you have not answered yet.'
    expect(await news()).toEqual({ host: [unanswered], ada: ['It starts in 30 minutes.'], ben: [] })

    const cancelled = await start({ times: [iso(NOW + DAY), iso(NOW + 2 * DAY)] })
    // PUSH-9: who has answered before it is sent is not asked.
    await findingDate(cancelled, ada).mark([NOW + DAY, 'no'])
    expect(await news()).toEqual({ ...nobody, ben: asked })
    await inNight(cancelled, host).cancel()
    expect(await news()).toEqual({ host: [], ada: ['It is cancelled.'], ben: ['It is cancelled.'] })

    const agreed = await start({ times: [iso(NOW + DAY), iso(NOW + 2 * DAY)] })
    for (const player of [host, ada])
      await findingDate(agreed, player).mark([NOW + DAY, 'yes'], [NOW + 2 * DAY, 'no'])
    await news()
    await inNight(agreed, host).remove(ben)
    const found = expect.stringMatching(/^The date was found/) as string
    expect(await news()).toMatchObject({ host: [], ada: [found] })
  })

  test('PUSH-4, NIGHT-8, PERM-14: come to who becomes the host of a night, or the owner of a group', async () => {
    const { host, ada, ben, devices, groupId, start, news } = await begin(engine)
    const night = await start(PLANNED)
    await inNight(night, ben).answer('in')
    await inNight(night, ada).answer('maybe')
    await news()
    await inNight(night, host).remove(host)
    expect(await news()).toEqual({ ...nobody, ben: ['Its host has left. You host it now.'] })
    await inNight(night, ben).remove(ben)
    await inNight(night, ada).remove(ada)
    // She had it for a moment.
    expect(await news()).toEqual(nobody)
    const { name } = await host.call(api.groups.read, { id: groupId })
    await host.call(api.groups.leave, { id: groupId })
    const { owner_steam_id } = await ada.call(api.groups.read, { id: groupId })
    const [owner, other] =
      owner_steam_id === ada.steam_id ? (['ada', 'ben'] as const) : (['ben', 'ada'] as const)
    expect(await news()).toEqual({ ...nobody, [owner]: ['You own this group now.'] })
    expect(devices[owner].notifications().at(-1)).toMatchObject({ title: name, path: `/groups/${groupId}` })
    const players = { ada, ben }
    await players[owner].call(api.groups.handOver, { id: groupId }, { steam_id: players[other].steam_id })
    expect(await news()).toEqual({ ...nobody, [other]: ['You own this group now.'] })
  })

  test('PUSH-4: come to those whom the host asks later, and to those who are left when the host leaves', async () => {
    const { host, ada, ben, news } = await begin(engine)
    const night = await host.call(api.nights.start, {}, { ...PLANNED, steam_ids: [ada.steam_id] })
    expect(await news()).toMatchObject({ ada: [expect.any(String)], ben: [] })
    await host.call(
      api.nights.addPlayers,
      { id: night.night_id },
      { steam_ids: [ada.steam_id, ben.steam_id] },
    )
    expect(await news()).toMatchObject({ ada: [], ben: [`Host asks you to play: ${MONDAY_NIGHT}`] })

    const { night_id } = await host.call(api.nights.start, {}, { ...PLANNED, steam_ids: [ada.steam_id] })
    await news()
    // Nobody has answered but the host.
    await host.call(api.nights.removePlayer, { id: night_id, steamId: host.steam_id })
    expect(await news()).toEqual({ ...nobody, ada: [`It is cancelled. It was planned for ${MONDAY_NIGHT}.`] })
  })

  test('PUSH-5: says once that the vote is on, to those who come and have not voted when it is sent', async () => {
    const { host, ada, ben, cleo, appids, start, news } = await begin(engine, 5)
    const night = await start(PLANNED)
    await inNight(night, ada).answer('in')
    await news()
    const mark = [{ appid: appids[0]!, mark: 'want' as const }]
    await inNight(night, host).vote(mark)
    const vote = ['The vote is on, and you have not voted yet.']
    expect(await news()).toEqual({ ...nobody, ada: vote })
    // Another vote of the host is not another one who votes. Ben has answered since; Ada is not told again.
    await inNight(night, ben).answer('maybe')
    await inNight(night, host).vote([])
    expect(await news()).toEqual(nobody)
    await inNight(night, ada).vote(mark)
    expect(await news()).toEqual({ ...nobody, ben: vote })
    await inNight(night, cleo!).answer('in')
    await inNight(night, cleo!).vote(mark)
    expect(await news()).toEqual(nobody)

    const other = await start(PLANNED)
    await inNight(other, ada).answer('in')
    await news()
    await inNight(other, host).vote(mark)
    await inNight(other, ada).vote(mark)
    expect(await news()).toEqual(nobody)
  })

  test('PUSH-5: says what was picked, but not to who picked it', async () => {
    const { app, host, ada, ben, appids, start, news } = await begin(engine)
    const night = await start(PLANNED)
    await inNight(night, ada).answer('in')
    await inNight(night, host).vote([{ appid: appids[0]!, mark: 'want' }])
    await news()
    await inNight(night, host).close()
    expect(await news()).toEqual({ ...nobody, ada: ['You play Portal.'] })
    await inNight(night, host).redraw('too short')
    expect((await news()).ada).toEqual([expect.stringMatching(/^You play (Factorio|Overcooked)\.$/)])

    const whole = await start({ ...PLANNED, starts_at: iso(NOW + DAY) })
    await inNight(whole, ada).answer('in')
    await inNight(whole, ben).answer('maybe')
    await inNight(whole, ada).vote([{ appid: appids[1]!, mark: 'want' }])
    await news()
    // The vote ends by itself with this one.
    await inNight(whole, host).vote([{ appid: appids[1]!, mark: 'want' }])
    const picked = ['You play Factorio.']
    expect(await news()).toEqual({ host: [], ada: picked, ben: picked })
    expect(
      await app.db.selectFrom('push_messages').where('done_at', 'is', null).selectAll().execute(),
    ).toEqual([])
  })

  test('PUSH-7: each kind can be switched off, also after it has happened', async () => {
    const { clock, host, ada, appids, start, news } = await begin(engine)
    const rounds: [keyof Notifications, () => Promise<unknown>][] = []
    let night = await start({ ...PLANNED, starts_at: iso(NOW + DAY) })
    const id = () => ({ id: night.night_id })
    await inNight(night, ada).answer('in')
    await news()
    rounds.push(
      ['asked', async () => (night = await start(PLANNED))],
      ['moved', () => host.call(api.nights.change, id(), { starts_at: iso(NOW + 5 * HOUR) })],
      [
        'vote',
        async () => {
          await inNight(night, ada).answer('in')
          await inNight(night, host).vote([{ appid: appids[0]!, mark: 'want' }])
        },
      ],
      ['picked', () => inNight(night, host).close()],
      ['starting', async () => void (clock.now = NOW + 4.5 * HOUR)],
      ['moved', () => inNight(night, host).cancel()],
    )
    for (const [kind, happens] of rounds) {
      await set(ada, { [kind]: false })
      await happens()
      // A start happens when a server notices.
      if (kind === 'starting') expect((await news()).ada).toEqual([])
      await set(ada, { [kind]: true })
      expect([kind, (await news()).ada]).toEqual([kind, []])
    }
    const last = await start(PLANNED)
    await set(ada, { asked: false })
    expect(await news()).toMatchObject({ ada: [], ben: [expect.any(String)] })
    await inNight(last, host).cancel()
    expect(await news()).toMatchObject({ ada: [expect.any(String)] })
  })

  test('PUSH-8: are discreet for who wants that', async () => {
    const { ada, devices, start, news } = await begin(engine)
    await set(ada, { discreet: true })
    await start(PLANNED)
    expect((await news()).ada).toEqual(['You are asked to a game night.'])
    expect(devices.ada.notifications()[0]!.title).toBe('Shelfmates')
  })

  test('PUSH-8: speak the language that the user has chosen, else that of the browser', async () => {
    const { service, clock, host, ada, ben, appids, devices, start, news } = await begin(engine)
    const [chosen, browsers] = [ada.user, { 'accept-language': 'de-AT,en;q=0.5' }]
    await ada.call(api.privacy.changeSettings, chosen, { language: 'de' })
    const phone = await deviceOf(service, ben, browsers)
    const night = await start(PLANNED)
    await inNight(night, ada).answer('in')
    await inNight(night, ben).answer('maybe')
    await inNight(night, host).vote([{ appid: appids[0]!, mark: 'want' }])
    await news()
    const vote = 'Die Abstimmung läuft, und du hast noch nicht abgestimmt.'
    expect(devices.ada.notifications().map(({ body }) => body)).toEqual([vote])
    expect(phone.notifications().map(({ body }) => body)).toEqual([vote])
    expect(devices.ben.notifications().map(({ body }) => body)).toEqual([
      'The vote is on, and you have not voted yet.',
    ])
    await host.call(api.nights.change, { id: night.night_id }, { starts_at: iso(NOW + 8 * HOUR) })
    clock.now = NOW + 7.5 * HOUR
    // The one language that a user has chosen is that of all their devices.
    await ben.call(api.privacy.changeSettings, ben.user, { language: 'en' })
    await news()
    expect(devices.ada.notifications().at(-1)!.body).toBe('In 30 Minuten geht es los.')
    expect(phone.notifications().at(-1)!.body).toBe('It starts in 30 minutes.')
  })

  test('PUSH-9: do not come where something newer has happened before they are sent', async () => {
    const { host, ada, appids, start, news } = await begin(engine)
    const night = await start(PLANNED)
    await inNight(night, ada).answer('in')
    await news()
    const id = { id: night.night_id }
    for (const hours of [7, 8]) {
      const starts_at = iso(NOW + hours * HOUR)
      await host.call(api.nights.change, id, { starts_at })
    }
    const late = 'New time: Monday 1 June at 22:00, GMT+2'
    expect((await news()).ada).toEqual([late])
    await inNight(night, host).decide(appids[0]!)
    await inNight(night, host).redraw('too short')
    expect((await news()).ada).toEqual([expect.stringMatching(/^You play (Factorio|Overcooked)\.$/)])
    await host.call(api.nights.change, id, { starts_at: iso(NOW + 9 * HOUR) })
    await inNight(night, host).cancel()
    expect((await news()).ada).toEqual([expect.stringMatching(/^It is cancelled\./)])
  })

  test('PUSH-9: do not come to who may not see the night any more, or has answered since', async () => {
    const { host, ada, ben, start, news, groupId, clock } = await begin(engine)
    const night = await start(PLANNED)
    await host.call(api.nights.removePlayer, { id: night.night_id, steamId: ada.steam_id })
    await inNight(night, ben).answer('in')
    expect(await news()).toEqual(nobody)
    clock.now = NOW + 5.5 * HOUR
    await ben.request(`/api/groups/${groupId}/leave`, { method: 'POST' })
    expect(await news()).toEqual({ ...nobody, host: ['It starts in 30 minutes.'] })
    const deleted = await start()
    await inNight(deleted, host).cancel()
    await host.call(api.groups.remove, { id: groupId })
    expect(await news()).toEqual(nobody)
  })
})
