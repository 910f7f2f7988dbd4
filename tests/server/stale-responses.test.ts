/**
 * No response is ever out of date: two servers of one database serve random requests of every kind, and after each
 * write every compared response is the same as from a third server without caches, and in the end as from one that
 * has just started. CACHE_SECONDS: how long, 6 by default; CACHE_SEED: the run to repeat.
 */
import { expect, test } from 'vitest'
import { MARKS } from '#shared/nights/votes.ts'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { pathOf } from '#shared/path.ts'
import { randomFrom } from '../../bench/population.ts'
import { api, engines, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'

const SECONDS = Number(process.env.CACHE_SECONDS ?? 6)
const TIMEOUT = { timeout: (SECONDS + 120) * 1000 }
const SEED = Number(process.env.CACHE_SEED ?? Date.now() % 1_000_000)
const PEOPLE = 6
const GAMES = 6
/** Requests that are repeated after every write, and for how many writes, so that one too many in a cache is found. */
const REPEATED = 40
const STEPS_REPEATED = 25
const STEPS_MIN = 20
const GROUPS_MAX = 4
const NIGHTS_MAX = 4
const MINUTE = 60_000

/** Two servers with caches, one without, and everybody on them. */
type World = {
  servers: readonly [TestApp, TestApp]
  uncached: TestApp
  people: TestPlayer[]
  groups: number[]
  nights: number[]
  time: { now: number }
  pick: <T>(values: readonly T[]) => T
}

/** Reads that are made of cached values alone, with parameters that mostly exist. */
function randomRead({ people, groups, nights, pick }: World): { by: TestPlayer; path: string } {
  const by = pick(people)
  const { path } = pick(reads)
  const params = {
    steamId: pick([by, by, by, pick(people)]).steam_id,
    mySteamId: by.steam_id,
    friendSteamId: pick(people).steam_id,
    gameId: pick(appids),
    id: pick([...(path.startsWith('/api/nights/') ? nights : groups), 1]),
  }
  return { by, path: pathOf(path, params) }
}
const { groups, games, nights, comparison, friends, players, library } = api
const reads: readonly Endpoint[] = [
  ...[groups.list, groups.read, groups.members, groups.sharedGames, groups.nearMisses],
  ...[nights.list, nights.listOfGroup, nights.read, nights.read],
  ...[comparison.compare, friends.friendsCached, friends.topGames, friends.gameFriends, friends.overlaps],
  ...[library.games, library.summary, library.totalPlaytime, library.gamePlaytime],
  ...[games.read, players.read],
]
const appids = Array.from({ length: GAMES }, (_, nth) => 700_000 + 10 * nth)

async function read(app: TestApp, { by, path }: { by: TestPlayer; path: string }): Promise<string> {
  for (;;) {
    const response = await app.callsOf(by.token).request(path)
    const text = await response.text()
    // A machine that is busy with other work makes servers refuse requests, which says nothing about caches.
    if (response.status !== 503) return `${response.status} ${text}`
  }
}

type Write = (world: World) => Promise<unknown>

const put = (app: TestApp, by: TestPlayer, method: string, path: string, body?: object) =>
  app.callsOf(by.token).request(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })

/** A write through the API by a random person on a random server. */
function through(
  write: (world: World, by: TestPlayer, other: TestPlayer, group: number) => [string, string, object?],
): Write {
  return async (world) => {
    const [method, path, body] = write(
      world,
      world.pick(world.people),
      world.pick(world.people),
      world.pick([...world.groups, 1]),
    )
    const by = world.people.find(({ steam_id }) => path.includes(steam_id)) ?? world.pick(world.people)
    await (await put(world.pick(world.servers), by, method, path, body)).arrayBuffer()
  }
}

/** A call in a random night, by somebody who may make it if there is anyone. */
function inNight(write: (world: World, night: string) => [string, string, object?]): Write {
  return async (world) => {
    const night = `/api/nights/${world.pick([...world.nights, 1])}`
    const [method, path, body] = write(world, night)
    const first = world.people.indexOf(world.pick(world.people))
    for (const by of [...world.people.slice(first), ...world.people.slice(0, first)]) {
      const response = await put(world.pick(world.servers), by, method, path, body)
      await response.arrayBuffer()
      if (response.ok) break
    }
  }
}

const writes: Record<string, Write> = {
  answerNight: inNight(({ pick, time }, night) => [
    'PUT',
    `${night}/answer`,
    { answer: pick(['in', 'in', 'in', 'maybe', 'out']), word: pick([null, `Word ${time.now}`]) },
  ]),
  voteInNight: inNight(({ pick }, night) => [
    'PUT',
    `${night}/ballot`,
    { marks: pick([[], [{ appid: pick(appids), mark: pick(MARKS) }]]) },
  ]),
  closeNight: inNight(({ pick }, night) => ['POST', `${night}/close`, { by: pick(['votes', 'draw']) }]),
  drawInNight: inNight((_, night) => ['POST', `${night}/draw`]),
  redrawInNight: inNight((_, night) => ['POST', `${night}/redraw`, { reason: 'another' }]),
  changeNight: inNight(({ time }, night) => ['PATCH', night, { title: `Night ${time.now}` }]),
  cancelNight: inNight(({ pick }, night) => ['POST', `${night}/${pick(['cancel', 'draw', 'draw'])}`]),
  askToNight: inNight(({ pick, people }, night) => [
    'POST',
    `${night}/people`,
    { steam_ids: [pick(people).steam_id] },
  ]),
  removeFromNight: inNight(({ pick, people }, night) => [
    'DELETE',
    `${night}/people/${pick(people).steam_id}`,
  ]),

  changeSettings: through(({ pick }, by) => [
    'PUT',
    `/api/users/${by.steam_id}/settings`,
    { library_visibility: pick(['connected', 'groups', 'nobody']) },
  ]),
  hideGame: through(({ pick }, by) => ['PUT', `/api/users/${by.steam_id}/hidden_games/${pick(appids)}`]),
  unhideGame: through(({ pick }, by) => ['DELETE', `/api/users/${by.steam_id}/hidden_games/${pick(appids)}`]),
  rename: through(({ time }, _by, _other, group) => [
    'PATCH',
    `/api/groups/${group}`,
    { name: `Name ${time.now}` },
  ]),
  handOver: through((_, _by, other, group) => [
    'POST',
    `/api/groups/${group}/owner`,
    { steam_id: other.steam_id },
  ]),
  join: through((_, _by, _other, group) => ['POST', `/api/groups/${group}/join`]),
  leave: through((_, _by, _other, group) => ['POST', `/api/groups/${group}/leave`]),
  addMember: through((_, _by, other, group) => [
    'POST',
    `/api/groups/${group}/members`,
    { steam_ids: [other.steam_id] },
  ]),
  setMayReturn: through(({ pick }, _by, other, group) => [
    'PUT',
    `/api/groups/${group}/former_members/${other.steam_id}`,
    { may_return: pick([true, false]) },
  ]),
  setPicture: through(({ time }, _by, _other, group) => [
    'POST',
    `/api/groups/${group}/picture`,
    { picture_url: `http://127.0.0.1/${time.now}.png` },
  ]),
  syncGroup: through(({ people }) => [
    'POST',
    '/api/sync_group_games',
    { steam_ids: people.slice(0, 3).map((one) => one.steam_id) },
  ]),

  syncGroupById: through((_world, _by, _other, group) => [
    'POST',
    '/api/sync_group_games',
    { group_id: group },
  ]),

  async createGroup(world) {
    if (world.groups.length >= GROUPS_MAX) return
    const by = world.pick(world.people)
    const body = { name: `Group ${world.groups.length}`, owner_steam_id: by.steam_id }
    const response = await put(world.pick(world.servers), by, 'POST', '/api/groups', body)
    if (response.ok) world.groups.push(((await response.json()) as { group_id: number }).group_id)
  },

  async startNight(world) {
    const [group_id, other] = [world.pick([...world.groups, 1]), world.pick(world.people)]
    const asked = world.pick([{ group_id }, { steam_ids: [other.steam_id] }])
    // So far ahead that it is not past after a few of the steps in time below.
    const starts_at = new Date(world.time.now + 200 * 24 * 60 * MINUTE).toISOString()
    for (const by of world.people) {
      const body = { ...asked, ...world.pick([{}, { starts_at }, { starts_at }]) }
      const response = await put(world.pick(world.servers), by, 'POST', '/api/nights', body)
      if (!response.ok) continue
      world.nights.push(((await response.json()) as { night_id: number }).night_id)
      break
    }
    if (world.nights.length > NIGHTS_MAX) world.nights.shift()
  },

  /** Random steps alone would rarely lead to a pick. */
  async playNight(world) {
    const night = `/api/nights/${world.pick([...world.nights, 1])}`
    const call = (by: TestPlayer, method: string, path: string, body?: object) =>
      put(world.pick(world.servers), by, method, `${night}/${path}`, body)
    for (const by of world.people) {
      if (!(await call(by, 'PUT', 'answer', { answer: 'in' })).ok) continue
      await call(by, 'PUT', 'ballot', { marks: [] })
    }
    if (world.pick([true, false]))
      for (const by of world.people) if ((await call(by, 'POST', 'close', { by: 'draw' })).ok) break
  },

  async joinNightByLink(world) {
    const night = `/api/nights/${world.pick([...world.nights, 1])}`
    for (const by of world.people) {
      const response = await put(world.pick(world.servers), by, 'POST', `${night}/invite`)
      if (!response.ok) continue
      const { token } = (await response.json()) as { token: string }
      await put(world.pick(world.servers), world.pick(world.people), 'POST', `/api/invites/${token}/accept`)
      break
    }
  },

  async removeGroup(world) {
    const id = world.pick([...world.groups, 1])
    const response = await put(
      world.pick(world.servers),
      world.pick(world.people),
      'DELETE',
      `/api/groups/${id}`,
    )
    if (response.ok) world.groups.splice(world.groups.indexOf(id), 1)
  },

  /** Random people alone would rarely be in one group. */
  async meetInGroup(world) {
    const [id, other] = [world.pick([...world.groups, 1]), world.pick(world.people)]
    for (const by of world.people) {
      const body = { steam_ids: [other.steam_id] }
      if ((await put(world.pick(world.servers), by, 'POST', `/api/groups/${id}/members`, body)).ok) break
    }
    if (world.pick([true, true, false]))
      await put(world.pick(world.servers), other, 'POST', `/api/groups/${id}/join`)
  },

  async removeMember(world) {
    const [by, other] = [world.pick(world.people), world.pick(world.people)]
    const path = `/api/groups/${world.pick([...world.groups, 1])}/members/${other.steam_id}`
    await put(world.pick(world.servers), by, 'DELETE', path)
  },

  async syncGames(world) {
    const [by, target] = [world.pick(world.people), world.pick(world.people)]
    const { simulator } = world.uncached
    const owned = appids.filter(() => world.pick([true, true, false]))
    simulator.setGames(
      target.steam_id,
      owned.map((appid, nth) => ({
        appid,
        minutes: world.pick([0, 1, 1]) * (world.time.now % 1_000_003) + nth,
        recentMinutes: 0,
        lastPlayed: 1_700_000_000,
      })),
    )
    simulator.updatePlayer(target.steam_id, { gamesPrivate: world.pick([true, false, false, false]) })
    await put(world.pick(world.servers), by, 'POST', `/api/users/${target.steam_id}/fetch_games`)
  },

  async syncFriends(world) {
    const [by, other] = [world.pick(world.people), world.pick(world.people)]
    const { simulator } = world.uncached
    if (by !== other) world.pick([simulator.befriend, simulator.unfriend])(by.steam_id, other.steam_id)
    simulator.updatePlayer(by.steam_id, { friendsPrivate: world.pick([true, false, false, false]) })
    await put(world.pick(world.servers), by, 'POST', `/api/users/${by.steam_id}/sync_friends`)
  },

  async readPresence(world) {
    const [by, other] = [world.pick(world.people), world.pick(world.people)]
    const changes = world.pick([
      { personaname: `P ${world.time.now}` },
      { personastate: world.pick([0, 1]) },
      { playing: world.pick(appids) },
    ])
    world.uncached.simulator.updatePlayer(other.steam_id, changes)
    await put(world.pick(world.servers), by, 'GET', `/api/users/${by.steam_id}/friends`)
  },

  async readStore(world) {
    for (const app of world.uncached.simulator.world.apps) {
      if (world.pick([true, false])) app.name = `Game ${app.appid} ${world.time.now}`
      app.categories = [world.pick([1, 2, 9, 38])]
    }
    world.time.now += world.pick([0, 15 * 24 * 60 * MINUTE])
    await world.pick(world.servers).deps.catalogue.readStoreDetails()
  },

  async signInAgain(world) {
    const by = world.pick(world.people)
    const server = world.pick(world.servers)
    const how = world.pick(['nothing', 'log out', 'all sessions', 'account'] as const)
    if (how === 'log out') await put(server, by, 'POST', '/auth/logout')
    if (how === 'all sessions') await put(server, by, 'DELETE', `/api/users/${by.steam_id}/sessions`)
    if (how === 'account') await put(server, by, 'DELETE', `/api/users/${by.steam_id}`)
    // The old token is one of the requests that are compared, too.
    if (how !== 'nothing') world.people.push(by)
    await world.uncached.database.queries.deleteFrom('used_once').execute()
    const token = await server.signIn(by.steam_id)
    world.people[world.people.indexOf(by)] = { ...by, token, ...server.callsOf(token) }
    if (world.people.length > PEOPLE + 1) world.people.splice(PEOPLE, 1)
  },
}

/** Those that set the scene for others come more often. */
const names = [
  ...Object.keys(writes),
  'meetInGroup',
  'meetInGroup',
  'startNight',
  'startNight',
  'answerNight',
  'answerNight',
  'answerNight',
  'voteInNight',
  'voteInNight',
  'voteInNight',
  'readPresence',
  'readPresence',
  'leave',
  'leave',
]

async function startWorld(engine: (typeof engines)[number]): Promise<World> {
  const time = { now: Date.now() }
  // Every reading is later than the last: two versions of a library are told apart by their times, too.
  const options = { clock: () => ++time.now, requestLimits: { perAddress: 1e9, perToken: 1e9 } }
  const first = await startTestApp({ engine, ...options })
  const second = await startTestApp({ besides: first, ...options })
  const uncached = await startTestApp({ besides: first, memoryBytes: 0, ...options })
  for (const appid of appids)
    first.simulator.addApp({ appid, name: `Game ${appid}`, iconHash: '', kind: 0, categories: [2] })
  const people: TestPlayer[] = []
  for (let nth = 0; nth < PEOPLE; nth++)
    people.push(
      await first.player({
        name: `Player ${nth}`,
        games: Object.fromEntries(appids.slice(nth % 3, 5).map((appid, at) => [appid, 100 * nth + at])),
        friends: people.filter((_, other) => (nth + other) % 3 === 0),
      }),
    )
  for (const one of people) await first.deps.sync.syncFriends(one.steam_id)
  const { group_id } = await first.group({ owner: people[2]!, members: [people[1]!] })
  const random = randomFrom(SEED)
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!
  return { servers: [first, second], uncached, people, groups: [group_id], nights: [], time, pick }
}

test.each(engines)('two servers on %s answer like one without caches', TIMEOUT, async (engine) => {
  const world = await startWorld(engine)
  const { servers, uncached, pick } = world
  const done: string[] = []
  const compare = async (wanted: { by: TestPlayer; path: string }, expected: string) => {
    const answers = await Promise.all(servers.map((server) => read(server, wanted)))
    for (const [nth, answer] of answers.entries())
      if (answer !== expected) {
        let at = 0
        while (answer[at] === expected[at]) at++
        const part = (text: string) => text.slice(Math.max(0, at - 60), at + 60)
        expect.unreachable(
          `server ${nth}: ${wanted.path} is\n${part(answer)}\ninstead of\n${part(expected)}\n` +
            `seed ${SEED}, after ${done.slice(-4).join(', ')}`,
        )
      }
  }
  const somePaths = () => Array.from({ length: REPEATED }, () => randomRead(world))
  let repeated = somePaths()
  const until = performance.now() + SECONDS * 1000
  // A busy machine gets more time.
  while (performance.now() < until || done.length < STEPS_MIN) {
    // This is not about limits of a day or an hour.
    await uncached.database.queries.deleteFrom('syncs').execute()
    await uncached.database.queries.deleteFrom('used_once').execute()
    const chosen = Array.from({ length: pick([1, 1, 1, 3]) }, () => pick(names))
    done.push(...chosen)
    // Reads during the writes fill the caches with values that are about to change.
    const meanwhile = repeated.slice(0, 10).map((one) => read(pick(servers), one))
    await Promise.all([...chosen.map((name) => writes[name]!(world)), ...meanwhile])
    world.time.now += 2 * MINUTE
    if (done.length % STEPS_REPEATED === 0) repeated = somePaths()
    await Promise.all(repeated.map(async (one) => compare(one, await read(uncached, one))))
  }
  const restarted = await startTestApp({ besides: servers[0], clock: () => world.time.now })
  for (let nth = 0; nth < 150; nth++) {
    const one = randomRead(world)
    await compare(one, await read(restarted, one))
  }
})
