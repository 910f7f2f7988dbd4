/** Game nights in calendars, read back with another library (NIGHT-62, NIGHT-65). */
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { calendarFeed } from '../../src/server/features/nights/calendar.ts'
import { textsOf } from '../../src/server/texts/texts.ts'
import { api, engines, startAt, type TestApp, type TestPlayer } from '../support/app.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 5, 1, 12)
const FRIDAY = Date.UTC(2026, 5, 5, 18)

/** What RFC 5545 asks of every file: CRLF, lines of at most 75 octets that are UTF-8, the required properties. */
function parsed(text: string) {
  expect(text).toMatch(/\r\nEND:VCALENDAR\r\n$/)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  for (const line of text.split('\r\n')) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(line.isWellFormed()).toBe(true)
    expect(line).not.toContain('\uFFFD')
  }
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0')
  expect(calendar.getAllProperties('prodid')).toHaveLength(1)
  expect(calendar.getAllProperties('method')).toHaveLength(1)
  const events = calendar.getAllSubcomponents('vevent').map((component) => {
    for (const name of ['uid', 'dtstamp', 'dtstart', 'dtend', 'sequence', 'status', 'url'])
      expect(component.getAllProperties(name), name).toHaveLength(1)
    const event = new ICAL.Event(component)
    const time = (name: string) => component.getFirstPropertyValue(name) as ICAL.Time
    // In UTC, so that no time zone has to be described.
    for (const name of ['dtstamp', 'dtstart', 'dtend']) expect(time(name).zone.tzid).toBe('UTC')
    return {
      uid: event.uid,
      sequence: event.sequence,
      summary: event.summary,
      description: event.description,
      status: component.getFirstPropertyValue('status'),
      url: component.getFirstPropertyValue('url'),
      start: event.startDate.toJSDate().getTime(),
      hours: event.duration.toSeconds() / 3600,
      stamp: time('dtstamp').toJSDate().getTime(),
      alarms: component
        .getAllSubcomponents('valarm')
        .map((alarm) =>
          ['action', 'trigger'].map((name) => String(alarm.getFirstPropertyValue(name))).join(' '),
        ),
    }
  })
  return { method: calendar.getFirstPropertyValue('method'), events, event: events[0]! }
}

async function begin(engine: (typeof engines)[number]) {
  const { app, time: clock } = await startAt(NOW, { engine })
  const people = await friendsWithGames(app, 2)
  const plan = (rest: object = {}) =>
    people.host.call(
      api.nights.start,
      {},
      { group_id: people.groupId, starts_at: new Date(FRIDAY).toISOString(), ...rest },
    )
  return { app, clock, ...people, plan }
}

async function switchOn(app: TestApp, player: TestPlayer) {
  const { url } = await player.call(api.calendar.renewFeed, player.user)
  const path = url.slice(app.url.length)
  const get = () => app.callsOf(undefined).request(path)
  const read = async () => {
    const response = await get()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    return parsed(await response.text())
  }
  return { url, path, get, read }
}

/** A night as a player's calendar has it. */
async function entryOf(app: TestApp, player: TestPlayer, { night_id }: { night_id: number }) {
  const { events } = await (await switchOn(app, player)).read()
  return events.find(({ url }) => url === `${app.url}/nights/${night_id}`)!
}

describe.each(engines)('a calendar (%s)', (engine) => {
  test('NIGHT-62: has a night with its time, title and page; a change updates it, and cancelling cancels it', async () => {
    const { app, host, ada, plan } = await begin(engine)
    const night = await plan({ title: 'Friday' })
    const first = await entryOf(app, ada, night)
    expect(first).toMatchObject({
      sequence: 0,
      summary: 'Friday',
      status: 'CONFIRMED',
      start: FRIDAY,
      hours: 3,
      stamp: NOW,
      url: `${app.url}/nights/${night.night_id}`,
      description: `Friday\n${app.url}/nights/${night.night_id}`,
      alarms: ['DISPLAY -PT15M'],
    })
    await inNight(night, ada).answer('in')
    expect((await entryOf(app, ada, night)).sequence).toBe(0)

    const id = { id: night.night_id }
    await host.call(api.nights.change, id, { starts_at: new Date(FRIDAY + HOUR).toISOString() })
    await host.call(api.nights.change, id, { title: null })
    expect(await entryOf(app, host, night)).toMatchObject({
      uid: first.uid,
      sequence: 2,
      summary: 'Game night: Friday',
      start: FRIDAY + HOUR,
    })
    await inNight(night, host).cancel()
    expect(await entryOf(app, ada, night)).toMatchObject({
      uid: first.uid,
      sequence: 3,
      status: 'CANCELLED',
      alarms: [],
    })
  })

  test('NIGHT-65: of a person has the planned nights they have not said no to, and cancelled ones for 30 days', async () => {
    const { app, clock, host, ada, plan, groupId } = await begin(engine)
    const feed = await switchOn(app, ada)
    expect((await feed.read()).events).toEqual([])
    const [kept, cancelled, refused] = [
      await plan({ title: 'Kept' }),
      await plan({ title: 'Cancelled' }),
      await plan({ title: 'Refused' }),
    ]
    await host.call(api.nights.start, {}, { group_id: groupId, title: 'Now' })
    await inNight(kept, ada).answer('maybe')
    await inNight(refused, ada).answer('out')
    await inNight(cancelled, host).cancel()
    const both = await feed.read()
    expect(both.method).toBe('PUBLISH')
    expect(both.events.map(({ summary, status }) => [summary, status]).sort()).toEqual([
      ['Cancelled', 'CANCELLED'],
      ['Kept', 'CONFIRMED'],
    ])
    clock.now = NOW + 30 * DAY
    expect((await feed.read()).events.map(({ summary }) => summary)).toEqual(['Kept'])
    // Her session has ended meanwhile.
    await app.callsOf(await app.signIn(ada.steam_id)).call(api.groups.leave, { id: groupId })
    expect((await feed.read()).events).toEqual([])
  })

  test('NIGHT-65: keeps a planned night that is started at once, with its new time', async () => {
    const { app, clock, host, ada, plan } = await begin(engine)
    const feed = await switchOn(app, ada)
    const night = await plan({ title: 'Friday' })
    const { event: before } = await feed.read()
    clock.now += HOUR
    const starts_at = new Date(clock.now).toISOString()
    const started = await host.call(api.nights.change, { id: night.night_id }, { starts_at })
    expect(started).toMatchObject({ planned: true, starts_at })
    const { events } = await feed.read()
    expect(events).toMatchObject([
      { uid: before.uid, summary: 'Friday', start: clock.now, status: 'CONFIRMED' },
    ])
    expect(events[0]!.sequence).toBe(before.sequence + 1)
  })

  test('NIGHT-65: is read by its address only, until it gets another one, is switched off or its account is deleted', async () => {
    const { app, ada } = await begin(engine)
    const mine = ada.user
    expect(await ada.call(api.calendar.feed, mine)).toBeNull()
    const first = await switchOn(app, ada)
    expect(await ada.call(api.calendar.feed, mine)).toEqual({
      url: first.url,
      created_at: new Date(NOW).toISOString(),
    })
    const second = await switchOn(app, ada)
    expect(second.url).not.toBe(first.url)
    await second.read()
    const unknown = async (get: () => Promise<Response>) => {
      const response = await get()
      return [response.status, (await response.json()) as unknown]
    }
    const request = (path: string) => () => app.callsOf(undefined).request(path)
    const refusal = await unknown(first.get)
    expect(refusal).toEqual([404, { error: 'Not found.', code: 'not_found' }])
    for (const path of [
      '/calendar/x.ics',
      `/calendar/${'A'.repeat(32)}.ics`,
      '/calendar/%00.ics',
      '/calendar/.ics',
    ])
      expect(await unknown(request(path)), path).toEqual(refusal)

    await ada.call(api.calendar.switchOffFeed, mine)
    expect(await unknown(second.get)).toEqual(refusal)
    const third = await switchOn(app, ada)
    const exported = JSON.stringify(await ada.call(api.privacy.exportAll, mine))
    expect(exported).toContain(`"calendars":[{"created_at":"${new Date(NOW).toISOString()}"}]`)
    expect(exported).not.toContain(third.path.slice(10, 42))
    await ada.call(api.privacy.deleteAccount, mine)
    expect(await unknown(third.get)).toEqual(refusal)
    expect(await app.db.selectFrom('calendar_feeds').selectAll().execute()).toEqual([])
  })
})

test.each([
  'Friday, or Saturday; who knows\\?',
  'two\nlines\r\nor three',
  `${'🎮'.repeat(40)} ${'日本語'.repeat(20)}`,
  '👩‍👩‍👧‍👦'.repeat(14),
  'x'.repeat(100),
  'مساء الألعاب '.repeat(8),
  'BEGIN:VEVENT\nEND:VCALENDAR',
  '"quoted": ^n TEXT;X=1:',
])('NIGHT-62: a title comes back as it was: %j', (title) => {
  const text = calendarFeed(
    [
      {
        id: 'a@b',
        sequence: 1,
        startsAt: FRIDAY,
        title,
        description: title,
        url: 'https://a.example/nights/1',
        isCancelled: false,
      },
    ],
    NOW,
    textsOf('en'),
  )
  const { events, event } = parsed(text)
  expect(events).toHaveLength(1)
  expect(event.summary).toBe(title.replaceAll('\r\n', '\n'))
  expect(event.description).toBe(event.summary)
})

test('NIGHT-62: control characters and halves of characters become harmless', () => {
  const texts = textsOf('en')
  const entry = {
    id: 'a@b',
    sequence: 1,
    startsAt: FRIDAY,
    description: '',
    url: 'https://a.example/',
    isCancelled: false,
  }
  const { event } = parsed(calendarFeed([{ ...entry, title: 'a\u0000b\u001bc\tgame' }], NOW, texts))
  expect(event.summary).toBe('a b c game')
  expect(calendarFeed([{ ...entry, title: 'a\ud83c' }], NOW, texts)).toContain('SUMMARY:a\ufffd')
})
