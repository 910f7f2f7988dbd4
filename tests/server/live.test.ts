/** The stream of changes of a game night, over real connections and two servers of one database (NIGHT-40 to NIGHT-45). */
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { groupsContract } from '#shared/contract/groups.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { sessionContract } from '#shared/contract/session.ts'
import { removePlayer, lockNight } from '../../src/server/storage/nights.ts'
import { startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { watchNight } from '../support/events.ts'
import { makeNight, touchNight } from '../support/stored-nights.ts'
import { writeRows } from '../support/rows.ts'
import { stallDatabase } from '../attack/stall.ts'

const versionOf = async (app: TestApp, nightId: number) =>
  (
    await app.database.queries
      .selectFrom('nights')
      .select('version')
      .where('night_id', '=', nightId)
      .executeTakeFirstOrThrow()
  ).version

const openStreams = async (app: TestApp) => {
  const metrics = await (await fetch(`${app.address}/metrics`)).text()
  return Number(/^event_streams (\d+)$/m.exec(metrics)?.[1])
}

const remove = (app: TestApp, nightId: number, player: TestPlayer) =>
  app.database.transaction(async (tx) =>
    removePlayer(tx, (await lockNight(tx, nightId))!, player.steam_id, app.deps.clock()),
  )

/** The same person on another server. */
const at = (app: TestApp, player: TestPlayer) => ({ ...player, ...app.callsOf(player.token) })

describe.each(engines)('the stream of a night (%s)', (engine) => {
  test('NIGHT-40, NIGHT-49: is a stream of events that no proxy may hold back', async () => {
    const app = await startTestApp({ engine })
    const host = await app.player()
    const night = await makeNight(app, { host })
    const { status, headers } = await watchNight(host, night)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store, no-transform')
    expect(headers.get('x-accel-buffering')).toBe('no')
    expect(headers.get('content-encoding')).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  test('NIGHT-41: tells everyone about a change within a second, on every server', async () => {
    const app = await startTestApp({ engine })
    const other = await startTestApp({ besides: app })
    const [host, guest, stranger] = [await app.player(), await app.player(), await app.player()]
    const night = await makeNight(app, { host, players: [guest] })
    const elsewhere = await makeNight(app, { host: stranger })
    const streams = [
      await watchNight(host, night, { since: await versionOf(app, night) }),
      await watchNight(at(other, guest), night, { since: await versionOf(app, night) }),
    ]
    const unconcerned = await watchNight(stranger, elsewhere, { since: await versionOf(app, elsewhere) })
    for (let round = 0; round < 3; round++) {
      const since = performance.now()
      await touchNight(round % 2 === 0 ? app : other, night)
      const version = await versionOf(app, night)
      for (const stream of streams) expect(await stream.next()).toEqual({ version })
      expect(performance.now() - since).toBeLessThan(1000)
    }
    for (const stream of [...streams, unconcerned]) expect(stream.waiting()).toBe(0)
  })

  test('NIGHT-41: tells about the people of the night, such as what they are playing', async () => {
    const app = await startTestApp({ engine })
    const [host, guest, stranger] = [await app.player(), await app.player(), await app.player()]
    const night = await makeNight(app, { host, players: [guest] })
    const version = await versionOf(app, night)
    const stream = await watchNight(host, night, { since: version })
    await stranger.call(
      privacyContract.changeSettings,
      { steamId: stranger.steam_id },
      { library_visibility: 'nobody' },
    )
    await guest.call(
      privacyContract.changeSettings,
      { steamId: guest.steam_id },
      { library_visibility: 'nobody' },
    )
    expect(await stream.next()).toEqual({ version })
    expect(stream.waiting()).toBe(0)
  })

  test('NIGHT-42: resumes: a page that has missed a change is told at once, another one only of the next', async () => {
    const app = await startTestApp({ engine })
    const host = await app.player()
    const night = await makeNight(app, { host })
    await touchNight(app, night)
    const version = await versionOf(app, night)
    const missed = [
      await watchNight(host, night),
      await watchNight(host, night, { since: version - 1 }),
      await watchNight(host, night, { since: 'x' }),
      await watchNight(host, night, { lastEventId: String(version - 1) }),
      // The browser's own header is newer than the address that the page was opened with.
      await watchNight(host, night, { since: version, lastEventId: String(version - 1) }),
    ]
    for (const stream of missed) expect(await stream.next()).toEqual({ version })
    const seen = [
      await watchNight(host, night, { since: version }),
      await watchNight(host, night, { lastEventId: String(version) }),
    ]
    await touchNight(app, night)
    for (const stream of [...missed, ...seen]) {
      expect(await stream.next()).toEqual({ version: version + 1 })
      expect(stream.waiting()).toBe(0)
    }
  })

  test('NIGHT-44: ends within a second when the session ends, on the other server too', async () => {
    const app = await startTestApp({ engine })
    const other = await startTestApp({ besides: app })
    const host = await app.player()
    const again = { ...host, ...app.callsOf(await app.signIn(host.steam_id)) }
    const night = await makeNight(app, { host })
    const streams = [await watchNight(host, night), await watchNight(at(other, host), night)]
    const kept = await watchNight(again, night)
    const since = performance.now()
    await host.call(sessionContract.logOut, {})
    for (const stream of streams) await stream.ended
    expect(performance.now() - since).toBeLessThan(1000)
    expect((await watchNight(host, night)).status).toBe(401)
    await kept.next()
    await touchNight(app, night)
    expect(await kept.next()).toEqual({ version: await versionOf(app, night) })
  })

  test('NIGHT-44: ends when an unused session expires', async () => {
    const time = { now: Date.now() }
    const app = await startTestApp({ engine, clock: () => time.now })
    const host = await app.player()
    const night = await makeNight(app, { host })
    const stream = await watchNight(host, night)
    time.now += 31 * 24 * 3_600_000
    await stream.ended
  })

  test('NIGHT-44: ends for those who are removed, who leave the group, and who delete their account', async () => {
    const app = await startTestApp({ engine })
    const other = await startTestApp({ besides: app })
    const [removed, leaver, deleted] = [await app.player(), await app.player(), await app.player()]
    const host = await app.player({ friends: [removed, leaver, deleted] })
    const { group_id: groupId } = await app.group({ owner: host, members: [removed, leaver, deleted] })
    const night = await makeNight(app, { host, groupId, players: [removed, leaver, deleted] })
    const kept = await watchNight(host, night)
    for (const [player, act] of [
      [removed, () => remove(app, night, removed)],
      [leaver, () => leaver.call(groupsContract.leave, { id: groupId })],
      [deleted, () => deleted.call(privacyContract.deleteAccount, { steamId: deleted.steam_id })],
    ] as const) {
      const streams = [await watchNight(player, night), await watchNight(at(other, player), night)]
      const since = performance.now()
      await act()
      for (const stream of streams) await stream.ended
      expect(performance.now() - since).toBeLessThan(1000)
    }
    // The change to the last version.
    const version = await versionOf(app, night)
    while ((await kept.next()).version < version);
    await host.call(groupsContract.remove, { id: groupId })
    await kept.ended
    expect((await watchNight(host, night)).status).toBe(404)
  })

  test('NIGHT-40: is refused to strangers like a night that does not exist', async () => {
    const app = await startTestApp({ engine })
    const [host, stranger] = [await app.player(), await app.player()]
    const night = await makeNight(app, { host })
    expect((await watchNight(stranger, night)).status).toBe(404)
    expect((await watchNight(stranger, night + 1000)).status).toBe(404)
    expect((await watchNight(app.callsOf(undefined), night)).status).toBe(401)
    expect(await openStreams(app)).toBe(0)
  })

  test('LIM-47: a person has ten, a server as many as it allows; places are given back', async () => {
    const app = await startTestApp({
      engine,
      oneServer: 'streams are counted in memory',
      streamLimits: { perServer: 12 },
    })
    const [host, guest] = [await app.player(), await app.player()]
    const night = await makeNight(app, { host, players: [guest] })
    const open = async (player: TestPlayer, count: number) => {
      const streams = []
      for (let n = 0; n < count; n++) streams.push(await watchNight(player, night))
      return streams
    }
    const streams = await open(host, 10)
    expect(streams.map((stream) => stream.status)).toEqual(Array(10).fill(200))
    const eleventh = await watchNight(host, night)
    expect([eleventh.status, eleventh.headers.get('retry-after')]).toEqual([429, '10'])
    expect((await open(guest, 3)).map((stream) => stream.status)).toEqual([200, 200, 503])
    streams[0]!.close()
    await expect.poll(() => openStreams(app)).toBe(11)
    // What is refused takes no place.
    for (let n = 0; n < 3; n++) expect((await host.request('/api/nights/999999/events')).status).toBe(404)
    expect((await watchNight(host, night)).status).toBe(200)
    expect(await openStreams(app)).toBe(12)
  })

  test('NIGHT-45: takes no slot of the requests in progress, and may be open for longer than a response may take', async () => {
    const app = await startTestApp({
      engine,
      overloadLimits: { inFlightPerUser: 2 },
      connectionLimits: { requestMs: 200, checkEveryMs: 20, idleMs: 200 },
      streamLimits: { heartbeatMs: 50 },
    })
    const host = await app.player()
    const night = await makeNight(app, { host })
    const streams = [
      await watchNight(host, night),
      await watchNight(host, night),
      await watchNight(host, night),
    ]
    expect((await host.request(`/api/users/${host.steam_id}/groups`)).status).toBe(200)
    // Heartbeats are comments: the limit of responses has passed when twenty have arrived.
    for (const stream of streams)
      await expect
        .poll(
          () =>
            stream
              .text()
              .split('\n\n')
              .filter((part) => part === ':').length,
        )
        .toBeGreaterThan(20)
    await touchNight(app, night)
    for (const stream of streams) while ((await stream.next()).version !== (await versionOf(app, night)));
  })

  test('clients that go away while it is opened leave nothing behind', async () => {
    const app = await startTestApp({ engine })
    const host = await app.player()
    const night = await makeNight(app, { host })
    const { port } = new URL(app.address)
    const request = `GET /api/nights/${night}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${host.token}\r\n\r\n`
    for (let n = 0; n < 30; n++) {
      const client = connect(Number(port), '127.0.0.1')
      await new Promise<void>((resolve) => client.write(request, () => resolve()))
      if (n % 2 === 0) await new Promise(setImmediate)
      client.destroy()
    }
    await expect.poll(() => openStreams(app)).toBe(0)
    const streams = []
    while (streams.length < 10) streams.push(await watchNight(host, night))
    expect(streams.map((stream) => stream.status)).toEqual(Array(10).fill(200))
  })

  test('tells every page when it is not known what has changed, and checks that it may still look', async () => {
    const app = await startTestApp({ engine, liveTiming: { spreadMs: 100 } })
    const [host, guest] = [await app.player(), await app.player()]
    const night = await makeNight(app, { host, players: [guest] })
    const [kept, ended] = [await watchNight(host, night, { since: 1 }), await watchNight(guest, night)]
    await writeRows(app.database, (tx) =>
      tx.deleteFrom('sessions').where('steam_id', '=', guest.steam_id).execute(),
    )
    expect(await kept.next()).toEqual({ version: 1 })
    await ended.ended
  })

  test('a HEAD request does not open one', async () => {
    const app = await startTestApp({ engine })
    const host = await app.player()
    const night = await makeNight(app, { host })
    expect((await host.request(`/api/nights/${night}/events`, { method: 'HEAD' })).status).toBe(404)
    expect(await openStreams(app)).toBe(0)
  })

  test('NIGHT-47: ends at once when the server shuts down, with the time to come back', async () => {
    const app = await startTestApp({ engine })
    const other = await startTestApp({ besides: app })
    const host = await app.player()
    const night = await makeNight(app, { host })
    const stream = await watchNight(at(other, host), night)
    const since = performance.now()
    await Promise.all([other.close(), stream.ended])
    expect(performance.now() - since).toBeLessThan(2000)
    expect(stream.text()).toMatch(/\n\nretry: [2-5]\d{3}\n\n$/)
  })
})

test('NIGHT-48: the stream of a night ends when PostgreSQL does not respond, and gives its place back', async () => {
  const app = await startTestApp({ engine: 'postgres', liveTiming: { unknownMs: 500 } })
  const host = await app.player()
  const night = await makeNight(app, { host })
  const stream = await watchNight(host, night)
  const release = await stallDatabase(app.database)
  await stream.ended
  expect(await openStreams(app)).toBe(0)
  await release()
  const again = await watchNight(host, night, { since: 1 })
  expect(again.status).toBe(200)
  await touchNight(app, night)
  expect(await again.next()).toEqual({ version: 2 })
})
