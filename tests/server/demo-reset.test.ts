/** DEMO-9 to DEMO-13: a public demo is reset at fixed times, as a whole. */
import { describe, expect, test } from 'vitest'
import type { Schema } from '../../src/server/database/schema.ts'
import { demoWorld } from '../../src/simulator/demo-world.ts'
import { fetchPublic } from '../../src/server/pictures/web-fetch.ts'
import { api, type EngineName, engines, startAt, startTestApp, type TestApp } from '../support/app.ts'
import { watch } from '../support/events.ts'
import { startReceiver } from '../support/hooks.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import { imageOf } from '../support/png.ts'
import { makeNight } from '../support/stored-nights.ts'
import { upload } from '../support/png.ts'

const HOUR = 60 * 60_000
/** A reset of a demo that is reset every 4 hours. */
const RESET = Date.UTC(2026, 5, 1, 12)

async function startPublicDemo(
  engine: EngineName,
  options: Parameters<typeof startTestApp>[0] = {},
  now = RESET - HOUR,
) {
  const { app, time: clock } = await startAt(now, { engine, demo: true, env: { DEMO: 'public' }, ...options })
  return { clock, app }
}

const PEOPLES: (keyof Schema)[] = ['people', 'sessions', 'groups', 'group_members', 'libraries', 'pictures']
const NIGHTS: (keyof Schema)[] = ['nights', 'night_people', 'syncs', 'friend_lists', 'webhooks', 'invites']

async function rowsLeft(app: TestApp): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of [...PEOPLES, ...NIGHTS]) {
    const rows = await app.db.selectFrom(table).selectAll().execute()
    if (rows.length > 0) counts[table] = rows.length
  }
  return counts
}

test.each([5, 6, 7])('DEMO-16: on 2026-06-0%i too nights are over, and the next first', async (day) => {
  const world = demoWorld()
  const now = Date.UTC(2026, 5, day, 12)
  const { app } = await startPublicDemo('sqlite', { world, livedIn: true }, now)
  for (const name of ['Mira', 'Noor']) {
    const steamId = world.players.find(({ personaname }) => personaname === name)!.steamid
    const me = app.callsOf(await app.signIn(steamId))
    const { nights } = await me.call(api.nights.list, { steamId })
    for (const { pick, starts_at } of nights) expect(Date.parse(starts_at) < now).toBe(pick !== null)
    if (name === 'Mira') expect(nights[0]!.title).toBe('Friday as always')
    const year = await me.call(api.year.mine, { steamId, year: '2026' })
    expect(year.months.filter((minutes) => (minutes ?? 0) > 300).length).toBeGreaterThan(3)
    expect(year.games).toHaveLength(5)
    expect(year.nights.count).toBeGreaterThan(3)
  }
})

describe.each(engines)('a public demo (%s)', (engine) => {
  test('DEMO-16: after a reset the groups and nights of a new demo are there again, with dates of then', async () => {
    const world = demoWorld()
    const { clock, app } = await startPublicDemo(engine, { world, livedIn: true })
    const mira = world.players.find(({ personaname }) => personaname === 'Mira')!.steamid
    const seen = async () => {
      const me = app.callsOf(await app.signIn(mira))
      const { groups } = await me.call(api.groups.list, { steamId: mira })
      const { nights } = await me.call(api.nights.list, { steamId: mira })
      const night = await me.call(api.nights.read, { id: nights[0]!.night_id })
      return {
        me,
        groups: groups.map(({ name, member_count }) => [name, member_count]),
        starts: night.starts_at,
        voters: night.people.filter(({ voted }) => voted).length,
        head: night.shortlist.slice(0, 3).map(({ appid }) => appid),
        marked: night.my.marks?.map(({ appid }) => appid),
      }
    }
    const before = await seen()
    expect(before.groups).toEqual([['Friday crew', 6]])
    expect([before.starts, before.voters]).toEqual(['2026-06-05T19:00:00.000Z', 3])
    // The votes are on what the list begins with.
    expect(before.marked).toEqual(expect.arrayContaining(before.head))
    await before.me.call(api.groups.create, {}, { name: 'Something rude', owner_steam_id: mira })

    clock.now = RESET + 7 * 24 * HOUR
    await expect
      .poll(async () => (await before.me.attempt(api.groups.list, { steamId: mira })).status)
      .toBe(401)
    const { groups, starts, voters } = await seen()
    expect({ groups, starts, voters }).toEqual({
      groups: before.groups,
      starts: '2026-06-12T19:00:00.000Z',
      voters: 3,
    })
  })

  test('DEMO-10: at a reset everything goes that people did: accounts, sessions, groups, nights, pictures', async () => {
    const { clock, app } = await startPublicDemo(engine)
    const friend = await app.player({ games: { Portal: 60 } })
    const host = await app.player({ games: { Portal: 60 }, friends: [friend] })
    const { group_id } = await app.group({ owner: host, members: [friend], name: 'Something rude' })
    const uploaded = await upload(host, group_id, await imageOf('#f00'))
    const { picture_url } = (await uploaded.json()) as { picture_url: string }
    expect((await fetch(app.url + picture_url)).status).toBe(200)
    const stream = await watch(friend)
    expect(stream.status).toBe(200)

    clock.now = RESET
    await stream.ended
    expect(await rowsLeft(app)).toEqual({})
    for (const player of [host, friend]) {
      const refusal = await player.refused(api.groups.list, player.user)
      expect([refusal.status, refusal.code]).toEqual([401, 'not_signed_in'])
    }
    expect((await fetch(app.url + picture_url)).status).toBe(404)

    // Signing in again begins a new account, with all of its syncs.
    const again = app.callsOf(await app.signIn(host.steam_id))
    expect(await again.call(api.groups.list, host.user)).toMatchObject({ groups: [] })
    expect(await again.call(api.library.fetchGames, host.user)).toMatchObject({
      status: 'ok',
      game_count: 1,
    })
  })

  test('DEMO-10: requests during a reset are refused for the moment that it takes, and served after it', async () => {
    const { clock, app } = await startPublicDemo(engine)
    const me = await app.player({ games: { Portal: 60 } })
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const holding = app.database.transaction(async (tx) => {
      await app.database.lock(tx, 'demo reset')
      await held
    })
    clock.now = RESET
    const statusOf = async (path: string) => (await fetch(app.address + path)).status
    await expect.poll(() => statusOf('/readyz')).toBe(503)
    const refused = await me.attempt(api.groups.list, me.user)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await statusOf('/healthz')).toBe(200)

    release()
    await holding
    await expect.poll(() => statusOf('/readyz')).toBe(200)
    expect((await me.attempt(api.groups.list, me.user)).status).toBe(401)
    expect(await rowsLeft(app)).toEqual({})
  })

  test('DEMO-10: a start resets what should have been reset meanwhile, and nothing else', async () => {
    const { clock, app } = await startPublicDemo(engine)
    const me = await app.player()
    const besides = () =>
      startTestApp({ besides: app, demo: true, env: { DEMO: 'public' }, clock: () => clock.now })
    await besides()
    expect((await me.attempt(api.session.listSessions, me.user)).status).toBe(200)
    // Only the start of another server can do it now.
    await app.demoReset!.stop()
    clock.now = RESET + 4 * HOUR - 1
    expect((await me.attempt(api.session.listSessions, me.user)).status).toBe(200)
    await besides()
    expect((await me.attempt(api.session.listSessions, me.user)).status).toBe(401)
  })

  test('DEMO-13: what strangers type causes no request to the web', async () => {
    const receiver = await startReceiver()
    const { app } = await startPublicDemo(engine, {
      web: receiver.web,
      fetchPublic: (url) => fetchPublic(url, receiver.web),
    })
    const host = await app.player({ games: { Portal: 60 } })
    const { group_id } = await app.group({ owner: host })
    await host.attempt(api.webhooks.set, { id: group_id }, { url: receiver.url, format: 'json' })
    await inNight({ night_id: await makeNight(app, { host, groupId: group_id }) }, host).cancel()
    await app.deps.messages.runOnce()
    await host.attempt(api.groups.setPicture, { id: group_id }, { picture_url: receiver.url })
    const { picture_url } = await host.call(api.groups.read, { id: group_id })
    if (picture_url?.startsWith('/')) expect((await fetch(app.url + picture_url)).ok).toBe(false)
    expect(receiver.received).toEqual([])
  })

  test('DEMO-13: the page of a shared pick says so too, in words of its own', async () => {
    const { app } = await startPublicDemo(engine)
    const { host, others, groupId, appids } = await friendsWithGames(app, 2)
    const night = await host.call(api.nights.start, {}, { group_id: groupId })
    await inNight(night, others[0]!).answer('in')
    await inNight(night, host).decide(appids[0]!)
    const { url } = await host.call(api.share.create, { id: night.night_id })
    for (const address of [url, `${app.url}/share/unknown`]) {
      const html = await (await fetch(address)).text()
      expect(html).toContain('This is a public demo: strangers wrote what you see here')
      expect(html).toContain('<time datetime="2026-06-01T12:00:00.000Z">12:00 UTC</time>')
    }
    const ordinary = await startTestApp({ engine })
    expect(await (await fetch(`${ordinary.url}/share/unknown`)).text()).not.toContain('public demo')
  })

  test('DEMO-13: people who share an account do not see each other’s browsers', async () => {
    const { app } = await startPublicDemo(engine)
    const me = await app.player({ isNew: true })
    const { sessions } = await me.call(api.session.listSessions, me.user)
    expect(sessions.map((session) => session.user_agent)).toEqual([''])
  })
})

test('DEMO-9: a demo that is not public is never reset', async () => {
  const { app, time: clock } = await startAt(RESET - HOUR, { demo: true })
  const me = await app.player()
  expect(app.demoReset).toBeUndefined()
  clock.now = RESET + HOUR
  expect((await me.attempt(api.session.listSessions, me.user)).status).toBe(200)
})
