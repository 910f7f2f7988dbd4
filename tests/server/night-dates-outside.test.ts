/** A night whose date is being found: messages, calendars, its link, permissions and what is stored of it (DATE-9 to DATE-11). */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { api, engines, type TestPlayer } from '../support/app.ts'
import { findingDate, iso } from '../support/dates.ts'
import { startReceiver } from '../support/hooks.ts'
import { inNight, startInGroup } from '../support/nights.ts'
import { answersIn, beginDates, MON, tick, TUE } from '../support/proposed-dates.ts'

describe.each(engines)('a night whose date is being found (%s)', (engine) => {
  test('DATE-9, NIGHT-68: its webhook is told when the date is being found, was found and is cancelled; calendars have it then', async () => {
    const receiver = await startReceiver()
    const { app, host, ben, groupId, propose } = await beginDates(engine, { web: receiver.web })
    await host.call(api.webhooks.set, { id: groupId }, { url: receiver.url, format: 'json' })
    const { url } = await host.call(api.calendar.renewFeed, host.user)
    const feed = async () => (await fetch(`${app.address}${new URL(url).pathname}`)).text()
    const night = await propose([MON, TUE], { title: 'Raid' })
    await inNight(await propose([MON, TUE]), host).cancel()
    await tick(app)
    for (let sent = 1; sent > 0;) sent = await tick(app)
    const open = { starts_at: null, times: [iso(MON), iso(TUE)], in: 0, pick: null }
    expect(receiver.bodies()).toMatchObject([
      { event: 'night.dating', text: 'When can you play (Raid)?', night: { ...open, title: 'Raid' } },
      { event: 'night.dating', text: 'When can you play (Friday)?', night: open },
      { event: 'night.cancelled', night: { starts_at: null, times: [] } },
    ])
    expect(await feed()).not.toContain('BEGIN:VEVENT')
    await findingDate(night, ben).mark([TUE, 'yes'])
    await findingDate(night, host).take(TUE)
    for (let sent = 1; sent > 0;) sent = await tick(app)
    expect(receiver.bodies().slice(3)).toMatchObject([
      {
        event: 'night.planned',
        text: 'A date was found for the game night (Raid).',
        night: { starts_at: iso(TUE), times: [], in: 1 },
      },
    ])
    expect(await feed()).toContain('DTSTART:20260603T120000Z')
  })

  test('DATE-7, PUSH-6, NIGHT-71: other nights are announced and reminded of when no date can be found', async () => {
    const { app, clock, host, groupId } = await beginDates(engine)
    await startInGroup(host, groupId, { starts_at: iso(MON) })
    await startInGroup(host, groupId, { starts_at: iso(MON + 20 * 60_000) })
    const { queries } = app.database
    const rename = (from: string, to: string) =>
      sql`ALTER TABLE ${sql.table(from)} RENAME TO ${sql.table(to)}`.execute(queries)
    clock.now = MON
    await rename('night_dates', 'night_dates_away')
    await expect(tick(app)).rejects.toThrow('night_dates')
    await rename('night_dates_away', 'night_dates')
    const nights = await queries.selectFrom('nights').select('start_announced').orderBy('night_id').execute()
    expect(nights.map((night) => night.start_announced)).toEqual([1, 0])
    expect(await queries.selectFrom('night_reminders').selectAll().execute()).toEqual([])
  })

  test('DATE-10: guests by its link answer its times like the others', async () => {
    const { app, host, ben, propose } = await beginDates(engine)
    const night = await propose([MON, TUE])
    const id = { id: night.night_id }
    const { token } = await host.call(api.invites.renewOfNight, id)
    const guest = await app.player({ name: 'Guest' })
    const late = await app.player({ name: 'Late' })
    expect(await guest.call(api.invites.read, { token })).toMatchObject({
      kind: 'night',
      starts_at: null,
      in_count: 0,
    })
    await guest.call(api.invites.accept, { token }, {})
    await findingDate(night, guest).mark([MON, 'yes'])
    // An answer to the night waits for nothing, but 'out' is one.
    await late.call(api.invites.accept, { token }, { answer: 'in' })
    expect((await inNight(night, late).read()).my.answer).toBe(null)
    await late.call(api.invites.accept, { token }, { answer: 'out' })
    expect((await inNight(night, late).read()).my.answer).toBe('out')
    await findingDate(night, ben).mark([MON, 'maybe'])
    await findingDate(night, host).take(MON)
    expect(await answersIn(night, host)).toMatchObject({
      [guest.steam_id]: 'in',
      [late.steam_id]: 'out',
      [ben.steam_id]: 'maybe',
    })
    expect(await guest.call(api.invites.read, { token })).toMatchObject({ starts_at: iso(MON) })
  })

  test('DATE-11: who may answer and take times', async () => {
    const { app, host, ben, eve, groupId, propose } = await beginDates(engine)
    const stranger = await app.player()
    const invited = await app.player({ name: 'Invited', friends: [host] })
    await host.call(api.groups.addMembers, { id: groupId }, { steam_ids: [invited.steam_id] })
    const night = await propose([MON, TUE])
    await inNight(night, host).remove(eve)
    const id = { id: night.night_id }
    const status = async (player: TestPlayer) => [
      (await player.attempt(api.nights.answerTimes, id, { answers: { [iso(MON)]: 'no' } })).status,
      (await player.attempt(api.nights.takeTime, id, { starts_at: iso(MON) })).status,
    ]
    // To who is not in the night it does not exist.
    for (const nobody of [stranger, eve]) expect(await status(nobody)).toEqual([404, 404])
    for (const player of [ben, invited]) expect(await status(player)).toEqual([200, 403])
    expect(await status(host)).toEqual([200, 200])
    // The owner of the group leads it too.
    const ofBen = await ben.call(api.nights.start, {}, { group_id: groupId, times: [iso(MON), iso(TUE)] })
    expect(await findingDate(ofBen, host).take(TUE)).toMatchObject({ status: 'open' })
  })
})
