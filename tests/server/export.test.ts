/** An export has everything stored about a person, and about others only what the person may see (API-41). */
import { describe, expect, test } from 'vitest'
import { libraryFrom } from '../../src/server/library/library.ts'
import { packLibrary } from '../../src/server/library/packed.ts'
import { replaceFriends } from '../../src/server/storage/players/friends.ts'
import { addSeries } from '../../src/server/storage/nights/series.ts'
import { letWishlistBeRead } from '../../src/server/storage/groups/games.ts'
import { api, engines, startTestApp, type TestPlayer } from '../support/app.ts'
import { insertRefresh, insertSync } from '../support/rows.ts'

const exportOf = (player: TestPlayer) => player.call(api.privacy.exportAll, player.user)

/** The key in the export for each table with rows about a person. */
const keyOfTable = {
  people: 'person',
  libraries: 'library',
  playtime_months: 'playtime_months',
  library_changes: 'library_changes',
  friend_lists: 'friends',
  sessions: 'sessions',
  group_members: 'groups',
  group_departures: 'groups_left',
  syncs: 'syncs',
  refreshes: 'waiting_reads',
  night_people: 'nights',
  night_date_answers: 'nights',
  night_series_left_out: 'left_out_of_night_series',
  calendar_feeds: 'calendars',
  group_reports: 'group_reports',
  push_subscriptions: 'push_subscriptions',
  wishlists: 'wishlist',
} as const

describe.each(engines)('an export (%s)', (engine) => {
  test('API-41, NIGHT-13, PUSH-12, SERIES-8: has the rows of every table about people', async () => {
    const app = await startTestApp({ engine })
    const db = app.db
    const [ada, bob] = [await app.player({ games: { Portal: 60 } }), await app.player()]
    const tables = (await db.introspection.getTables())
      .filter(({ columns }) => columns.some((column) => column.name === 'steam_id'))
      .map(({ name }) => name)
    // Other tests' schemas have the same tables.
    expect([...new Set(tables)].sort()).toEqual(Object.keys(keyOfTable).sort())

    const steam_id = ada.steam_id
    const { group_id } = await app.group({ owner: ada })
    const packed = packLibrary(libraryFrom([{ appid: 400, minutes: 30, recentMinutes: 0, lastPlayed: 0 }]))
    await db.insertInto('playtime_months').values({ steam_id, month: 202_611, packed }).execute()
    await db
      .insertInto('library_changes')
      .values({ steam_id, appid: 400, at: 5, kind: 'started', minutes: 7 })
      .execute()
    await app.write((tx) => replaceFriends(tx, steam_id, [bob.steam_id], 1))
    await app.write((tx) =>
      tx.insertInto('group_departures').values({ group_id, steam_id, left_at: 7 }).execute(),
    )
    await db.insertInto('calendar_feeds').values({ token: 'secret', steam_id, created_at: 13 }).execute()
    await db
      .insertInto('push_subscriptions')
      .values({
        steam_id,
        subscription_id: 'phone',
        session_id: 1,
        endpoint: 'https://push.test/secret',
        p256dh: 'secret key',
        auth: 'secret too',
        language: 'de',
        created_at: 14,
        expires_at: null,
      })
      .execute()
    await app.write((tx) => letWishlistBeRead(tx, steam_id, true))
    await ada.call(api.groups.report, { id: group_id }, { about: 'name', reason: 'rude' })
    const { night_id } = await ada.call(api.nights.start, {}, { group_id, title: 'Portal night' })
    await app.write((tx) =>
      addSeries(
        tx,
        { group_id, host_steam_id: bob.steam_id, every: 'week', zone: 'UTC', created_at: 7 },
        { nightId: night_id, startsAt: 0, leftOut: [steam_id] },
      ),
    )
    await ada.call(api.nights.answer, { id: night_id }, { answer: 'in', word: 'late' })
    await ada.call(
      api.nights.vote,
      { id: night_id },
      { marks: [{ appid: app.appidOf('Portal'), mark: 'no' }] },
    )
    await ada.call(api.nights.close, { id: night_id }, { by: 'draw' })
    await ada.call(api.nights.draw, { id: night_id })
    await app.write((tx) => insertSync(tx, { steam_id, started_at: 9, finished_at: 10, result: 'ok' }))
    const times = { requested_at: 11, next_attempt_at: 12 }
    await app.write((tx) =>
      insertRefresh(tx, { steam_id, requested_by: bob.steam_id, ...times, attempts: 2 }),
    )

    const everything = await exportOf(ada)
    for (const key of Object.values(keyOfTable)) {
      const value = everything[key]
      expect([key, Array.isArray(value) ? value.length : typeof value]).toEqual([
        key,
        Array.isArray(value) ? 1 : 'object',
      ])
    }
    const time = (ms: number) => new Date(ms).toISOString()
    expect(everything).toMatchObject({
      library: { status: 'ok', checked_at: expect.any(String) as string },
      library_changes: [{ appid: 400, at: time(5) }],
      playtime_months: [{ month: '2026-11', games: [{ appid: 400, minutes: 30 }] }],
      friends: [{ steam_id: bob.steam_id }],
      groups_left: [{ group_id, left_at: time(7) }],
      syncs: [{ started_at: time(9) }],
      waiting_reads: [
        {
          requested_at: time(11),
          games_due: 1,
          friends_due: 0,
          attempts: 2,
          next_attempt_at: time(12),
        },
      ],
      sessions: [{ expires_at: expect.any(String) as string }],
    })
    expect(everything).toMatchObject({
      calendars: [{ created_at: time(13) }],
      push_subscriptions: [
        {
          subscription_id: 'phone',
          session_id: 1,
          language: 'de',
          created_at: time(14),
          expires_at: null,
          refusals: 0,
        },
      ],
      nights: [
        {
          night_id,
          answer: 'in',
          word: 'late',
          marks: `${app.appidOf('Portal')}:no`,
        },
      ],
      nights_hosted: [{ night_id, group_id, title: 'Portal night' }],
      night_draws: [{ night_id, number: 1, appid: app.appidOf('Portal') }],
    })
    expect(JSON.stringify(everything)).not.toContain('secret')
    // Who requested the read of a library is data about that other person.
    expect(JSON.stringify(everything['waiting_reads'])).not.toContain(bob.steam_id)
    expect(await exportOf(bob)).toMatchObject({
      groups: [],
      groups_left: [],
      waiting_reads: [],
    })
  })

  test('API-41: says nothing of groups that the user has left', async () => {
    const app = await startTestApp({ engine })
    const bob = await app.player()
    const ada = await app.player({ friends: [bob] })
    const owner = await app.player({ friends: [ada] })
    const { group_id: id } = await app.group({ owner, members: [ada] })
    await ada.call(api.groups.addMembers, { id }, { steam_ids: [bob.steam_id] })
    expect((await exportOf(ada)).members_added).toMatchObject([{ group_id: id }])
    await ada.call(api.groups.leave, { id })
    expect((await exportOf(ada)).members_added).toEqual([])
  })
})
