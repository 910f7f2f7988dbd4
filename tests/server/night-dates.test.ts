/** Finding the date of a game night: proposing times, answering them and taking one (DATE-1 to DATE-8). */
import { describe, expect, test } from 'vitest'
import type { NightAnswer } from '#shared/nights/entities.ts'
import { api, engines, type TestPlayer } from '../support/app.ts'
import { findingDate, iso } from '../support/dates.ts'
import { inNight, startInGroup as start } from '../support/nights.ts'
import { answersIn, beginDates, DAY, HOUR, MON, NOW, tick, TUE, WED } from '../support/proposed-dates.ts'

const summaryFor = async (player: TestPlayer, night: { night_id: number }) =>
  (await player.call(api.nights.list, player.user)).nights.find(
    ({ night_id }) => night_id === night.night_id,
  )!

describe.each(engines)('finding a date (%s)', (engine) => {
  test('DATE-1, LIM-46: a night has 2 to 12 times instead of one, each as its start may be', async () => {
    const { host, groupId, propose } = await beginDates(engine)
    const refused = async (body: object) =>
      (await host.refused(api.nights.start, {}, { group_id: groupId, ...body })) as { field?: string }
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
    const { host, ben, eve, propose } = await beginDates(engine)
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
    // Of two answers to one instant the last counts, however often they are sent.
    const twice = { answers: { [iso(MON)]: 'yes', [iso(MON).replace('.000', '.0')]: 'maybe' } as const }
    for (const _ of [1, 2]) {
      const again = await eve.call(api.nights.answerTimes, { id: night.night_id }, twice)
      expect(again.version).toBe(changed.version + 1)
      expect(again.times.at(-1)!.answers[eve.steam_id]).toBe('maybe')
    }
    await findingDate(night, eve).mark([MON, 'no'])
    expect((await findingDate(night, eve).markRefused([MON + 1, 'yes'])).field).toBe('answers')
    expect(await summaryFor(eve, night)).toMatchObject({
      status: 'dating',
      dating: { answered: 1, partly: 2, asked: 3, needs_me: true },
    })
    expect((await summaryFor(ben, night)).dating).toMatchObject({ needs_me: false })
  })

  test('DATE-3: a player out for any time is not asked, until they answer one', async () => {
    const { host, ben, eve, propose } = await beginDates(engine)
    const night = await propose([MON, TUE])
    await findingDate(night, ben).mark([MON, 'yes'])
    const out = await inNight(night, ben).answer('out', 'on holiday')
    expect(out.times[0]!.answers).toEqual({})
    expect((await summaryFor(host, night)).dating).toMatchObject({ answered: 0, asked: 2 })
    for (const answer of ['in', 'maybe'] as const satisfies NightAnswer[])
      expect(await ben.refusedWith(api.nights.answer, { id: night.night_id }, { answer })).toBe(
        'night_has_no_date',
      )
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
    const { app, host, ben, eve, groupId, propose } = await beginDates(engine)
    const night = await propose()
    const id = { id: night.night_id }
    await findingDate(night, host).mark([MON, 'yes'], [TUE, 'no'])
    await findingDate(night, ben).mark([MON, 'maybe'])
    await findingDate(night, eve).mark([TUE, 'yes'])
    // Nothing is decided before that.
    const noDate = { status: 409, code: 'night_has_no_date' }
    expect(await host.refused(api.nights.change, id, { starts_at: iso(MON) })).toMatchObject(noDate)
    expect(await host.refused(api.nights.vote, id, { marks: [] })).toMatchObject(noDate)
    expect(await host.refused(api.nights.close, id, { by: 'draw' })).toMatchObject(noDate)
    expect(await host.refused(api.nights.draw, id)).toMatchObject(noDate)
    expect(await host.refused(api.nights.reopen, id)).toMatchObject(noDate)
    expect(await host.refused(api.nights.redraw, id, { reason: 'x' })).toMatchObject(noDate)
    expect((await inNight(night, host).read()).status).toBe('dating')
    expect(await host.call(api.nights.change, id, { title: 'Raid', forbids: true })).toMatchObject({
      title: 'Raid',
      forbids: true,
      status: 'dating',
      planned: false,
    })

    expect((await findingDate(night, host).takeRefused(MON + HOUR)).field).toBe('starts_at')
    expect((await findingDate(night, ben).takeRefused(MON)).code).toBe('not_night_host')
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
      expect(await app.db.selectFrom(table).selectAll().execute()).toEqual([])
    await host.call(api.nights.change, id, { starts_at: iso(WED) })
    await inNight(night, host).vote([])
    expect((await inNight(night, host).close('draw')).status).toBe('tied')
    expect((await start(host, groupId)).times).toEqual([])
  })

  test('DATE-6: is taken by itself when everyone has answered and one is best', async () => {
    const { host, ben, eve, groupId, propose } = await beginDates(engine)
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
    await eve.call(api.groups.leave, { id: groupId })
    expect(await inNight(left, ben).read()).toMatchObject({ status: 'open', starts_at: iso(MON) })
  })

  test('DATE-6: removing or barring the last who has not answered completes it', async () => {
    const { host, ben, eve, groupId, propose } = await beginDates(engine)
    const removed = await propose([MON, TUE])
    for (const player of [host, ben]) await findingDate(removed, player).mark([MON, 'maybe'], [TUE, 'yes'])
    await inNight(removed, host).remove(eve)
    expect(await inNight(removed, ben).read()).toMatchObject({ status: 'open', starts_at: iso(TUE) })

    // So does barring a guest who has left the group before.
    await eve.call(api.groups.leave, { id: groupId })
    const barred = await propose([MON, TUE])
    const { token } = await host.call(api.invites.renewOfNight, { id: barred.night_id })
    await eve.call(api.invites.accept, { token }, {})
    for (const player of [host, ben]) await findingDate(barred, player).mark([MON, 'maybe'], [TUE, 'yes'])
    expect((await inNight(barred, eve).read()).status).toBe('dating')
    const former = { id: groupId, steamId: eve.steam_id }
    await host.call(api.groups.setMayReturn, former, { may_return: false })
    expect(await inNight(barred, ben).read()).toMatchObject({ status: 'open', starts_at: iso(TUE) })
  })

  test('DATE-6: a time that passes needs no answer', async () => {
    const { app, clock, host, ben, eve, propose } = await beginDates(engine)
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
    const { app, clock, host, ben, eve, propose } = await beginDates(engine)
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
    expect((await findingDate(night, host).markRefused([WED, 'yes'])).code).toBe('date_is_found')
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
    const { app, clock, host, ben, groupId, propose } = await beginDates(engine)
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
      expect(await host.refused(api.nights.cancel, { id: night.night_id })).toMatchObject(ended)
    }
    const rows = await app.db.selectFrom('nights').select(['status', 'ended_at']).execute()
    expect(rows).toEqual([{ status: 'over', ended_at: TUE }])
    expect(await app.db.selectFrom('night_dates').selectAll().execute()).toEqual([])
    // It is in no way open any more.
    for (let count = 0; count < 5; count++) await start(host, groupId)
  })

  test('DATE-8, LIM-46: nights whose date is being found count as open, and are cancelled and deleted like others', async () => {
    const { app, host, ben, groupId, propose } = await beginDates(engine)
    const nights = []
    for (let count = 0; count < 5; count++) nights.push(await propose([MON, TUE]))
    expect(await host.refusedWith(api.nights.start, {}, { group_id: groupId })).toBe('too_many_nights')
    await start(host, (await app.group({ owner: host, members: [ben] })).group_id)
    expect((await ben.call(api.nights.list, ben.user)).nights).toHaveLength(6)

    const cancelled = inNight(nights[0]!, host)
    expect(await cancelled.cancel()).toMatchObject({ status: 'cancelled', times: [] })
    // As versions that knew no times have left it.
    const { night_id } = nights[0]!
    await app.write((tx) =>
      tx
        .insertInto('night_dates')
        .values({ night_id, times: String(MON), close_at: null, due_at: 1 })
        .execute(),
    )
    await tick(app)
    expect(await cancelled.read()).toMatchObject({ status: 'cancelled' })
    expect((await findingDate(nights[0]!, ben).markRefused([MON, 'no'])).code).toBe('night_has_ended')
    await host.call(api.groups.remove, { id: groupId })
    for (const table of ['night_dates', 'night_date_answers'] as const)
      expect(await app.db.selectFrom(table).selectAll().execute()).toEqual([])
  })

  test('DATE-8, NIGHT-8: when the host leaves, who first said that they can come leads; where nobody has, it is cancelled', async () => {
    const { host, ben, eve, propose } = await beginDates(engine)
    const night = await propose([MON, TUE])
    await findingDate(night, ben).mark([MON, 'no'])
    await findingDate(night, eve).mark([TUE, 'maybe'])
    await inNight(night, host).remove(host)
    expect(await inNight(night, eve).read()).toMatchObject({
      host_steam_id: eve.steam_id,
      status: 'dating',
    })
    const unanswered = await propose([MON, TUE])
    await findingDate(unanswered, ben).mark([MON, 'no'])
    await inNight(unanswered, host).remove(host)
    expect(await inNight(unanswered, eve).read()).toMatchObject({ status: 'cancelled', host_steam_id: null })
  })
})
