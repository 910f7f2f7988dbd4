/** Finding the date of a game night: proposing times, answering them and taking one (DATE-1 to DATE-10). */
import { describe, expect, test } from 'vitest'
import { calendarContract } from '#shared/contract/calendar.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import { invitesContract } from '#shared/contract/invites.ts'
import { nightsContract } from '#shared/contract/nights.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { webhooksContract } from '#shared/contract/webhooks.ts'
import type { NightAnswer } from '#shared/nights/entities.ts'
import { startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { findingDate, iso } from '../support/dates.ts'
import { startReceiver } from '../support/hooks.ts'
import { friendsWithGames, inNight, startInGroup as start } from '../support/nights.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 5, 1, 12)
const [MON, TUE, WED] = [NOW + DAY, NOW + 2 * DAY, NOW + 3 * DAY]

/** A group of a host, Ben and Eve, with a clock; `propose` starts a night whose date is to be found. */
async function begin(engine: (typeof engines)[number], options: object = {}) {
  const clock = { now: NOW }
  const app = await startTestApp({ engine, clock: () => clock.now, ...options })
  const { host, others, groupId } = await friendsWithGames(app, 3)
  const [ben, eve] = others as [TestPlayer, TestPlayer]
  const propose = (times: readonly number[] = [MON, TUE, WED], rest: object = {}) =>
    start(host, groupId, { times: times.map(iso), ...rest })
  return { app, clock, host, ben, eve, groupId, propose }
}
const answersIn = async (night: { night_id: number }, player: TestPlayer) =>
  Object.fromEntries(
    (await inNight(night, player).read()).people.map(({ steam_id, answer }) => [steam_id, answer]),
  )
const summaryFor = async (player: TestPlayer, night: { night_id: number }) =>
  (await player.call(nightsContract.list, { steamId: player.steam_id })).nights.find(
    ({ night_id }) => night_id === night.night_id,
  )!
/** Does what is due in the background. */
const tick = (app: TestApp) => app.deps.messages.runOnce()

describe.each(engines)('finding a date (%s)', (engine) => {
  test('DATE-1, LIM-52: a night has 2 to 12 times instead of one, each as its start may be', async () => {
    const { host, groupId, propose } = await begin(engine)
    const refused = async (body: object) =>
      (await host.refused(nightsContract.start, {}, { group_id: groupId, ...body })) as { field?: string }
    const times = [iso(TUE), iso(MON)]
    expect(await refused({ times: [iso(MON)] })).toMatchObject({ status: 400, field: 'times' })
    const many = Array.from({ length: 13 }, (_, nth) => iso(MON + nth * HOUR))
    expect(await refused({ times: many })).toMatchObject({ status: 400, field: 'times' })
    expect(await refused({ times: [iso(MON), iso(MON)] })).toMatchObject({ status: 400, field: 'times' })
    expect(await refused({ times: [iso(MON), iso(NOW - 6 * 60_000)] })).toMatchObject({ field: 'times' })
    expect(await refused({ times: [iso(MON), iso(NOW + 367 * DAY)] })).toMatchObject({ field: 'times' })
    expect(await refused({ times: [iso(NOW), iso(NOW - 60_000)] })).toMatchObject({ field: 'times' })
    expect(await refused({ times, starts_at: iso(MON) })).toMatchObject({ status: 400, field: 'times' })
    for (const close of [NOW, TUE, TUE + 1])
      expect(await refused({ times, close_times_at: iso(close) })).toMatchObject({ field: 'close_times_at' })
    expect(await refused({ close_times_at: iso(MON) })).toMatchObject({ field: 'close_times_at' })

    const night = await propose([TUE, MON], { close_times_at: iso(MON), title: 'Raid' })
    expect(night).toMatchObject({
      status: 'dating',
      planned: false,
      title: 'Raid',
      times: [
        { starts_at: iso(MON), answers: {} },
        { starts_at: iso(TUE), answers: {} },
      ],
      close_times_at: iso(MON),
      starts_at: iso(TUE),
    })
    expect(night.people.map(({ answer }) => answer)).toEqual([null, null, null])
    expect((await propose(many.slice(0, 12).map((text) => Date.parse(text)))).times).toHaveLength(12)
    expect(await start(host, groupId)).toMatchObject({ times: [], close_times_at: null, status: 'open' })
  })

  test('DATE-2, DATE-5: answers are for all or some times, changeable, seen by all, and sort the times', async () => {
    const { host, ben, eve, propose } = await begin(engine)
    const night = await propose()
    await findingDate(night, ben).mark([MON, 'no'], [TUE, 'maybe'], [WED, 'yes'])
    await findingDate(night, eve).mark([WED, 'maybe'])
    const seen = await findingDate(night, host).mark([TUE, 'yes'])
    expect(seen.times).toEqual([
      { starts_at: iso(TUE), answers: { [host.steam_id]: 'yes', [ben.steam_id]: 'maybe' } },
      { starts_at: iso(WED), answers: { [ben.steam_id]: 'yes', [eve.steam_id]: 'maybe' } },
      { starts_at: iso(MON), answers: { [ben.steam_id]: 'no' } },
    ])
    const changed = await findingDate(night, eve).mark([WED, 'yes'])
    expect(changed.times.map(({ starts_at }) => starts_at)).toEqual([iso(WED), iso(TUE), iso(MON)])
    expect(changed.version).toBeGreaterThan(seen.version)
    // The same answers change nothing.
    expect((await findingDate(night, eve).mark([WED, 'yes'])).version).toBe(changed.version)
    expect((await findingDate(night, eve).mark()).version).toBe(changed.version)
    expect(await findingDate(night, eve).markRefused([MON + 1, 'yes'])).toMatchObject({
      status: 400,
      field: 'answers',
    })
    expect(await summaryFor(eve, night)).toMatchObject({
      status: 'dating',
      dating: { answered: 1, asked: 3, needs_me: true },
    })
    expect((await summaryFor(ben, night)).dating).toMatchObject({ needs_me: false })
  })

  test('DATE-3: who is out for any time is not asked, until they answer one', async () => {
    const { host, ben, eve, propose } = await begin(engine)
    const night = await propose([MON, TUE])
    await findingDate(night, ben).mark([MON, 'yes'])
    const out = await inNight(night, ben).answer('out', 'on holiday')
    expect(out.times[0]!.answers).toEqual({})
    expect((await summaryFor(host, night)).dating).toMatchObject({ answered: 0, asked: 2 })
    for (const answer of ['in', 'maybe'] as const satisfies NightAnswer[])
      expect(await ben.refused(nightsContract.answer, { id: night.night_id }, { answer })).toMatchObject({
        status: 409,
        code: 'night_has_no_date',
      })
    expect((await findingDate(night, ben).mark([TUE, 'yes'])).my).toMatchObject({ answer: null, word: null })
    await inNight(night, eve).answer('out')
    await findingDate(night, host).mark([TUE, 'yes'])
    await findingDate(night, host).take(TUE)
    expect(await answersIn(night, host)).toEqual({
      [host.steam_id]: 'in',
      [ben.steam_id]: 'in',
      [eve.steam_id]: 'out',
    })
  })

  test('DATE-4: the host takes a time, and it is an ordinary planned night', async () => {
    const { app, host, ben, eve, groupId, propose } = await begin(engine)
    const night = await propose()
    const id = { id: night.night_id }
    await findingDate(night, host).mark([MON, 'yes'], [TUE, 'no'])
    await findingDate(night, ben).mark([MON, 'maybe'])
    await findingDate(night, eve).mark([TUE, 'yes'])
    // Nothing is decided before that.
    const noDate = { status: 409, code: 'night_has_no_date' }
    expect(await host.refused(nightsContract.change, id, { starts_at: iso(MON) })).toMatchObject(noDate)
    expect(await host.refused(nightsContract.vote, id, { marks: [] })).toMatchObject(noDate)
    expect(await host.refused(nightsContract.close, id, { by: 'draw' })).toMatchObject(noDate)
    expect(await host.refused(nightsContract.draw, id)).toMatchObject(noDate)
    expect(await host.refused(nightsContract.reopen, id)).toMatchObject(noDate)
    expect(await host.refused(nightsContract.redraw, id, { reason: 'x' })).toMatchObject(noDate)
    expect((await inNight(night, host).read()).status).toBe('dating')
    expect(
      await host.call(nightsContract.change, id, { title: 'Raid', forbids: true, any_size: true }),
    ).toMatchObject({ title: 'Raid', forbids: true, any_size: true, status: 'dating', planned: false })

    expect(await findingDate(night, host).takeRefused(MON + HOUR)).toMatchObject({
      status: 400,
      field: 'starts_at',
    })
    expect(await findingDate(night, ben).takeRefused(MON)).toMatchObject({ code: 'not_night_host' })
    expect(await findingDate(night, host).take(MON)).toMatchObject({
      status: 'open',
      planned: true,
      starts_at: iso(MON),
      times: [],
      close_times_at: null,
    })
    expect(await answersIn(night, ben)).toEqual({
      [host.steam_id]: 'in',
      [ben.steam_id]: 'maybe',
      [eve.steam_id]: null,
    })
    // Again changes nothing; another time is moving it.
    expect(await findingDate(night, host).take(MON)).toMatchObject({ starts_at: iso(MON) })
    const found = { status: 409, code: 'date_is_found' }
    expect(await findingDate(night, host).takeRefused(TUE)).toMatchObject(found)
    expect(await findingDate(night, eve).markRefused([MON, 'yes'])).toMatchObject(found)
    expect(await summaryFor(host, night)).toMatchObject({ status: 'open', dating: null, in: 1, maybe: 1 })
    // Nothing of it stays.
    for (const table of ['night_dates', 'night_date_answers'] as const)
      expect(await app.database.queries.selectFrom(table).selectAll().execute()).toEqual([])
    await host.call(nightsContract.change, id, { starts_at: iso(WED) })
    await inNight(night, host).vote([])
    expect((await inNight(night, host).close('draw')).status).toBe('tied')
    expect((await start(host, groupId)).times).toEqual([])
  })

  test('DATE-6: is taken by itself when everyone has answered and one is best', async () => {
    const { host, ben, eve, groupId, propose } = await begin(engine)
    const night = await propose([MON, TUE])
    await findingDate(night, host).mark([MON, 'yes'], [TUE, 'yes'])
    await findingDate(night, ben).mark([MON, 'yes'], [TUE, 'maybe'])
    // Everyone else has answered, but not Eve.
    expect((await findingDate(night, eve).mark([MON, 'no'])).status).toBe('dating')
    expect(await findingDate(night, eve).mark([TUE, 'no'])).toMatchObject({
      status: 'open',
      starts_at: iso(MON),
      planned: true,
    })
    expect(await answersIn(night, host)).toEqual({
      [host.steam_id]: 'in',
      [ben.steam_id]: 'in',
      [eve.steam_id]: 'out',
    })

    // A tie, and one player alone, wait for the host.
    const tied = await propose([MON, TUE])
    for (const player of [host, ben]) await findingDate(tied, player).mark([MON, 'yes'], [TUE, 'yes'])
    expect((await inNight(tied, eve).answer('out')).status).toBe('dating')
    const alone = await propose([MON, TUE])
    await findingDate(alone, host).mark([MON, 'yes'], [TUE, 'no'])
    for (const player of [ben, eve]) await findingDate(alone, player).mark([MON, 'no'], [TUE, 'no'])
    expect((await inNight(alone, host).read()).status).toBe('dating')

    // Leaving, and saying 'out', completes it.
    const left = await propose([MON, TUE])
    for (const player of [host, ben]) await findingDate(left, player).mark([MON, 'yes'], [TUE, 'no'])
    await eve.call(groupsContract.leave, { id: groupId })
    expect(await inNight(left, ben).read()).toMatchObject({ status: 'open', starts_at: iso(MON) })
  })

  test('DATE-6: removing the last who has not answered completes it, and a time that passes needs no answer', async () => {
    const { app, clock, host, ben, eve, propose } = await begin(engine)
    const removed = await propose([MON, TUE])
    for (const player of [host, ben]) await findingDate(removed, player).mark([MON, 'maybe'], [TUE, 'yes'])
    await inNight(removed, host).remove(eve)
    expect(await inNight(removed, ben).read()).toMatchObject({ status: 'open', starts_at: iso(TUE) })

    const passes = await propose([MON, TUE, WED])
    for (const player of [host, ben]) await findingDate(passes, player).mark([TUE, 'yes'], [WED, 'no'])
    await findingDate(passes, eve).mark([MON, 'yes'], [TUE, 'no'], [WED, 'yes'])
    await tick(app)
    expect((await inNight(passes, host).read()).status).toBe('dating')
    clock.now = MON
    await tick(app)
    expect(await inNight(passes, host).read()).toMatchObject({ status: 'open', starts_at: iso(TUE) })
  })

  test('DATE-7: the deadline takes the earliest of the best, and nothing if nobody can come', async () => {
    const { app, clock, host, ben, eve, propose } = await begin(engine)
    const close_times_at = iso(NOW + HOUR)
    const night = await propose([MON, TUE, WED], { close_times_at })
    const nobody = await propose([MON, TUE], { close_times_at })
    const later = await propose([MON, TUE])
    for (const each of [night, later]) await findingDate(each, ben).mark([MON, 'no'], [TUE, 'yes'])
    await findingDate(night, eve).mark([WED, 'yes'])
    await findingDate(nobody, ben).mark([MON, 'no'], [TUE, 'no'])
    await tick(app)
    expect((await inNight(night, host).read()).status).toBe('dating')
    clock.now = NOW + HOUR
    // Answers end at the deadline, even before the background work comes to it.
    expect(await findingDate(night, host).markRefused([WED, 'yes'])).toMatchObject({ code: 'date_is_found' })
    await tick(app)
    expect(await inNight(night, host).read()).toMatchObject({
      status: 'open',
      planned: true,
      starts_at: iso(TUE),
    })
    expect(await answersIn(night, host)).toEqual({
      [host.steam_id]: null,
      [ben.steam_id]: 'in',
      [eve.steam_id]: null,
    })
    expect(await inNight(later, host).read()).toMatchObject({ status: 'dating' })

    // The host takes one later; answers are still changed, and the deadline does not come again.
    await findingDate(nobody, host).mark([TUE, 'maybe'])
    clock.now = MON
    await tick(app)
    expect(await inNight(nobody, host).read()).toMatchObject({ status: 'dating', close_times_at })
    expect(await findingDate(nobody, host).take(TUE)).toMatchObject({ status: 'open', starts_at: iso(TUE) })
  })

  test('DATE-8: a time that has passed is neither answered nor taken, and the night is over when all have', async () => {
    const { app, clock, host, ben, groupId, propose } = await begin(engine)
    const night = await propose([MON, TUE])
    await findingDate(night, ben).mark([MON, 'yes'])
    clock.now = MON
    const passed = { status: 409, code: 'time_has_passed' }
    expect(await findingDate(night, host).markRefused([MON, 'yes'])).toMatchObject(passed)
    expect(await findingDate(night, host).takeRefused(MON)).toMatchObject(passed)
    // What was answered before may be sent again.
    expect((await findingDate(night, ben).mark([MON, 'yes'], [TUE, 'no'])).times).toMatchObject([
      { starts_at: iso(TUE) },
      { starts_at: iso(MON), answers: { [ben.steam_id]: 'yes' } },
    ])
    clock.now = TUE - 1
    await tick(app)
    expect((await inNight(night, host).read()).status).toBe('dating')
    clock.now = TUE
    const ended = { status: 409, code: 'night_has_ended' }
    for (const done of [false, true]) {
      if (done) await tick(app)
      expect((await inNight(night, host).read()).status).toBe('over')
      expect((await summaryFor(host, night)).status).toBe('over')
      expect(await findingDate(night, ben).markRefused([TUE, 'yes'])).toMatchObject(ended)
      expect(await findingDate(night, host).takeRefused(TUE)).toMatchObject(ended)
      expect(await host.refused(nightsContract.cancel, { id: night.night_id })).toMatchObject(ended)
    }
    const rows = await app.database.queries.selectFrom('nights').select(['status', 'ended_at']).execute()
    expect(rows).toEqual([{ status: 'over', ended_at: TUE }])
    expect(await app.database.queries.selectFrom('night_dates').selectAll().execute()).toEqual([])
    // It is in no way open any more.
    for (let count = 0; count < 5; count++) await start(host, groupId)
  })

  test('DATE-8, LIM-46: nights whose date is being found count as open, and are cancelled and deleted like others', async () => {
    const { app, host, ben, groupId, propose } = await begin(engine)
    const nights = []
    for (let count = 0; count < 5; count++) nights.push(await propose([MON, TUE]))
    expect(await host.refused(nightsContract.start, {}, { group_id: groupId })).toMatchObject({
      status: 409,
      code: 'too_many_nights',
    })
    // One's own, and answered ones, are all listed.
    await findingDate(nights[0]!, ben).mark([MON, 'yes'])
    await start(host, (await app.group({ owner: host, members: [ben] })).group_id)
    const ofBen = await ben.call(nightsContract.list, { steamId: ben.steam_id })
    expect(ofBen.nights).toHaveLength(6)
    expect(ofBen.nights[0]!.night_id).toBe(nights[0]!.night_id)
    await ben.call(nightsContract.leaveFrom, { steamId: ben.steam_id, hostSteamId: host.steam_id })
    const left = await ben.call(nightsContract.list, { steamId: ben.steam_id })
    expect(left.nights.map(({ night_id }) => night_id)).toEqual([nights[0]!.night_id])

    expect(await inNight(nights[0]!, host).cancel()).toMatchObject({ status: 'cancelled', times: [] })
    expect(await findingDate(nights[0]!, ben).markRefused([MON, 'no'])).toMatchObject({
      code: 'night_has_ended',
    })
    await host.call(nightsContract.remove, { id: nights[0]!.night_id })
    await host.call(groupsContract.remove, { id: groupId })
    for (const table of ['night_dates', 'night_date_answers'] as const)
      expect(await app.database.queries.selectFrom(table).selectAll().execute()).toEqual([])
  })

  test('DATE-8, NIGHT-8: when the host leaves, the player who answered first leads; where nobody has, it is cancelled', async () => {
    const { host, ben, eve, propose } = await begin(engine)
    const night = await propose([MON, TUE])
    await inNight(night, ben).answer('out')
    await findingDate(night, eve).mark([MON, 'no'])
    await inNight(night, host).remove(host)
    expect(await inNight(night, eve).read()).toMatchObject({
      host_steam_id: eve.steam_id,
      status: 'dating',
    })
    const unanswered = await propose([MON, TUE])
    await inNight(unanswered, host).remove(host)
    expect(await inNight(unanswered, eve).read()).toMatchObject({ status: 'cancelled', host_steam_id: null })
  })

  test('DATE-9: its webhook and calendars hear of it when the date was found', async () => {
    const receiver = await startReceiver()
    const { app, host, ben, groupId, propose } = await begin(engine, { web: receiver.web })
    await host.call(webhooksContract.set, { id: groupId }, { url: receiver.url, format: 'json' })
    const { url } = await host.call(calendarContract.renewFeed, { steamId: host.steam_id })
    const feed = async () => (await fetch(`${app.address}${new URL(url).pathname}`)).text()
    const night = await propose([MON, TUE], { title: 'Raid' })
    await inNight(await propose([MON, TUE]), host).cancel()
    await tick(app)
    expect(receiver.bodies()).toEqual([])
    expect(await feed()).not.toContain('BEGIN:VEVENT')
    expect((await host.request(`/api/nights/${night.night_id}/calendar`)).status).toBe(409)
    await findingDate(night, ben).mark([TUE, 'yes'])
    await findingDate(night, host).take(TUE)
    for (let sent = 1; sent > 0;) sent = await tick(app)
    expect(receiver.bodies()).toMatchObject([
      {
        event: 'night.planned',
        text: 'A date was found for the game night (Raid).',
        night: { starts_at: iso(TUE), in: 1 },
      },
    ])
    expect(await feed()).toContain('DTSTART:20260603T120000Z')
  })

  test('DATE-10: who comes by its link answers its times like the others', async () => {
    const { app, host, ben, propose } = await begin(engine)
    const night = await propose([MON, TUE])
    const id = { id: night.night_id }
    const { token } = await host.call(invitesContract.renewOfNight, id)
    const guest = await app.player({ name: 'Guest' })
    const late = await app.player({ name: 'Late' })
    expect(await guest.call(invitesContract.read, { token })).toMatchObject({
      kind: 'night',
      starts_at: null,
      in_count: 0,
    })
    await guest.call(invitesContract.accept, { token }, {})
    await findingDate(night, guest).mark([MON, 'yes'])
    // An answer to the night waits for nothing, but 'out' is one.
    await late.call(invitesContract.accept, { token }, { answer: 'in' })
    expect((await inNight(night, late).read()).my.answer).toBe(null)
    await late.call(invitesContract.accept, { token }, { answer: 'out' })
    expect((await inNight(night, late).read()).my.answer).toBe('out')
    await findingDate(night, ben).mark([MON, 'maybe'])
    await findingDate(night, host).take(MON)
    expect(await answersIn(night, host)).toMatchObject({
      [guest.steam_id]: 'in',
      [late.steam_id]: 'out',
      [ben.steam_id]: 'maybe',
    })
    expect(await guest.call(invitesContract.read, { token })).toMatchObject({ starts_at: iso(MON) })
  })

  test('DATE-11: who may answer and take times', async () => {
    const { app, host, ben, eve, groupId, propose } = await begin(engine)
    const stranger = await app.player()
    const invited = await app.player({ name: 'Invited', friends: [host] })
    await host.call(groupsContract.addMembers, { id: groupId }, { steam_ids: [invited.steam_id] })
    const night = await propose([MON, TUE])
    await inNight(night, host).remove(eve)
    const id = { id: night.night_id }
    const status = async (player: TestPlayer) => [
      (await player.attempt(nightsContract.answerTimes, id, { answers: { [iso(MON)]: 'no' } })).status,
      (await player.attempt(nightsContract.takeTime, id, { starts_at: iso(MON) })).status,
    ]
    // To who is not in the night it does not exist.
    for (const nobody of [stranger, eve]) expect(await status(nobody)).toEqual([404, 404])
    for (const player of [ben, invited]) expect(await status(player)).toEqual([200, 403])
    expect(await status(host)).toEqual([200, 200])
    // The owner of the group leads it too.
    const ofBen = await ben.call(nightsContract.start, {}, { group_id: groupId, times: [iso(MON), iso(TUE)] })
    expect(await findingDate(ofBen, host).take(TUE)).toMatchObject({ status: 'open' })
  })

  test('DATE-11, API-41, DEL-1: answers are in the export of who gave them, and go with the account', async () => {
    const { app, host, ben, propose } = await begin(engine)
    const night = await propose([MON, TUE])
    await findingDate(night, ben).mark([MON, 'yes'], [TUE, 'no'])
    const exported = await ben.call(privacyContract.exportAll, { steamId: ben.steam_id })
    expect(exported['nights']).toMatchObject([
      {
        night_id: night.night_id,
        date_answers: [
          { starts_at: iso(MON), answer: 'yes' },
          { starts_at: iso(TUE), answer: 'no' },
        ],
      },
    ])
    expect(
      JSON.stringify(await host.call(privacyContract.exportAll, { steamId: host.steam_id })),
    ).not.toContain('"yes"')
    await ben.call(privacyContract.deleteAccount, { steamId: ben.steam_id })
    const rows = await app.database.queries.selectFrom('night_date_answers').selectAll().execute()
    expect(rows).toEqual([])
    expect((await inNight(night, host).read()).times[0]!.answers).toEqual({})
  })
})

describe.each(engines)('finding a date on two servers (%s)', (engine) => {
  /** A night that has a time on each day, of players on two servers, and how often its group was told of its date. */
  async function onTwoServers() {
    const receiver = await startReceiver()
    const clock = { now: NOW }
    const options = { engine, clock: () => clock.now, web: receiver.web }
    const one = await startTestApp(options)
    const two = await startTestApp({ ...options, besides: one })
    const { host, others, groupId } = await friendsWithGames(one, 3)
    await host.call(webhooksContract.set, { id: groupId }, { url: receiver.url, format: 'json' })
    const elsewhere = (player: TestPlayer) => ({ ...player, ...two.callsOf(player.token) })
    const propose = (rest: object = {}) =>
      start(host, groupId, { times: [iso(MON), iso(TUE)], title: 'Raid', ...rest })
    const announced = async () => {
      for (let sent = 1; sent > 0;) sent = await tick(one)
      return receiver.bodies().length
    }
    return { one, two, clock, host, ben: others[0]!, eve: others[1]!, elsewhere, propose, announced }
  }

  test('DATE-6, DATE-13, NIGHT-14: the last two answers, at once on two servers, find the date once', async () => {
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

  test('DATE-7, DATE-13, NIGHT-14: a deadline comes once, also when the host takes a time at that moment', async () => {
    const { one, two, clock, host, ben, elsewhere, propose, announced } = await onTwoServers()
    const nights = []
    for (let count = 0; count < 4; count++) nights.push(await propose({ close_times_at: iso(NOW + HOUR) }))
    for (const night of nights) await findingDate(night, ben).mark([TUE, 'yes'])
    clock.now += HOUR
    const byHost = nights.slice(2).map((night, nth) => {
      const id = { id: night.night_id }
      return (nth === 0 ? host : elsewhere(host)).attempt(nightsContract.takeTime, id, {
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

test('DATE-12: a time is an instant, whatever clocks do between the proposed ones', async () => {
  const clock = { now: Date.UTC(2026, 1, 1) }
  const app = await startTestApp({ clock: () => clock.now })
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
