import { describe, expect, test } from 'vitest'
import type { Invitation } from '#shared/contract/invites.ts'
import { GROUP_INVITE_MS, GROUP_MEMBERS_MAX, NIGHT_LENGTH_MS, NIGHT_PLAYERS_MAX } from '#shared/limits.ts'
import { purgeExpired } from '../../src/server/sync/engine.ts'
import { api, engines, startAt, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { watch } from '../support/events.ts'
import { putIntoGroups } from '../support/groups.ts'
import { friendsWithGames, inNight, readStore, startInGroup } from '../support/nights.ts'
import { answerAs, makeNight } from '../support/stored-nights.ts'

const { groups, invites, nights, privacy } = api
const HOUR = 3_600_000

/** Ada's group, which Bob has joined; Cal is a stranger. The time can be set. */
async function friday(engine: (typeof engines)[number]) {
  const { app, time } = await startAt(Date.now(), { engine })
  const [bob, cal] = [await app.player({ name: 'Bob' }), await app.player({ name: 'Cal' })]
  const ada = await app.player({ name: 'Ada', friends: [bob] })
  const { group_id: id } = await app.group({ owner: ada, members: [bob], name: 'Friday' })
  return { app, time, ada, bob, cal, id }
}

const accept = (player: TestPlayer, token: string) => player.attempt(invites.accept, { token })
const memberIds = async (player: TestPlayer, id: number) =>
  (await player.call(groups.members, { id })).map((member) => member.steam_id)
const nightPeople = async (player: TestPlayer, id: number) =>
  Object.fromEntries(
    (await player.call(nights.read, { id })).people.map((person) => [person.steam_id, person.answer]),
  )

/** What a stranger without a session gets for a token: everything but the time. */
async function seenAs(app: TestApp, token: string) {
  const response = await fetch(`${app.url}/api/invites/${encodeURIComponent(token)}`)
  const headers = Object.fromEntries(response.headers)
  delete headers.date
  return { status: response.status, headers, body: await response.text() }
}

/** What nobody without a session sees unless more is asked for. */
const strangersSee = {
  title: null,
  starts_at: null,
  zone: null,
  faces_shown: false,
  faces: [],
  games: [],
}

/** The token is of no use to anyone, and looks like one that never was. */
async function expectInvalid(app: TestApp, token: string, player: TestPlayer): Promise<void> {
  const seen = await seenAs(app, token)
  expect(seen).toEqual(await seenAs(app, 'A'.repeat(32)))
  expect([seen.status, JSON.parse(seen.body)]).toEqual([
    404,
    { error: 'This invitation is no longer valid. Ask for a new link.', code: 'invite_not_found' },
  ])
  const refused = await accept(player, token)
  expect([refused.status, await refused.text()]).toEqual([404, seen.body])
}

describe.each(engines)('the link of a group (%s)', (engine) => {
  test('NIGHT-50, NIGHT-52, NIGHT-57: names group and inviter to strangers, nothing else; who accepts has joined', async () => {
    const { app, ada, bob, cal, id } = await friday(engine)
    expect(await bob.call(invites.ofGroup, { id })).toBeNull()
    const link = await bob.call(invites.renewOfGroup, { id })
    expect(link).toEqual({
      token: link.token,
      url: `${app.url}/join/${link.token}`,
      expires_at: new Date(app.deps.clock() + GROUP_INVITE_MS).toISOString(),
      created_by: { steam_id: bob.steam_id, display_name: 'Bob' },
    })
    expect(link.token).toMatch(/^[\w-]{32}$/)
    expect(await ada.call(invites.ofGroup, { id })).toEqual(link)

    const seen = await seenAs(app, link.token)
    expect([seen.status, JSON.parse(seen.body)]).toEqual([
      200,
      { ...strangersSee, kind: 'group', name: 'Friday', invited_by: 'Bob', in_count: 2 },
    ])
    expect(seen.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    // Looking at it changes nothing.
    expect(await memberIds(ada, id)).not.toContain(cal.steam_id)

    for (let n = 0; n < 2; n++)
      expect(await cal.call(invites.accept, { token: link.token })).toEqual({ group_id: id })
    expect(await cal.call(groups.members, { id })).toMatchObject([
      { steam_id: ada.steam_id },
      { steam_id: bob.steam_id },
      { steam_id: cal.steam_id, joined: true },
    ])
    expect((await cal.call(groups.read, { id })).added_by).toBeNull()
    expect(await cal.call(invites.ofGroup, { id })).toEqual(link)
  })

  test('NIGHT-54: accepting it joins people who were added, too', async () => {
    const { app, ada, bob, id } = await friday(engine)
    const dan = await app.player()
    app.simulator.befriend(ada.steam_id, dan.steam_id)
    await app.deps.sync.syncFriends(ada.steam_id)
    await ada.call(groups.addMembers, { id }, { steam_ids: [dan.steam_id] })
    const { token } = await bob.call(invites.renewOfGroup, { id })
    expect(await dan.refusedWith(invites.ofGroup, { id })).toBe('forbidden')
    await dan.call(invites.accept, { token })
    expect((await dan.call(groups.read, { id })).joined).toBe(true)
  })

  test.each<[string, (of: Awaited<ReturnType<typeof friday>>) => Promise<unknown>]>([
    ['was renewed', ({ ada, id }) => ada.call(invites.renewOfGroup, { id })],
    ['was switched off', ({ ada, id }) => ada.call(invites.switchOffOfGroup, { id })],
    ['has expired', async ({ time }) => (time.now += GROUP_INVITE_MS)],
    ['was made by somebody who has left', ({ bob, id }) => bob.call(groups.leave, { id })],
    [
      'was made by somebody who was removed',
      ({ ada, bob, id }) => ada.call(groups.removeMember, { id, steamId: bob.steam_id }),
    ],
    ['was made by a deleted account', ({ bob }) => bob.call(privacy.deleteAccount, bob.user)],
    ['is of a deleted group', ({ ada, id }) => ada.call(groups.remove, { id })],
  ])('NIGHT-50, NIGHT-56: is no longer valid when it %s', async (_why, act) => {
    const of = await friday(engine)
    const { token } = await of.bob.call(invites.renewOfGroup, { id: of.id })
    await act(of)
    await expectInvalid(of.app, token, of.cal)
    expect((await of.cal.call(groups.list, { steamId: of.cal.steam_id })).groups).toEqual([])
  })

  test('NIGHT-54: does not let people back whom the owner has removed, until the owner allows it', async () => {
    const { app, ada, bob, cal, id } = await friday(engine)
    const { token } = await ada.call(invites.renewOfGroup, { id })
    await cal.call(invites.accept, { token })
    await cal.call(groups.leave, { id })
    // Leaving was their own choice.
    await cal.call(invites.accept, { token })
    await ada.call(groups.removeMember, { id, steamId: cal.steam_id })
    const refused = await accept(cal, token)
    expect([refused.status, await refused.text()]).toEqual([404, (await seenAs(app, 'x')).body])
    expect(await memberIds(bob, id)).not.toContain(cal.steam_id)
    await ada.call(groups.setMayReturn, { id, steamId: cal.steam_id }, { may_return: true })
    await cal.call(invites.accept, { token })
  })

  test('NIGHT-54: does not let more people in than a group, and a person, may have', async () => {
    const { app, ada, cal, id } = await friday(engine)
    const { token } = await ada.call(invites.renewOfGroup, { id })
    await putIntoGroups(app, cal, 500)
    expect(await cal.refusedWith(invites.accept, { token })).toBe('too_many_groups')

    const others = await app.strangersConnectedWith(ada, GROUP_MEMBERS_MAX - 3)
    await ada.call(groups.addMembers, { id }, { steam_ids: others })
    const [dan, eve] = [await app.player(), await app.player()]
    const other = await startTestApp({ besides: app })
    // One place is left, and both take it at once, on two servers.
    const results = await Promise.all([
      accept(dan, token),
      accept({ ...eve, ...other.callsOf(eve.token) }, token),
    ])
    expect(results.map((response) => response.status).sort()).toEqual([200, 409])
    const full = results.find((response) => response.status === 409)!
    expect(await full.json()).toMatchObject({ code: 'group_full' })
    expect(await memberIds(ada, id)).toHaveLength(GROUP_MEMBERS_MAX)
  })

  test('NIGHT-57: renewed while it is accepted: only users who got a success have joined', async () => {
    const { app, ada, id } = await friday(engine)
    const other = await startTestApp({ besides: app })
    for (let round = 0; round < 10; round++) {
      const { token } = await ada.call(invites.renewOfGroup, { id })
      const dan = await app.player({ synced: false })
      const [accepted, renewed] = await Promise.all([
        accept({ ...dan, ...other.callsOf(dan.token) }, token),
        ada.call(invites.renewOfGroup, { id }),
      ])
      expect([200, 404]).toContain(accepted.status)
      expect((await memberIds(ada, id)).includes(dan.steam_id)).toBe(accepted.status === 200)
      expect(renewed.token).not.toBe(token)
      expect(await ada.call(invites.ofGroup, { id })).toEqual(renewed)
    }
  })

  test('NIGHT-53: cannot be found by trying: every wrong token gets the same response', async () => {
    const { app, ada, id } = await friday(engine)
    const { token } = await ada.call(invites.renewOfGroup, { id })
    const wrong = [
      ...Array.from({ length: 16 }, (_, n) => token.slice(0, 2 * n) + 'x'.repeat(32 - 2 * n)),
      token.slice(0, -1),
      `${token}A`,
      token.toUpperCase(),
      ` ${token}`,
      'x',
      '\u0000',
      '\ud800',
      '%',
      "' OR 1=1--",
      '🎲'.repeat(20),
    ]
    const first = await seenAs(app, 'A'.repeat(32))
    for (const each of wrong) expect(await seenAs(app, each.toWellFormed()), each).toEqual(first)
    // Without a session nothing can be accepted.
    const anonymous = await app.callsOf(undefined).attempt(invites.accept, { token })
    expect(anonymous.status).toBe(401)
  })
})

describe.each(engines)('the link of a night (%s)', (engine) => {
  test('NIGHT-50, NIGHT-55: names its title and inviter; who accepts is asked, and watchers are told', async () => {
    const { app, ada, bob, cal, id: groupId } = await friday(engine)
    const id = await makeNight(app, { host: ada, players: [bob], groupId, title: 'Portal' })
    expect(await bob.refusedWith(invites.renewOfNight, { id })).toBe('not_in_night')
    await answerAs(app, id, bob, 'maybe')
    const link = await bob.call(invites.renewOfNight, { id })
    const { starts_at } = await ada.call(nights.read, { id })
    expect(JSON.parse((await seenAs(app, link.token)).body)).toEqual({
      ...strangersSee,
      kind: 'night',
      name: 'Portal',
      title: 'Portal',
      invited_by: 'Bob',
      starts_at,
      in_count: 1,
    })
    const { version } = await ada.call(nights.read, { id })
    const stream = await watch(ada)
    for (let n = 0; n < 2; n++)
      expect(await cal.call(invites.accept, { token: link.token })).toEqual({ night_id: id })
    await stream.until(`night:${id}`)
    expect((await ada.call(nights.read, { id })).version).toBe(version + 1)
    expect(await nightPeople(ada, id)).toEqual({
      [ada.steam_id]: 'in',
      [bob.steam_id]: 'maybe',
      [cal.steam_id]: null,
    })
    // The night alone, not its group.
    expect(await cal.refused(groups.read, { id: groupId })).toMatchObject({ status: 404 })
  })

  test('NIGHT-52: tells time and zone, how many are in, and games at stake; faces only where who leads has switched them on', async () => {
    const app = await startTestApp({ engine })
    const { host, others, groupId } = await friendsWithGames(app, 3, ['A', 'B', 'C', 'D'])
    const startsAt = new Date(app.deps.clock() + 24 * HOUR).toISOString()
    const night = await startInGroup(host, groupId, { starts_at: startsAt, zone: 'Europe/Berlin' })
    const id = night.night_id
    const { token } = await host.call(invites.renewOfNight, { id })
    const seen = async () => JSON.parse((await seenAs(app, token)).body) as Invitation

    // The games of one person are not at stake.
    expect(await seen()).toMatchObject({
      starts_at: startsAt,
      zone: 'Europe/Berlin',
      in_count: 1,
      faces: [],
      games: [],
    })
    await inNight(night, others[0]!).answer('in')
    await inNight(night, others[1]!).answer('maybe')
    const { games, ...rest } = await seen()
    expect(rest).toMatchObject({ in_count: 2, faces_shown: false, faces: [] })
    expect(games).toHaveLength(3)
    expect(['A', 'B', 'C', 'D']).toEqual(expect.arrayContaining(games))
    expect(JSON.stringify(await seen())).not.toMatch(/Player/)

    expect(await others[0]!.refused(nights.change, { id }, { faces: true })).toMatchObject({ status: 403 })
    expect(await host.call(nights.change, { id }, { faces: true })).toMatchObject({ faces: true })
    expect((await seen()).faces.map((face) => face.display_name).sort()).toEqual(['Host', 'Player 1'])
    await host.call(nights.change, { id }, { faces: false })
    expect((await seen()).faces).toEqual([])
  })

  test.each(['Etc/Unknown', 'Factory', 'Mars/Olympus', '+05:30', ''])(
    'NIGHT-93, NIGHT-52: what a browser says about its time zone is never refused (%j)',
    async (zone) => {
      const app = await startTestApp({ engine })
      const { host, groupId } = await friendsWithGames(app, 2)
      const night = await host.call(nights.start, {}, { group_id: groupId, zone })
      const { token } = await host.call(invites.renewOfNight, { id: night.night_id })
      const seen = () => app.callsOf(undefined).call(invites.read, { token })
      expect((await seen()).zone).toBe(zone === '+05:30' ? zone : null)
      // One that is not known changes nothing where the time moves.
      const starts_at = new Date(Date.now() + 3_600_000).toISOString()
      await host.call(nights.change, { id: night.night_id }, { starts_at, zone: 'Asia/Tokyo' })
      await host.call(nights.change, { id: night.night_id }, { starts_at, zone })
      expect((await seen()).zone).toBe(zone === '+05:30' ? zone : 'Asia/Tokyo')
    },
  )

  test('NIGHT-52: names no game that somebody who is in hides, and none where a library is for groups only or just one is known', async () => {
    const app = await startTestApp({ engine })
    const { host, others, groupId, appids } = await friendsWithGames(app, 2, ['A', 'B'])
    const night = await startInGroup(host, groupId)
    await inNight(night, others[0]!).answer('in')
    const { token } = await host.call(invites.renewOfNight, { id: night.night_id })
    const games = async () => (JSON.parse((await seenAs(app, token)).body) as Invitation).games
    expect((await games()).toSorted()).toEqual(['A', 'B'])
    const steamId = others[0]!.steam_id
    await others[0]!.call(privacy.hideGame, { steamId, gameId: appids[0]! })
    expect(await games()).toEqual(['B'])
    for (const library_visibility of ['groups', 'connected', 'nobody'] as const) {
      await others[0]!.call(privacy.changeSettings, { steamId }, { library_visibility })
      expect(await games()).toEqual(library_visibility === 'connected' ? ['B'] : [])
    }
  })

  test('NIGHT-52: names no free game that one of those who are in lacks', async () => {
    const app = await startTestApp({ engine })
    const ben = await app.player({ name: 'Ben', games: { Portal: 1 } })
    const host = await app.player({ name: 'Host', games: { Portal: 1, Factorio: 1 }, friends: [ben] })
    for (const game of app.simulator.world.apps) if (game.name === 'Factorio') game.free = true
    await readStore(app)
    const night = await host.call(nights.start, {}, { steam_ids: [ben.steam_id] })
    await inNight(night, ben).answer('in')
    expect((await inNight(night, host).read()).shortlist.map(({ name }) => name).sort()).toEqual([
      'Factorio',
      'Portal',
    ])
    const { token } = await host.call(invites.renewOfNight, { id: night.night_id })
    expect((JSON.parse((await seenAs(app, token)).body) as Invitation).games).toEqual(['Portal'])
  })

  test('NIGHT-57: accepted with an answer, it gives that answer, also to who was asked before', async () => {
    const app = await startTestApp({ engine })
    const { host, others, groupId } = await friendsWithGames(app, 2)
    const cal = await app.player({ name: 'Cal' })
    const { night_id: id } = await startInGroup(host, groupId)
    const { token } = await host.call(invites.renewOfNight, { id })
    await cal.call(invites.accept, { token }, { answer: 'maybe' })
    await others[0]!.call(invites.accept, { token }, { answer: 'out' })
    expect(await nightPeople(host, id)).toEqual({
      [host.steam_id]: 'in',
      [others[0]!.steam_id]: 'out',
      [cal.steam_id]: 'maybe',
    })
    // Without one, what was answered stays.
    await cal.call(invites.accept, { token })
    expect((await nightPeople(host, id))[cal.steam_id]).toBe('maybe')
    const refused = await cal.refused(invites.accept, { token }, { answer: 'yes' as 'in' })
    expect([refused.status, refused.code]).toEqual([400, 'invalid_input'])
    expect(refused.error).toContain('answer')
  })

  type Case = Awaited<ReturnType<typeof friday>> & { night: number }
  test.each<[string, (of: Case) => Promise<unknown>]>([
    ['was renewed', ({ ada, night }) => ada.call(invites.renewOfNight, { id: night })],
    ['was switched off', ({ ada, night }) => ada.call(invites.switchOffOfNight, { id: night })],
    ['is of a cancelled night', ({ ada, night }) => ada.call(nights.cancel, { id: night })],
    ['is of a past night', async ({ time }) => (time.now += NIGHT_LENGTH_MS)],
    [
      'was made by somebody who has left',
      ({ bob, night }) => bob.call(nights.removePlayer, { id: night, steamId: bob.steam_id }),
    ],
    ['was made by a deleted account', ({ bob }) => bob.call(privacy.deleteAccount, bob.user)],
    [
      'could bring back somebody whom the host has removed',
      async ({ ada, bob, night, app }) => {
        const dan = await app.player()
        await dan.call(invites.accept, { token: (await bob.call(invites.ofNight, { id: night }))!.token })
        await ada.call(nights.removePlayer, { id: night, steamId: dan.steam_id })
      },
    ],
  ])('NIGHT-50, NIGHT-56: is no longer valid when it %s', async (_why, act) => {
    const of = await friday(engine)
    const night = await makeNight(of.app, { host: of.ada, players: [of.bob] })
    await answerAs(of.app, night, of.bob, 'in')
    const { token } = await of.bob.call(invites.renewOfNight, { id: night })
    await act({ ...of, night })
    await expectInvalid(of.app, token, of.cal)
  })

  test('NIGHT-50: is valid until twelve hours after the start, also of a night that was moved', async () => {
    const { app, time, ada, cal } = await friday(engine)
    const id = await makeNight(app, { host: ada })
    const { token } = await ada.call(invites.renewOfNight, { id })
    const startsAt = time.now + 24 * HOUR
    await ada.call(nights.change, { id }, { starts_at: new Date(startsAt).toISOString() })
    expect((await ada.call(invites.ofNight, { id }))?.expires_at).toBe(
      new Date(startsAt + NIGHT_LENGTH_MS).toISOString(),
    )
    time.now = startsAt + NIGHT_LENGTH_MS - 1
    await cal.call(invites.accept, { token })
    time.now += 1
    await expectInvalid(app, token, await app.player())
    expect(await ada.call(invites.ofNight, { id })).toBeNull()
    expect(await ada.refusedWith(invites.renewOfNight, { id })).toBe('night_has_ended')
  })

  test('NIGHT-55: does not let in who was removed from its group, or more people than it may have', async () => {
    const { app, ada, bob, id: groupId } = await friday(engine)
    const ofGroup = await makeNight(app, { host: ada, players: [bob], groupId })
    const { token } = await ada.call(invites.renewOfNight, { id: ofGroup })
    await ada.call(groups.removeMember, { id: groupId, steamId: bob.steam_id })
    expect(await bob.refusedWith(invites.accept, { token })).toBe('invite_not_found')

    const guests = []
    while (guests.length < NIGHT_PLAYERS_MAX - 2) guests.push(await app.player({ synced: false }))
    const id = await makeNight(app, { host: ada, players: guests })
    const link = await ada.call(invites.renewOfNight, { id })
    const [dan, eve] = [await app.player(), await app.player()]
    const other = await startTestApp({ besides: app })
    const results = await Promise.all([
      accept(dan, link.token),
      accept({ ...eve, ...other.callsOf(eve.token) }, link.token),
    ])
    expect(results.map((response) => response.status).sort()).toEqual([200, 409])
    const refused = results.find((response) => response.status === 409)!
    expect(await refused.json()).toMatchObject({ code: 'night_full' })
    expect(Object.keys(await nightPeople(ada, id))).toHaveLength(NIGHT_PLAYERS_MAX)
  })
})

test.each(engines)('NIGHT-58: housekeeping deletes expired links alone (%s)', async (engine) => {
  const { app, time, ada, bob, id } = await friday(engine)
  await ada.call(invites.renewOfGroup, { id })
  const night = await makeNight(app, { host: ada })
  await ada.call(invites.renewOfNight, { id: night })
  const planned = await makeNight(app, { host: ada, startsAt: time.now + 300 * 24 * HOUR })
  await ada.call(invites.renewOfNight, { id: planned })
  time.now += GROUP_INVITE_MS
  const { group_id } = await app.group({ owner: bob })
  await bob.call(invites.renewOfGroup, { id: group_id })
  await purgeExpired(app.deps)
  const left = await app.db.selectFrom('invites').select(['group_id', 'night_id']).execute()
  expect(left).toHaveLength(2)
  expect(left).toEqual(
    expect.arrayContaining([
      { group_id, night_id: null },
      { group_id: null, night_id: planned },
    ]),
  )
})

test('NIGHT-53: reading a link is limited by address like every call', async () => {
  const app = await startTestApp({ requestLimits: { perAddress: 5, perToken: 100 } })
  const statuses = []
  for (let n = 0; n < 6; n++) statuses.push((await seenAs(app, 'x')).status)
  expect(statuses).toEqual([404, 404, 404, 404, 404, 429])
})
