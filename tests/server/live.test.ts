/** A user's stream of changes, over real connections and two servers of one database (LIVE-1 to LIVE-7). */
import { describe, expect, test } from 'vitest'
import type { Topic } from '#shared/contract/live.ts'
import { replaceFriends } from '../../src/server/storage/players/friends.ts'
import { removePlayer } from '../../src/server/features/groups/departures.ts'
import { addPlayers, lockNight } from '../../src/server/storage/nights/nights.ts'
import { saveProfiles } from '../../src/server/storage/players/players.ts'
import { stallDatabase } from '../attack/stall.ts'
import { api, engines, setVisibility, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { toldOf, watch } from '../support/events.ts'
import { inNight, startInGroup } from '../support/nights.ts'
import { profileOf } from '../support/rows.ts'
import { makeNight, touchNight } from '../support/stored-nights.ts'

const { friends, groups, library, nights, privacy, session } = api
/** Nothing that happened before the stream was opened is told. */
const fromNow = { liveTiming: { missedMs: 0 } }

const openStreams = async (app: TestApp) => {
  const metrics = await (await fetch(`${app.address}/metrics`)).text()
  return Number(/^event_streams (\d+)$/m.exec(metrics)?.[1])
}

/** The same person on another server. */
const at = (app: TestApp, player: TestPlayer) => ({ ...player, ...app.callsOf(player.token) })

/** A player comes online, as Steam says. */
const comeOnline = (app: TestApp, { steam_id: steamId }: TestPlayer, personastate = 3) =>
  app.database.transaction((tx) =>
    saveProfiles(tx, [{ ...profileOf(steamId, null), personastate }], app.deps.clock()),
  )

const syncGames = async (app: TestApp, { steam_id }: TestPlayer) => {
  await app.deps.sync.syncGames(steam_id, steam_id)
}

describe.each(engines)('the stream of a user (%s)', (engine) => {
  test('LIVE-1, LIVE-6: is a stream of events that no proxy may hold back, for oneself', async () => {
    const app = await startTestApp({ engine })
    const [ada, bob] = [await app.player(), await app.player()]
    const { status, headers } = await watch(ada)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store, no-transform')
    expect(headers.get('x-accel-buffering')).toBe('no')
    expect(headers.get('content-encoding')).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect((await watch(bob, { whose: ada.steam_id })).status).toBe(403)
    expect((await watch({ ...app.callsOf(undefined), steam_id: ada.steam_id })).status).toBe(401)
    expect(await openStreams(app)).toBe(1)
  })

  test('LIVE-2: says what has changed within a second, on every server', async () => {
    const app = await startTestApp({ engine, ...fromNow })
    const other = await startTestApp({ besides: app, ...fromNow })
    const friend = await app.player({ games: { Portal: 60 } })
    const me = await app.player({ friends: [friend], games: { Portal: 60 } })
    const { group_id: id } = await app.group({ owner: me, members: [friend] })
    const { night_id: night, series } = await startInGroup(me, id, {
      starts_at: new Date(Date.now() + 60_000).toISOString(),
      repeat: { every: 'week', zone: 'UTC' },
    })
    const mark = await makeNight(app, { host: me })
    const streams = [await watch(me), await watch(at(other, me))]
    await touchNight(app, mark)
    const theirs = inNight({ night_id: night }, friend)
    const steps: [act: () => Promise<unknown>, told: Topic[]][] = [
      [() => comeOnline(app, friend), ['friends', `group:${id}`, `night:${night}`]],
      [() => syncGames(app, friend), ['games', `group:${id}`, `night:${night}`]],
      [() => setVisibility(friend, 'groups'), ['friends', `group:${id}`, `night:${night}`]],
      [() => me.call(groups.rename, { id }, { name: 'Sunday' }), [`group:${id}`, 'groups']],
      [
        () => friend.call(api.addedGames.add, { id }, { name: 'skribbl.io', link: 'https://skribbl.io' }),
        [`group:${id}`, 'groups'],
      ],
      [() => friend.call(api.wishes.want, { id, gameId: app.appidOf('Portal') }), [`group:${id}`]],
      [() => theirs.answer('in'), [`night:${night}`, 'nights']],
      [() => theirs.vote([]), [`night:${night}`]],
      [() => me.call(nights.stopRepeating, { id: series!.series_id }), [`night:${night}`, 'nights']],
      [() => friend.call(groups.leave, { id }), [`group:${id}`, 'groups', `night:${night}`, 'nights']],
    ]
    // What was changed before.
    for (const stream of streams) await stream.until(`night:${mark}`)
    for (const [nth, [act, told]] of steps.entries()) {
      await act()
      const since = performance.now()
      const arrived = await Promise.all(streams.map((stream) => stream.until(...told)))
      expect(performance.now() - since, `step ${nth}`).toBeLessThan(1000)
      for (const topics of arrived) {
        topics.delete(`night:${mark}`)
        expect([...topics].sort(), `step ${nth}`).toEqual(told)
      }
    }
  })

  test('LIVE-2: says what oneself has done elsewhere, and how far a sync is', async () => {
    const app = await startTestApp({ engine, ...fromNow, background: true })
    const friend = await app.player({ games: { Portal: 60 }, synced: false })
    const me = await app.player({ friends: [friend], games: { Portal: 60 } })
    const stream = await watch(me)
    const steamId = me.steam_id
    await me.call(library.fetchGames, { steamId })
    await stream.until('games', 'sync')
    await me.call(friends.syncFriends, { steamId })
    // The list, and then the friend's library.
    await stream.until('friends', 'sync', 'games')
    const { group_id } = await app.group({ owner: me })
    await stream.until('groups')
    await startInGroup(me, group_id)
    await stream.until('nights')
    await app.player({ friends: [me] }).then((one) => one.call(nights.start, {}, { steam_ids: [steamId] }))
    await stream.until('nights')
  })

  test('LIVE-3: says nothing that no call would say', async () => {
    const app = await startTestApp({ engine, ...fromNow })
    const hidden = await app.player({ name: 'Hidden', games: { Portal: 60 } })
    const former = await app.player({ name: 'Former' })
    const stranger = await app.player({ name: 'Stranger', friends: [hidden], games: { Portal: 60 } })
    const me = await app.player({ name: 'Me', friends: [hidden, former] })
    // Their own list, read later, is without me.
    const unfriend = () =>
      app.database.transaction((tx) => replaceFriends(tx, former.steam_id, [], app.deps.clock() + 1))
    await unfriend()
    await setVisibility(hidden, 'nobody')
    const { group_id: left } = await app.group({ owner: hidden, members: [me] })
    const leftNight = await startInGroup(hidden, left)
    const { group_id: theirs } = await app.group({ owner: hidden, members: [stranger] })
    const theirNight = await startInGroup(hidden, theirs)
    // I came to it by its link, so I am shown few (NIGHT-151).
    const guestNight = await makeNight(app, { host: hidden, players: [stranger] })
    await app.database.transaction((tx) => addPlayers(tx, guestNight, [me.steam_id], { by: null, at: 1 }))
    const asked = await makeNight(app, { host: hidden, players: [me] })
    await me.call(groups.leave, { id: left })
    await app.database.transaction(async (tx) =>
      removePlayer(tx, (await lockNight(tx, asked))!, me.steam_id, app.deps.clock(), hidden.steam_id),
    )
    const mark = await makeNight(app, { host: me })
    const page = { stream: await watch(me), mark }

    const secrets: Record<string, () => Promise<unknown>> = {
      'a library that is shown to nobody': () => syncGames(app, hidden),
      'games that its owner hides': () =>
        hidden.call(privacy.hideGame, { ...hidden.user, gameId: app.appidOf('Portal') }),
      'settings of a friend': () => hidden.call(privacy.changeSettings, hidden.user, { theme: 'dark' }),
      'sessions of a friend': () =>
        app.signIn(hidden.steam_id).then((token) => app.callsOf(token).call(session.logOut, {})),
      'the friend list of a friend': () =>
        app.database.transaction((tx) =>
          replaceFriends(tx, hidden.steam_id, [me.steam_id], app.deps.clock()),
        ),
      'whoever is no friend any more': () => comeOnline(app, former),
      'their list, which changes nothing': unfriend,
      strangers: () => comeOnline(app, stranger),
      'games of strangers': () => syncGames(app, stranger),
      'a group that I have left': () => hidden.call(groups.rename, { id: left }, { name: 'Left' }),
      'the night of a group that I have left': () =>
        hidden.call(nights.change, { id: leftNight.night_id }, { title: 'Left' }),
      'groups of others': () => hidden.call(groups.rename, { id: theirs }, { name: 'Theirs' }),
      'who leaves groups of others': () => stranger.call(groups.leave, { id: theirs }),
      'nights of others': () => hidden.call(nights.change, { id: theirNight.night_id }, { title: 'Theirs' }),
      'new nights of others': () => startInGroup(hidden, theirs),
      'a night that I was removed from': () =>
        hidden.call(nights.change, { id: asked }, { title: 'Not yours' }),
      'syncs of others': () => stranger.call(library.fetchGames, stranger.user),
      'that I may still come back': () =>
        hidden.call(groups.setMayReturn, { id: left, steamId: me.steam_id }, { may_return: true }),
      'the deletion of a night that I was removed from': () =>
        hidden.call(nights.removePlayer, { id: asked, steamId: hidden.steam_id }),
      'the deletion of a group that I have left': () => hidden.call(groups.remove, { id: left }),
    }
    // What was changed before.
    await toldOf(app, page, async () => {})
    for (const [what, act] of Object.entries(secrets)) expect(await toldOf(app, page, act), what).toEqual([])

    // The same of what I may see.
    expect(await toldOf(app, page, () => comeOnline(app, hidden, 4))).toEqual([
      'friends',
      `night:${guestNight}`,
    ])
    await setVisibility(hidden, 'connected')
    await page.stream.until('friends')
    expect(await toldOf(app, page, () => syncGames(app, hidden))).toEqual(['games', `night:${guestNight}`])
    expect(await toldOf(app, page, () => inNight({ night_id: guestNight }, stranger).answer('in'))).toEqual([
      `night:${guestNight}`,
      'nights',
    ])
    expect(await toldOf(app, page, () => comeOnline(app, stranger, 4))).toEqual([`night:${guestNight}`])
  })

  test('LIVE-2, NIGHT-151: a guest who is in is told of all players', async () => {
    const app = await startTestApp({ engine, ...fromNow })
    const [host, asked, me] = [await app.player(), await app.player(), await app.player()]
    const night = await makeNight(app, { host, players: [asked] })
    await app.database.transaction((tx) => addPlayers(tx, night, [me.steam_id], { by: null, at: 1 }))
    const page = { stream: await watch(me), mark: await makeNight(app, { host: me }) }
    await toldOf(app, page, async () => {})

    expect(await toldOf(app, page, () => comeOnline(app, asked))).toEqual([])
    await inNight({ night_id: night }, me).answer('in')
    await page.stream.until(`night:${night}`)
    expect(await toldOf(app, page, () => comeOnline(app, asked, 4))).toEqual([`night:${night}`])
  })

  test('LIVE-3: nothing more is told after losing access', async () => {
    const app = await startTestApp({ engine, ...fromNow })
    const me = await app.player()
    const owner = await app.player({ friends: [me] })
    const { group_id: id } = await app.group({ owner, members: [me] })
    const night = await makeNight(app, { host: owner, players: [me] })
    const page = { stream: await watch(me), mark: await makeNight(app, { host: me }) }
    await page.stream.until('nights')
    const mine = { id: night, steamId: me.steam_id }
    await touchNight(app, night)
    await page.stream.until(`night:${night}`)
    expect(await toldOf(app, page, () => touchNight(app, night))).toEqual([`night:${night}`])
    expect(await toldOf(app, page, () => owner.call(nights.removePlayer, mine))).toEqual(['nights'])
    expect(await toldOf(app, page, () => touchNight(app, night))).toEqual([])
    const leaving = () => owner.call(groups.removeMember, { id, steamId: me.steam_id })
    expect(await toldOf(app, page, leaving)).toEqual(['groups'])
    const renaming = () => owner.call(groups.rename, { id }, { name: 'Gone' })
    expect(await toldOf(app, page, renaming)).toEqual([])
    expect(await toldOf(app, page, () => startInGroup(owner, id))).toEqual([])
    // Whether they may come back is theirs to know (MEM-12).
    const mayReturn = (may_return: boolean) => () =>
      owner.call(groups.setMayReturn, { id, steamId: me.steam_id }, { may_return })
    expect(await toldOf(app, page, mayReturn(true))).toEqual(['groups'])
    expect(await toldOf(app, page, mayReturn(false))).toEqual(['groups'])
    expect(await toldOf(app, page, mayReturn(false))).toEqual([])
    expect(await toldOf(app, page, () => owner.call(groups.remove, { id }))).toEqual([])
  })

  test('LIVE-1: a page that has read before its stream was open is told what it may have missed', async () => {
    const app = await startTestApp({ engine })
    const me = await app.player()
    const night = await makeNight(app, { host: me })
    const stranger = await app.player()
    const theirs = await makeNight(app, { host: stranger })
    await touchNight(app, night)
    await touchNight(app, theirs)
    const told = await (await watch(me)).until(`night:${night}`)
    expect(told).not.toContain(`night:${theirs}`)
  })

  test('LIVE-5: ends within a second when the session ends, on the other server too, and says so', async () => {
    const app = await startTestApp({ engine, ...fromNow })
    const other = await startTestApp({ besides: app, ...fromNow })
    const me = await app.player()
    const again = { ...me, ...app.callsOf(await app.signIn(me.steam_id)) }
    const night = await makeNight(app, { host: me })
    const streams = [await watch(me), await watch(at(other, me))]
    const kept = await watch(again)
    const since = performance.now()
    await me.call(session.logOut, {})
    for (const stream of streams) {
      await stream.ended
      expect(stream.text()).toMatch(/event: change\ndata: \{"topics":\[.*"session"\]\}\n\n$/)
    }
    expect(performance.now() - since).toBeLessThan(1000)
    expect((await watch(me)).status).toBe(401)
    await touchNight(app, night)
    expect(await kept.until(`night:${night}`)).not.toContain('session')
  })

  test('LIVE-5: ends when an unused session expires, and when the account is deleted', async () => {
    const time = { now: Date.now() }
    const app = await startTestApp({ engine, clock: () => time.now })
    const [me, gone] = [await app.player(), await app.player()]
    const [stream, deleted] = [await watch(me), await watch(gone)]
    await gone.call(privacy.deleteAccount, gone.user)
    await deleted.ended
    time.now += 31 * 24 * 3_600_000
    await stream.ended
    for (const watched of [stream, deleted]) expect(watched.text()).toContain('"session"]}')
  })

  test('LIM-47: a person has ten, a server as many as it allows; places are given back', async () => {
    const app = await startTestApp({
      engine,
      oneServer: 'streams are counted in memory',
      slotLimits: { streams: { total: 12 } },
    })
    const [ada, bob] = [await app.player(), await app.player()]
    const open = async (player: TestPlayer, count: number) => {
      const streams = []
      for (let n = 0; n < count; n++) streams.push(await watch(player))
      return streams
    }
    const streams = await open(ada, 10)
    expect(streams.map((stream) => stream.status)).toEqual(Array(10).fill(200))
    const eleventh = await watch(ada)
    expect([eleventh.status, eleventh.headers.get('retry-after')]).toEqual([429, '10'])
    expect((await open(bob, 3)).map((stream) => stream.status)).toEqual([200, 200, 503])
    streams[0]!.close()
    await expect.poll(() => openStreams(app)).toBe(11)
    // What is refused takes no place.
    for (let n = 0; n < 3; n++) expect((await watch(ada, { whose: bob.steam_id })).status).toBe(403)
    expect((await watch(ada)).status).toBe(200)
    expect(await openStreams(app)).toBe(12)
  })

  test('LIVE-6: takes no slot of the requests in progress, and may be open for longer than a response may take', async () => {
    const app = await startTestApp({
      engine,
      slotLimits: { requestsOfUser: { perKey: 2 } },
      connectionLimits: { requestMs: 200, checkEveryMs: 20, idleMs: 200 },
      heartbeatMs: 50,
    })
    const me = await app.player()
    const streams = [await watch(me), await watch(me), await watch(me)]
    expect((await me.request(`/api/users/${me.steam_id}/groups`)).status).toBe(200)
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
    await app.group({ owner: me })
    for (const stream of streams) await stream.until('groups')
  })

  test('LIVE-2: everyone is told everything when it is not known what has changed', async () => {
    const app = await startTestApp({ engine, liveTiming: { spreadMs: 100 } })
    const [ada, bob] = [await app.player(), await app.player()]
    const night = await makeNight(app, { host: ada, players: [bob] })
    const [kept, ended] = [await watch(ada), await watch(bob)]
    await app.write((tx) => tx.deleteFrom('sessions').where('steam_id', '=', bob.steam_id).execute())
    await kept.until('games', 'friends', 'groups', 'nights', `night:${night}`, 'sync')
    await ended.ended
  })

  test('LIVE-7: ends at once when the server shuts down, with the time to come back', async () => {
    const app = await startTestApp({ engine })
    const other = await startTestApp({ besides: app })
    const me = await app.player()
    const stream = await watch(at(other, me))
    const since = performance.now()
    await Promise.all([other.close(), stream.ended])
    expect(performance.now() - since).toBeLessThan(2000)
    expect(stream.text()).toMatch(/\n\nretry: [2-5]\d{3}\n\n$/)
  })
})

test('LIVE-7: the stream ends when PostgreSQL does not respond, and gives its place back', async () => {
  const app = await startTestApp({ engine: 'postgres', liveTiming: { unknownMs: 500 } })
  const me = await app.player()
  const stream = await watch(me)
  const release = await stallDatabase(app.database)
  await stream.ended
  expect(await openStreams(app)).toBe(0)
  await release()
  const again = await watch(me)
  expect(again.status).toBe(200)
  await app.group({ owner: me })
  await again.until('groups')
})
