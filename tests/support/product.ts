/**
 * The whole product for tests: the real server over HTTP, a real database, and the real Steam client against the
 * simulator. `player()` and `group()` create players and groups, which act through HTTP.
 */
import { deepStrictEqual } from 'node:assert'
import type { Socket } from 'node:net'
import type { BodyInput, Endpoint, ParamsInput, ResponseOf } from '#shared/contract/endpoint.ts'
import { pathOf } from '#shared/path.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { type ErrorBody, errorStatuses } from '#shared/errors.ts'
import { buildApp, type App, type AppOptions } from '../../src/server/app.ts'
import { readConfig } from '../../src/server/config.ts'
import { SIMULATOR_PATH } from '../../src/server/http/simulator-pages.ts'
import { fetchPublic } from '../../src/server/pictures/web-fetch.ts'
import { createDemoHistory } from '../../src/server/demo-history.ts'
import { openDatabase } from '../../src/server/database/open.ts'
import type { Tx } from '../../src/server/database/schema.ts'
import { hashOfToken, newToken, sessionEnd } from '../../src/server/sessions/sessions.ts'
import { ensurePlayers, saveProfiles } from '../../src/server/storage/players/players.ts'
import { createSession } from '../../src/server/storage/accounts/sessions.ts'
import { startSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import type { Player, World } from '../../src/simulator/world.ts'
import { freePort } from './postgres.ts'
import { comeBack, type Handover, handoverOf, type Return, type Send, signInAt } from './sign-in.ts'
import { writeRows } from './rows.ts'
import { watchingChanges } from './told-changes.ts'

/** Options of a test; by default the product's. */
export type ProductOptions = Partial<
  Pick<
    AppOptions,
    | 'clock'
    | 'requestLimits'
    | 'slotLimits'
    | 'overloadTimes'
    | 'connectionLimits'
    | 'heartbeatMs'
    | 'liveTiming'
    | 'memoryBytes'
    | 'callLimits'
    | 'steamTiming'
    | 'fetchPublic'
    | 'web'
    | 'webhookTimeoutMs'
    | 'textsOf'
    | 'logger'
    | 'pagesFolder'
  >
> & {
  world?: World
  /** Runs as demo mode does, with the simulator's pages on the product's own port. */
  demo?: boolean
  /** The demo has groups and nights; the players of `world` must be a demo's. */
  livedIn?: boolean
  /** Runs the background work, as the product does; off by default. */
  background?: boolean
  /** Its database, and how to remove it. */
  place: { dataDir: string; databaseUrl?: string | undefined; drop: () => Promise<void> }
  /** The simulator of another server, which then closes it and removes the database. */
  simulator?: Simulator
  env?: Record<string, string>
}

type PlayerOptions = Partial<Omit<Player, 'steamid' | 'games' | 'friends'>> & {
  steamId?: string
  name?: string
  /** Minutes by appid, or by a name to which the test app assigns an appid. */
  games?: Record<string, number>
  friends?: TestPlayer[]
  /** Reads games and friends from Steam at once, without counting a sync. */
  synced?: boolean
  /** Signs in for the first time, so that games and friends are read automatically. */
  isNew?: boolean
}

/** Practically unlimited calls to Steam, so that tests do not wait. */
const UNLIMITED = { perSecond: 1000, interactiveBurst: 100_000, backgroundBurst: 100_000 }
const KEY = 'test-key-0123456789ABCDEF'

export type Product = Awaited<ReturnType<typeof startProduct>>
/** `user`: what calls about them have in their path. */
export type TestPlayer = { steam_id: string; token: string; user: { steamId: string } } & ReturnType<
  typeof makeCalls
>

/** Starts the product on a free port; the caller closes it. */
export async function startProduct(options: ProductOptions) {
  const { place, background = false } = options
  const port = await freePort()
  const pagesUrl = `${options.env?.PUBLIC_URL ?? `http://localhost:${port}`}${SIMULATOR_PATH}`
  const simulator: Simulator =
    options.simulator ??
    (await startSimulator({
      world: options.world ?? { players: [], apps: [] },
      apiKey: KEY,
      ...(options.demo && { pagesUrl }),
      ...(options.clock && { now: options.clock }),
    }))
  const config = readConfig({
    PORT: String(port),
    ...(!options.demo && { STEAM_API_KEY: KEY }),
    STEAM_API_URL: simulator.apiUrl,
    STEAM_OPENID_URL: simulator.openidUrl,
    DATA_DIR: place.dataDir,
    ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
    ...options.env,
  })
  const database = await watchingChanges(
    await openDatabase({ dataDir: config.dataDir, databaseUrl: config.databaseUrl }),
  )
  const history = options.livedIn ? await createDemoHistory(options.world!, pagesUrl) : async () => {}
  const app: App = await buildApp({
    callLimits: UNLIMITED,
    // No host name resolves, so that no test uses the network.
    fetchPublic: (url) => fetchPublic(url, { lookup: async () => [] }),
    web: { lookup: async () => [] },
    ...options,
    demo: options.demo
      ? { pagesUrl, page: simulator.page, checkUrl: simulator.checkUrl, history }
      : undefined,
    config,
    steamApiKey: KEY,
    database,
  })
  await app.demoReset?.start()
  const connections = new Set<Socket>()
  app.http.server.on('connection', (connection: Socket) => {
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
  })
  await app.http.listen({ port, host: '127.0.0.1' })
  if (background) {
    app.deps.sync.start()
    app.deps.messages.start()
  }

  const close = async () => {
    // It would wait over a minute for the first request of a connection that a client opened and did not need.
    for (const connection of connections) if (connection.bytesRead === 0) connection.destroy()
    await app.http.close()
    await database.close()
    if (options.simulator) return
    await simulator.close()
    await place.drop()
  }
  let closed: Promise<void> | undefined
  const closeOnce = () => (closed ??= close())

  const url = config.publicUrl
  const address = `http://localhost:${port}`
  /** Where calls go, in turn; `shareCalls` adds servers of the same database. */
  const servers = [url]
  let turn = 0
  const nextServer = () => servers[turn++ % servers.length]!
  const callsOf = (token: string | undefined) => makeCalls(nextServer, token)
  const { world } = simulator

  /** The appid of a game name; a new name gets a new appid. */
  function appidOf(game: string): number {
    if (/^\d+$/.test(game)) return Number(game)
    const known = world.apps.find((candidate) => candidate.name === game)
    if (known) return known.appid
    const appid = 900_000 + world.apps.length
    simulator.addApp({ appid, name: game, iconHash: '', kind: 0, categories: [] })
    return appid
  }

  /** A library on Steam: minutes by appid, or by a name to which an appid is assigned. */
  const libraryOf = (games: Record<string, number>, lastPlayed = 0) =>
    Object.entries(games).map(([game, minutes]) => ({
      appid: appidOf(game),
      minutes,
      recentMinutes: 0,
      lastPlayed: minutes > 0 ? lastPlayed : 0,
    }))

  /** Gives somebody another library on Steam; here it is known after the next sync. */
  const giveGames = (
    { steam_id }: Pick<TestPlayer, 'steam_id'>,
    games: Record<string, number>,
    lastPlayed?: number,
  ) => simulator.setGames(steam_id, libraryOf(games, lastPlayed))

  /** Gives somebody another library, and reads it. */
  async function owns(player: Pick<TestPlayer, 'steam_id'>, games: Record<string, number>): Promise<void> {
    giveGames(player, games)
    await app.deps.sync.syncGames(player.steam_id, player.steam_id)
  }

  /** Makes somebody's games private on Steam, and reads that. */
  async function makesPrivate({ steam_id }: Pick<TestPlayer, 'steam_id'>): Promise<void> {
    simulator.updatePlayer(steam_id, { gamesPrivate: true })
    await app.deps.sync.syncGames(steam_id, steam_id)
  }

  /** Adds a player to Steam who was never here; returns the id. */
  function newcomer({
    games = {},
    ...rest
  }: Omit<PlayerOptions, 'friends' | 'synced' | 'isNew'> = {}): string {
    const { steamId = nextSteamId(), name, ...values } = rest
    simulator.addPlayer({
      ...newPlayer(steamId),
      ...(name !== undefined && { personaname: name }),
      games: libraryOf(games, 1_700_000_000),
      ...values,
    })
    return steamId
  }

  /** Creates a player on Steam who is signed in here. */
  async function player({ friends = [], synced = true, isNew = false, ...rest }: PlayerOptions = {}) {
    const steam_id = newcomer(rest)
    for (const friend of friends) simulator.befriend(steam_id, friend.steam_id)
    const token = isNew ? await signIn(steam_id) : await openSession(steam_id)
    const me: TestPlayer = { steam_id, token, user: { steamId: steam_id }, ...callsOf(token) }
    if (synced) {
      await app.deps.sync.syncGames(steam_id, steam_id)
      await app.deps.sync.syncFriends(steam_id)
      // The player keeps all ten syncs.
      await database.queries.deleteFrom('syncs').where('steam_id', '=', steam_id).execute()
    }
    return me
  }

  const signIn = (steamId: string) => signInAt(url, simulator, steamId, nextServer)

  /** Gives someone who was here before a session, without the ways of a sign-in; returns its token. */
  async function openSession(steamId: string): Promise<string> {
    const now = app.deps.clock()
    const token = newToken()
    const profile = await app.deps.sync.readProfile(steamId)
    await writeRows(database, async (tx) => {
      await ensurePlayers(tx, [steamId])
      await tx.updateTable('people').set({ signed_in_at: 1 }).where('steam_id', '=', steamId).execute()
      if (profile) await saveProfiles(tx, [profile], now)
      await createSession(tx, {
        steam_id: steamId,
        token_hash: hashOfToken(token),
        kind: 'lasting',
        created_at: now,
        last_used_at: now,
        expires_at: sessionEnd('lasting', now),
        user_agent: 'test',
      })
    })
    return token
  }

  /** Signs in without swapping the hand-over token. */
  const handover = async (steamId: string): Promise<Handover> =>
    handoverOf(steamId, await returnFromSteam(steamId))

  /** Goes to Steam and back; returns the landing page and cookies. */
  const returnFromSteam = (steamId: string): Promise<Return> =>
    comeBack(simulator, steamId, url, config.publicUrl.startsWith('https:') ? address : url)

  /** Creates a group: members join by default, others are asked only. Its owner must be connected with each of them. */
  async function group({
    owner,
    members = [],
    asked = [],
    joined = true,
    name = 'Friday',
  }: {
    owner: TestPlayer
    members?: TestPlayer[]
    asked?: TestPlayer[]
    joined?: boolean
    name?: string
  }) {
    const created = await owner.call(groupsContract.create, {}, { name, owner_steam_id: owner.steam_id })
    const id = { id: created.group_id }
    const steam_ids = [...members, ...asked].map((member) => member.steam_id)
    if (steam_ids.length > 0) await owner.call(groupsContract.addMembers, id, { steam_ids })
    if (joined) for (const member of members) await member.call(groupsContract.join, id)
    return created
  }

  /** Creates friends of a player who have never signed in; returns their ids. */
  async function strangersConnectedWith(friend: TestPlayer, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newcomer())
    for (const id of ids) simulator.befriend(friend.steam_id, id)
    await app.deps.sync.syncFriends(friend.steam_id)
    await database.queries.deleteFrom('syncs').where('steam_id', '=', friend.steam_id).execute()
    return ids
  }

  return {
    /** `url`: as browsers see it; `address`: where the server listens. */
    url,
    address,
    place,
    simulator,
    database,
    db: database.queries,
    /** Writes rows without the functions of `storage`. */
    write: <Result>(work: (tx: Tx) => Promise<Result>) => writeRows(database, work),
    deps: app.deps,
    http: app.http,
    demoReset: app.demoReset,
    appidOf,
    libraryOf,
    giveGames,
    owns,
    makesPrivate,
    newcomer,
    player,
    signIn,
    handover,
    returnFromPlatform: returnFromSteam,
    callsOf,
    group,
    strangersConnectedWith,
    /** From now on every second call of the players goes to another server of the database. */
    shareCalls: (other: string) => void servers.push(other),
    close: closeOnce,
  }
}

/** Functions that send requests with a token, or without one. `server`: where each request goes. */
export function makeCalls(server: string | (() => string), token: string | undefined, send: Send = fetch) {
  /** Sends any request. */
  const request = (path: string, init: RequestInit = {}) =>
    send(`${typeof server === 'string' ? server : server()}${path}`, {
      ...init,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(init.headers as Record<string, string>),
      },
    })

  /** Calls an endpoint; returns any response. */
  const attempt = <E extends Endpoint>(endpoint: E, params: ParamsInput<E>, body?: BodyInput<E>) =>
    request(pathOf(endpoint.path, params), {
      method: endpoint.method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })

  /** Calls an endpoint that must succeed; checks the response against the contract's schema. */
  const call = async <E extends Endpoint>(endpoint: E, params: ParamsInput<E>, body?: BodyInput<E>) => {
    const response = await attempt(endpoint, params, body)
    const text = await response.text()
    if (response.status !== endpoint.status)
      throw new Error(`${endpoint.method} ${endpoint.path} responded with ${response.status}: ${text}`)
    return exactly(endpoint, text === '' ? undefined : JSON.parse(text))
  }

  /** Calls an endpoint that must refuse, with the status of its code; returns status, code, field and text. */
  const refused = async <E extends Endpoint>(endpoint: E, params: ParamsInput<E>, body?: BodyInput<E>) => {
    const response = await attempt(endpoint, params, body)
    if (response.ok) throw new Error(`${endpoint.method} ${endpoint.path} was not refused`)
    const { status, headers } = response
    const error = (await response.json()) as ErrorBody
    deepStrictEqual(status, errorStatuses[error.code], `${endpoint.path} refuses with ${error.code}`)
    return { status, headers, ...error }
  }

  /** The code with which an endpoint refuses. */
  const refusedWith = async <E extends Endpoint>(endpoint: E, params: ParamsInput<E>, body?: BodyInput<E>) =>
    (await refused(endpoint, params, body)).code
  return { request, attempt, call, refused, refusedWith }
}

/** Sets who may see the library of a player. */
export const setVisibility = (player: TestPlayer, library_visibility: 'connected' | 'groups' | 'nobody') =>
  player.call(privacyContract.changeSettings, player.user, { library_visibility })

/** The response, if it has every field of the contract and no other; parsing drops fields that the contract does not name. */
export function exactly<E extends Endpoint>(endpoint: E, response: unknown): ResponseOf<E> {
  const parsed = endpoint.response.parse(response)
  deepStrictEqual(
    response,
    parsed,
    `${endpoint.method} ${endpoint.path} has fields that its contract does not name`,
  )
  return parsed as ResponseOf<E>
}

let lastAccount = 5_000_000n
/** A steam id that no other test of this run uses. */
export function nextSteamId(): string {
  lastAccount += 1n
  return String(76561197960265728n + lastAccount)
}

/** A player on Steam with default values. */
export function newPlayer(steamid: string): Player {
  return {
    steamid,
    personaname: `Player ${steamid.slice(-4)}`,
    personastate: 1,
    gamesPrivate: false,
    friendsPrivate: false,
    profilePrivate: false,
    playtimePrivate: false,
    games: [],
    friends: [],
  }
}
