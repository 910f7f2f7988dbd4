/**
 * PERM-2 to PERM-15, as one table of every endpoint and every kind of caller. The resource is the data of `self`, a
 * group of `owner`, which `self` and `comember` have joined; `invited` was added and has not joined. And a game night
 * of it that `self` hosts, and from which `comember` was removed. `former` has `self` on a friend list that was read
 * before the friend list of `self`, who has dropped them (PERM-20).
 */
import { createECDH } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { pathOf } from '#shared/path.ts'
import { api, engines, nextSteamId, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'

const OPERATOR = nextSteamId()
const callers = ['stranger', 'friend', 'invited', 'comember', 'owner', 'self', 'operator', 'former'] as const
type Cast = Record<(typeof callers)[number], TestPlayer> & {
  groupId: number
  nightId: number
  seriesId: number
  /** Of the link of the group. */
  invite: string
  sessionId: number
}

type Row = {
  /**
   * Status for each of {@link callers}; an operator is a stranger unless `operator` says otherwise (OPER-2), and a former
   * friend in any case.
   */
  statuses: [number, number, number, number, number, number]
  operator?: number
  /** Status without a valid token; 401 unless anyone may call it. */
  anonymous?: number
  /** A successful call changes what others may do, so the next caller gets a new cast. */
  destructive?: true
  body?: (cast: Cast) => unknown
}

const SUBSCRIPTION = {
  endpoint: 'https://1.1.1.1/push',
  keys: { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'A'.repeat(22) },
}
const onlySelf: Row = { statuses: [403, 403, 403, 403, 403, 200] }
const connected: Row = { statuses: [403, 200, 403, 200, 200, 200] }
const members: Row = { statuses: [404, 404, 200, 200, 200, 200] }
const onlyOwner: Row = { statuses: [404, 404, 403, 403, 200, 403] }
/** The people of the night, and its host. */
const asked: Row = { statuses: [404, 404, 200, 404, 200, 200] }
/** Its host, and the owner of its group. */
const leaders: Row = { statuses: [404, 404, 403, 404, 200, 200] }
/** To everyone else there is nothing (OPER-2). */
const onlyOperator: Row = { statuses: [404, 404, 404, 404, 404, 404], operator: 200 }
const operatorChanges: Row = { ...onlyOperator, destructive: true, body: () => ({ reason: 'a leak' }) }
const onlySelfId = (cast: Cast) => ({ steam_ids: [cast.self.steam_id] })

/** `noun.name` of every endpoint; one without a row does not compile. */
type Nouns = typeof api
type CallName = { [Noun in keyof Nouns]: `${Noun}.${keyof Nouns[Noun] & string}` }[keyof Nouns]

const table: Record<CallName, Row> = {
  // All tokens of the cast are lasting tokens, which cannot be swapped.
  'session.exchangeToken': { statuses: [403, 403, 403, 403, 403, 403] },
  'session.logOut': { statuses: [204, 204, 204, 204, 204, 204], destructive: true },
  'session.listSessions': onlySelf,
  'session.revokeSession': { ...onlySelf, destructive: true },
  'session.revokeAllSessions': { statuses: [403, 403, 403, 403, 403, 204], destructive: true },
  'library.games': connected,
  'library.fetchGames': connected,
  'library.summary': connected,
  'library.totalPlaytime': onlySelf,
  'library.playtimeHistory': onlySelf,
  'library.gamePlaytime': onlySelf,
  'lately.read': onlySelf,
  'lately.more': onlySelf,
  'year.mine': onlySelf,
  'year.ofGroup': { statuses: [404, 404, 403, 200, 200, 200] },
  'yearShare.read': onlySelf,
  'yearShare.create': onlySelf,
  'yearShare.remove': { statuses: [403, 403, 403, 403, 403, 204] },
  'groupYearShare.read': { statuses: [404, 404, 403, 200, 200, 200] },
  'groupYearShare.create': { statuses: [404, 404, 403, 200, 200, 200] },
  'groupYearShare.remove': { statuses: [404, 404, 403, 204, 204, 204] },
  'friends.friends': onlySelf,
  'friends.friendsCached': onlySelf,
  'friends.syncFriends': onlySelf,
  'friends.topGames': onlySelf,
  'friends.gameFriends': onlySelf,
  'friends.overlaps': onlySelf,
  'comparison.compare': onlySelf,
  'games.read': onlySelf,
  'groups.list': onlySelf,
  // `self` has left no group.
  'groups.create': {
    statuses: [403, 403, 403, 403, 403, 201],
    body: (cast) => ({ name: 'Friday', owner_steam_id: cast.self.steam_id }),
  },
  'groups.read': members,
  'groups.members': members,
  'groups.rename': { ...onlyOwner, body: () => ({ name: 'Saturday' }) },
  'groups.remove': { statuses: [404, 404, 403, 403, 204, 403], destructive: true },
  'groups.handOver': { ...onlyOwner, destructive: true, body: (cast) => ({ steam_id: cast.self.steam_id }) },
  'groups.join': { ...members, destructive: true },
  'groups.leave': { statuses: [404, 404, 204, 204, 204, 204], destructive: true },
  // `self` is a member already, but the caller must be connected with the people they add.
  'groups.addMembers': { statuses: [404, 404, 403, 200, 200, 200], body: onlySelfId },
  'groups.removeMember': { statuses: [404, 404, 403, 403, 200, 200], destructive: true },
  'groups.formerMembers': onlyOwner,
  // `self` is still a member.
  'groups.setMayReturn': { statuses: [404, 404, 403, 403, 404, 403], body: () => ({ may_return: false }) },
  'groups.report': {
    statuses: [404, 404, 204, 204, 204, 204],
    body: () => ({ about: 'name', reason: 'rude' }),
    destructive: true,
  },
  'groups.setPicture': { ...members, body: () => ({ picture_url: 'https://example.org/friday.png' }) },
  'groups.sharedGames': members,
  'groups.nearMisses': members,
  'groups.syncGames': { statuses: [403, 200, 200, 200, 200, 200], body: onlySelfId },
  'players.read': members,
  'players.correct': { statuses: [404, 404, 403, 200, 200, 200], body: () => ({ players_max: 4 }) },
  // In a group, who has joined it; a friend, with people they are connected with.
  'wishes.list': { statuses: [404, 404, 403, 200, 200, 200] },
  'wishes.want': { statuses: [404, 404, 403, 204, 204, 204] },
  'wishes.unwant': { statuses: [404, 404, 403, 204, 204, 204] },
  'addedGames.list': { statuses: [404, 404, 403, 200, 200, 200] },
  'addedGames.add': {
    statuses: [404, 404, 403, 201, 201, 201],
    body: () => ({ name: 'skribbl.io', link: 'https://skribbl.io' }),
  },
  // The group has not added it.
  'addedGames.remove': { statuses: [404, 404, 403, 404, 404, 404] },
  // Without games there is nothing to draw.
  'nights.surprise': { statuses: [404, 404, 403, 409, 409, 409] },
  'nights.start': {
    statuses: [404, 404, 403, 201, 201, 201],
    body: (cast) => ({ group_id: cast.groupId }),
    destructive: true,
  },
  'nights.list': onlySelf,
  'nights.listOfGroup': members,
  'nights.history': asked,
  'nights.read': asked,
  'nights.change': { ...leaders, body: () => ({ title: 'Saturday' }) },
  'nights.cancel': { ...leaders, destructive: true },
  // Its first night is `self`'s in the group.
  'nights.stopRepeating': { statuses: [404, 404, 403, 404, 204, 204], destructive: true },
  // It is not cancelled.
  'nights.answer': { ...asked, destructive: true, body: () => ({ answer: 'in' }) },
  // The night has a date.
  'nights.answerTimes': {
    statuses: [404, 404, 409, 404, 409, 409],
    body: () => ({ answers: { '2030-01-01T20:00:00.000Z': 'yes' } }),
  },
  'nights.takeTime': {
    statuses: [404, 404, 403, 404, 409, 409],
    body: () => ({ starts_at: '2030-01-01T20:00:00.000Z' }),
  },
  // Only `self` is in.
  'nights.vote': {
    statuses: [404, 404, 409, 404, 409, 200],
    body: () => ({ marks: [] }),
    destructive: true,
  },
  'nights.close': { ...leaders, body: () => ({ by: 'votes' }), destructive: true },
  // The vote has not ended.
  'nights.reopen': leaders,
  'nights.draw': { statuses: [404, 404, 403, 404, 409, 409] },
  'nights.redraw': { statuses: [404, 404, 403, 404, 409, 409], body: () => ({ reason: 'too long' }) },
  // A group's night has the group's people.
  'nights.addPlayers': { statuses: [404, 404, 403, 404, 403, 403], body: onlySelfId },
  'nights.removePlayer': { ...leaders, destructive: true },
  // Who has joined the group.
  'invites.ofGroup': { statuses: [404, 404, 403, 200, 200, 200] },
  'invites.renewOfGroup': { statuses: [404, 404, 403, 200, 200, 200], destructive: true },
  'invites.switchOffOfGroup': { statuses: [404, 404, 403, 204, 204, 204], destructive: true },
  // Only `self` is in; who leads the night may do it in any case.
  'invites.ofNight': { statuses: [404, 404, 409, 404, 200, 200] },
  'invites.renewOfNight': { statuses: [404, 404, 409, 404, 200, 200], destructive: true },
  'invites.switchOffOfNight': { statuses: [404, 404, 409, 404, 204, 204], destructive: true },
  'invites.read': { statuses: [200, 200, 200, 200, 200, 200], anonymous: 200 },
  'invites.accept': { statuses: [200, 200, 200, 200, 200, 200], destructive: true },
  'live.events': onlySelf,
  'calendar.feed': onlySelf,
  'calendar.renewFeed': onlySelf,
  'calendar.switchOffFeed': { statuses: [403, 403, 403, 403, 403, 204] },
  'webhooks.read': onlyOwner,
  // No host name resolves in tests.
  'webhooks.set': {
    statuses: [404, 404, 403, 403, 400, 403],
    body: () => ({ url: 'https://hooks.example.org/1', format: 'json' }),
  },
  'webhooks.remove': { statuses: [404, 404, 403, 403, 204, 403] },
  // There is none.
  'webhooks.test': { statuses: [404, 404, 403, 403, 404, 403] },
  'push.key': { statuses: [200, 200, 200, 200, 200, 200] },
  'push.subscribe': { statuses: [403, 403, 403, 403, 403, 201], body: () => SUBSCRIPTION },
  'push.unsubscribe': { statuses: [403, 403, 403, 403, 403, 204] },
  'share.read': asked,
  // Nothing has been picked, and only `self` is in.
  'share.create': { statuses: [404, 404, 403, 404, 403, 409] },
  'share.remove': { statuses: [404, 404, 204, 404, 204, 204] },
  'share.settings': members,
  'share.changeSettings': { ...onlyOwner, body: () => ({ shares: true }) },
  'sync.status': onlySelf,
  'sync.activity': onlySelf,
  'privacy.settings': onlySelf,
  'privacy.changeSettings': { ...onlySelf, body: () => ({ library_visibility: 'connected' }) },
  'privacy.hideGame': { statuses: [403, 403, 403, 403, 403, 204] },
  'privacy.unhideGame': { statuses: [403, 403, 403, 403, 403, 204] },
  'privacy.ownElsewhere': { statuses: [403, 403, 403, 403, 403, 204], body: () => ({ where: 'epic' }) },
  'privacy.notElsewhere': { statuses: [403, 403, 403, 403, 403, 204] },
  'privacy.exportAll': onlySelf,
  'privacy.deleteAccount': { statuses: [403, 403, 403, 403, 403, 204], destructive: true },
  'operator.overview': onlyOperator,
  'operator.signInRule': onlyOperator,
  'operator.setSignInRule': {
    ...onlyOperator,
    body: () => ({
      who: 'anyone',
      steam_ids: [],
      reason: 'open to all',
    }),
  },
  'operator.signOutEveryone': { ...operatorChanges, operator: 204 },
  'operator.blocked': onlyOperator,
  'operator.account': onlyOperator,
  'operator.changeAccount': {
    ...operatorChanges,
    body: () => ({ action: 'sign_out', reason: 'asked for it' }),
  },
  'operator.reports': onlyOperator,
  // Nobody has reported the group.
  'operator.group': { ...onlyOperator, operator: 404 },
  'operator.changeGroup': {
    ...onlyOperator,
    operator: 404,
    body: () => ({ action: 'delete_group', reason: 'rude' }),
  },
  'operator.log': onlyOperator,
}

const calls = Object.entries(api).flatMap(([noun, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(
    ([name, endpoint]) => [`${noun}.${name}` as CallName, endpoint] as const,
  ),
)

test('LATELY-5, LATELY-6, API-11, SIGN-15, NIGHT-11, NIGHT-12, LIVE-1, NIGHT-50, OPER-2, PERM-3 to PERM-8, PERM-13, PERM-15, PERM-20, NIGHT-134, PUSH-1, VIS-6: every endpoint of the contract has a row in the table', () => {
  expect(Object.keys(table).sort()).toEqual(calls.map(([name]) => name).sort())
})

describe.each(engines)('on %s', (engine) => {
  let started: Promise<TestApp> | undefined
  const app = () => (started ??= startTestApp({ engine, lasting: true, env: { OPERATORS: OPERATOR } }))
  afterAll(async () => (await started)?.close())
  /** The cast, shared by all callers until a call has changed it; refused calls change nothing. */
  let shared: Promise<Cast> | undefined
  const unchanged = async () => (shared ??= makeCast(await app()))

  test.each(calls)('%s', async (name, endpoint) => {
    const row: Row = table[name]
    const statusOf = async (tokenOf: (cast: Cast) => string | undefined) => {
      const cast = await unchanged()
      const status = await statusFor(await app(), endpoint, row, cast, tokenOf(cast))
      if (row.destructive && status < 400) shared = undefined
      return status
    }
    const { anonymous = 401 } = row
    expect(await statusOf(() => undefined), 'no token').toBe(anonymous)
    expect(await statusOf(() => 'A'.repeat(43)), 'bad token').toBe(anonymous)
    for (const [index, caller] of callers.entries())
      expect(await statusOf((cast) => cast[caller].token), caller).toBe(
        caller === 'operator' ? (row.operator ?? row.statuses[0]) : (row.statuses[index] ?? row.statuses[0]),
      )
  })
})

async function makeCast(app: TestApp): Promise<Cast> {
  const [stranger, friend, comember] = [await app.player(), await app.player(), await app.player()]
  const invited = await app.player()
  // The calls of a game are about 400.
  const self = await app.player({ friends: [friend], games: { 400: 60 } })
  const former = await app.player({ friends: [self] })
  app.simulator.unfriend(former.steam_id, self.steam_id)
  await app.deps.sync.syncFriends(self.steam_id)
  const operator = await app.player({ steamId: OPERATOR })
  const owner = await app.player({ friends: [self, comember, invited] })
  const group = await app.group({ owner, members: [self, comember] })
  await owner.call(api.groups.addMembers, { id: group.group_id }, { steam_ids: [invited.steam_id] })

  const { night_id } = await self.call(api.nights.start, {}, { group_id: group.group_id })
  // The others own nothing.
  await self.call(api.nights.change, { id: night_id }, { any_owner: true })
  await self.call(api.nights.removePlayer, { id: night_id, steamId: comember.steam_id })

  const repeating = await self.call(
    api.nights.start,
    {},
    {
      group_id: group.group_id,
      except: [comember.steam_id],
      starts_at: new Date(Date.now() + 60 * 60_000).toISOString(),
      repeat: { every: 'week', zone: 'Europe/Berlin' },
    },
  )
  const { token } = await self.call(api.invites.renewOfGroup, { id: group.group_id })

  const sessions = (await (await self.request(`/api/users/${self.steam_id}/sessions`)).json()) as {
    sessions: { session_id: number }[]
  }
  return {
    stranger,
    friend,
    invited,
    comember,
    self,
    owner,
    operator,
    former,
    groupId: group.group_id,
    nightId: night_id,
    seriesId: repeating.series!.series_id,
    invite: token,
    sessionId: sessions.sessions[0]!.session_id,
  }
}

async function statusFor(app: TestApp, endpoint: Endpoint, row: Row, cast: Cast, token: string | undefined) {
  const path = pathOf(endpoint.path, {
    steamId: cast.self.steam_id,
    mySteamId: cast.self.steam_id,
    friendSteamId: cast.friend.steam_id,
    gameId: 400,
    id: endpoint.path.startsWith('/api/nights/')
      ? cast.nightId
      : endpoint.path.startsWith('/api/night_series/')
        ? cast.seriesId
        : cast.groupId,
    sessionId: cast.sessionId,
    token: cast.invite,
    subscriptionId: 'A'.repeat(22),
    before: 'newest',
    from: 20,
    year: 2026,
  })
  const body = row.body?.(cast)
  const response = await app.callsOf(token).request(path, {
    method: endpoint.method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  // A stream would not end.
  if (endpoint.stream && response.ok) await response.body?.cancel()
  else await response.arrayBuffer()
  return response.status
}
