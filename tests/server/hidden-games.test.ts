/**
 * Hidden games (VIS-4 to VIS-8): for everyone but their owner, a library with hidden games is the library without
 * them. Two servers are compared: on one the owner hides games, on the other the owner does not have them.
 */
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { HIDDEN_GAMES_MAX } from '#shared/limits.ts'
import type { OwnedGame } from '../../src/simulator/world.ts'
import { api, engines, newPlayer, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'

const HOUR = 60 * 60_000
const START = Date.UTC(2026, 10, 1)
const ids = { owner: '76561197961000001', friend: '76561197961000002', fellow: '76561197961000003' }
const OUTSIDER = '76561197961000004'
const POOL = Array.from({ length: 12 }, (_, n) => 500_001 + n)
/** Not in anyone's library. */
const UNOWNED = 500_999

type World = Awaited<ReturnType<typeof createWorld>>

/** A server whose clock and people are the same in every world. */
async function createWorld(engine: (typeof engines)[number]) {
  let now = START
  const app = await startTestApp({ engine, lasting: true, clock: () => now })
  for (const [n, appid] of POOL.entries())
    // Every second game is one for several players, for near misses.
    app.simulator.addApp({
      appid,
      name: `Game ${n}`,
      iconHash: '',
      kind: 0,
      categories: n % 2 === 0 ? [2, 38] : [2],
    })
  const everything = Object.fromEntries(POOL.map((appid) => [appid, appid % 7]))
  // Someone unconnected has all games, so that the catalogue is the same.
  await app.player({ steamId: OUTSIDER, games: everything })
  while ((await app.deps.catalogue.readStoreDetails()) > 0);
  const owner = await app.player({ steamId: ids.owner, name: 'Ada', games: {} })
  const games = Object.fromEntries(POOL.slice(2).map((appid) => [appid, appid % 50]))
  const friend = await app.player({ steamId: ids.friend, name: 'Bob', games, friends: [owner] })
  const fellow = await app.player({ steamId: ids.fellow, name: 'Cal', games: everything, friends: [friend] })
  const { group_id } = await app.group({ owner: friend, members: [owner, fellow] })
  return { app, owner, friend, fellow, groupId: group_id, pass: (ms: number) => (now += ms) }
}

/** Everything that could tell another person about the owner's games, by name. */
const paths: Record<string, (world: World, viewer: TestPlayer) => Promise<Response>> = {
  games: (_, viewer) => viewer.request(`/api/users/${ids.owner}/games`),
  comparison: (_, viewer) => viewer.request(`/api/compare/${viewer.steam_id}/${ids.owner}`),
  friends_overlap: (_, viewer) => viewer.request(`/api/users/${viewer.steam_id}/friends_overlap`),
  shared_games: ({ groupId }, viewer) => viewer.request(`/api/groups/${groupId}/shared_games`),
  near_misses: ({ groupId }, viewer) => viewer.request(`/api/groups/${groupId}/near_misses`),
  friends_top_games: (_, viewer) => viewer.request(`/api/users/${viewer.steam_id}/friends_top_games`),
  friends: (_, viewer) => viewer.request(`/api/users/${viewer.steam_id}/friends`),
  friends_cached: (_, viewer) => viewer.request(`/api/users/${viewer.steam_id}/friends_cached`),
  activity: (_, viewer) => viewer.request(`/api/users/${viewer.steam_id}/activity`),
  fetch_games: (_, viewer) => viewer.request(`/api/users/${ids.owner}/fetch_games`, { method: 'POST' }),
  sync_group_games: (_, viewer) =>
    viewer.request('/api/sync_group_games', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ steam_ids: [ids.owner, viewer.steam_id] }),
    }),
  // Has the number of games that each sync found.
  export: (_, viewer) => viewer.request(`/api/users/${viewer.steam_id}/export`),
  ...Object.fromEntries(
    [...POOL, UNOWNED].flatMap((appid) => [
      [
        `friends who own ${appid}`,
        (_: World, viewer: TestPlayer) =>
          viewer.request(`/api/users/${viewer.steam_id}/games/${appid}/friends`),
      ],
      [
        `page of ${appid}`,
        (_: World, viewer: TestPlayer) => viewer.request(`/api/users/${viewer.steam_id}/games/${appid}`),
      ],
    ]),
  ),
  // Reveal nothing about games, hidden ones included.
  members: ({ groupId }, viewer) => viewer.request(`/api/groups/${groupId}/members`),
  summary: (_, viewer) => viewer.request(`/api/users/${ids.owner}/summary_local`),
  sync_status: (_, viewer) => viewer.request(`/api/users/${viewer.steam_id}/sync_status`),
}
const silent = ['members', 'summary', 'sync_status']

/** The whole response of each path to each other person. */
async function observe(world: World): Promise<Record<string, string>> {
  const seen: Record<string, string> = {}
  for (const [name, send] of Object.entries(paths))
    for (const viewer of [world.friend, world.fellow]) {
      const response = await send(world, viewer)
      const body = (await response.text())
        .replaceAll(/http:\/\/[\w.]+:\d+/g, 'http://simulator')
        // Written in intervals of real time.
        .replaceAll(/"(?:last_used|expires)_at":"[^"]+"/g, '')
      seen[`${name} to ${viewer === world.friend ? 'friend' : 'fellow'}`] = [response.status, body].join(' ')
    }
  return seen
}

type Case = {
  before: OwnedGame[]
  after: OwnedGame[]
  hidden: number[]
  playing: number | undefined
}

const gameOf = (appid: number, minutes: number): OwnedGame => ({
  appid,
  minutes,
  recentMinutes: 0,
  lastPlayed: 0,
})

/** The owner has these games, and a sync later those; everything of earlier cases is gone. */
async function live(world: World, { before, after, hidden, playing }: Case): Promise<void> {
  const { app, owner, friend, fellow, pass } = world
  const { queries } = app.database
  await queries.deleteFrom('library_changes').execute()
  await app.write((tx) => tx.deleteFrom('libraries').where('steam_id', '=', owner.steam_id).execute())
  for (const gameId of [...POOL, UNOWNED]) await owner.call(api.privacy.unhideGame, { ...owner.user, gameId })
  for (const gameId of hidden) await owner.call(api.privacy.hideGame, { ...owner.user, gameId })
  app.simulator.addPlayer({
    ...newPlayer(owner.steam_id),
    personaname: 'Ada',
    games: before,
    ...(playing !== undefined && { playing }),
  })
  app.simulator.befriend(friend.steam_id, owner.steam_id)
  pass(24 * HOUR)
  await app.deps.sync.syncGames(owner.steam_id, owner.steam_id)
  // Fills the caches.
  await observe(world)
  app.simulator.setGames(owner.steam_id, after)
  pass(HOUR)
  await app.deps.sync.syncGames(owner.steam_id, owner.steam_id)
  for (const viewer of [friend, fellow]) await app.deps.sync.syncFriends(viewer.steam_id)
  await queries.deleteFrom('syncs').execute()
}

const arbitraryGames = fc
  .uniqueArray(
    fc.record({
      appid: fc.constantFrom(...POOL),
      minutes: fc.constantFrom(0, 0, 1, 60, 100_000),
      recentMinutes: fc.constantFrom(0, 30),
      lastPlayed: fc.constantFrom(0, 1_700_000_000),
    }),
    { selector: (game) => game.appid },
  )
  .map((games) => games.toSorted((a, b) => a.appid - b.appid))
const arbitraryCase: fc.Arbitrary<Case> = fc.record({
  before: arbitraryGames,
  after: arbitraryGames,
  hidden: fc.uniqueArray(fc.constantFrom(...POOL, UNOWNED), { minLength: 1 }),
  playing: fc.option(fc.constantFrom(...POOL), { nil: undefined }),
})

/** The only minutes before are of a hidden game: without it the playtimes may have been private (PLAT-14). */
const onlyHiddenMinutes: Case = {
  before: [gameOf(500_001, 60), gameOf(500_002, 0)],
  after: [gameOf(500_001, 60), gameOf(500_002, 30)],
  hidden: [500_001],
  playing: undefined,
}

/** The same life of an owner who never had the hidden games. */
function withoutHidden({ before, after, hidden, playing }: Case): Case {
  const kept = (games: OwnedGame[]) => games.filter((game) => !hidden.includes(game.appid))
  const plays = playing !== undefined && !hidden.includes(playing) ? playing : undefined
  return { before: kept(before), after: kept(after), hidden: [], playing: plays }
}

describe.each(engines)('on %s', (engine) => {
  let started: Promise<[World, World]> | undefined
  const worlds = () => (started ??= Promise.all([createWorld(engine), createWorld(engine)]))
  afterAll(async () => {
    for (const { app } of (await started) ?? []) await app.close()
  })

  test('VIS-8: others see what they would see if the owner did not have the hidden games', async () => {
    const [hiding, lacking] = await worlds()
    await fc.assert(
      fc.asyncProperty(arbitraryCase, async (life) => {
        await live(hiding, life)
        await live(lacking, withoutHidden(life))
        expect(await observe(hiding)).toEqual(await observe(lacking))
      }),
      // The engines store the same rows; what is hidden is decided above them.
      { numRuns: engine === 'sqlite' ? 10 : 3, endOnFailure: true, examples: [[onlyHiddenMinutes]] },
    )
  }, 240_000)

  test('VIS-8: each of these paths tells of a game that is not hidden', async () => {
    const [showing, lacking] = await worlds()
    const [told, untold] = [500_003, 500_005]
    const games = [told, untold].map((appid) => ({
      appid,
      minutes: 1000,
      recentMinutes: 30,
      lastPlayed: 0,
    }))
    const life: Case = { before: games.slice(1), after: games, hidden: [], playing: told }
    await live(showing, life)
    await live(lacking, withoutHidden({ ...life, hidden: [told] }))
    const [shown, lacked] = [await observe(showing), await observe(lacking)]
    const telling = Object.keys(paths).filter(
      (name) => shown[`${name} to friend`] !== lacked[`${name} to friend`],
    )
    const isOfOtherGame = (name: string) => /\d{6}$/.test(name) && !name.endsWith(String(told))
    const expected = Object.keys(paths).filter((name) => !silent.includes(name) && !isOfOtherGame(name))
    expect(telling).toEqual(expected)
  }, 120_000)
})

const gamesSeen = async (viewer: TestPlayer, steamId: string) => {
  const { games, hidden } = await viewer.call(api.library.games, { steamId })
  return { names: games.map((game) => game.name), hidden }
}
const hide = (owner: TestPlayer, gameId: number) =>
  owner.call(api.privacy.hideGame, { ...owner.user, gameId })
const unhide = (owner: TestPlayer, gameId: number) =>
  owner.call(api.privacy.unhideGame, { ...owner.user, gameId })

async function friends(app: TestApp) {
  const ada = await app.player({ name: 'Ada', games: { Portal: 60, Rust: 5 } })
  const bob = await app.player({ games: { Portal: 1, Rust: 1 }, friends: [ada] })
  return { ada, bob, portal: app.appidOf('Portal') }
}

describe.each(engines)('hiding a game on %s', (engine) => {
  test('VIS-6: leaves the library of its owner whole, and takes effect with the next request on every server', async () => {
    const app = await startTestApp({ engine })
    const { ada, bob, portal } = await friends(app)
    const other = await startTestApp({ engine, besides: app })
    const bobThere = { ...bob, ...other.callsOf(bob.token) }
    const whole = ['Portal', 'Rust']
    for (const viewer of [bob, bobThere])
      expect(await gamesSeen(viewer, ada.steam_id)).toEqual({ names: whole, hidden: [] })

    await hide(ada, portal)
    await hide(ada, portal)
    for (const viewer of [bob, bobThere])
      expect(await gamesSeen(viewer, ada.steam_id)).toEqual({ names: ['Rust'], hidden: [] })
    expect(await gamesSeen(ada, ada.steam_id)).toEqual({ names: whole, hidden: [portal] })
    expect(await ada.call(api.library.totalPlaytime, ada.user)).toEqual({
      total_playtime_minutes: 65,
    })
    expect(await ada.call(api.library.gamePlaytime, { ...ada.user, gameId: portal })).toMatchObject({
      playtime_minutes: 60,
    })
    expect((await ada.call(api.library.fetchGames, ada.user)).game_count).toBe(2)
    // Bob's own games are his, whatever Ada hides.
    expect(await ada.call(api.friends.topGames, ada.user)).toEqual([])

    await unhide(ada, portal)
    await unhide(ada, portal)
    for (const viewer of [bob, bobThere])
      expect(await gamesSeen(viewer, ada.steam_id)).toEqual({ names: whole, hidden: [] })
    expect(await gamesSeen(ada, ada.steam_id)).toEqual({ names: whole, hidden: [] })
  })

  test('VIS-8: counts in the shared games of its owner, and in no one else’s', async () => {
    const app = await startTestApp({ engine })
    const { ada, bob, portal } = await friends(app)
    const { group_id: id } = await app.group({ owner: bob, members: [ada] })
    await hide(ada, portal)
    const shared = async (viewer: TestPlayer) =>
      (await viewer.call(api.groups.sharedGames, { id })).map((game) => [game.name, game.playtimes])
    const rust = ['Rust', { [ada.steam_id]: 5, [bob.steam_id]: 1 }]
    expect(await shared(ada)).toEqual([['Portal', { [ada.steam_id]: 60, [bob.steam_id]: 1 }], rust])
    expect(await shared(bob)).toEqual([rust])
  })

  test('LIM-43: is possible for 1,000 games, also ones not owned, even by concurrent requests; a further one is refused', async () => {
    const app = await startTestApp({ engine })
    const { ada } = await friends(app)
    const first = Array.from({ length: HIDDEN_GAMES_MAX - 5 }, (_, n) => 2 * n + 1)
    await app.write((tx) =>
      tx
        .updateTable('people')
        .set({ hidden_appids: first.join(',') })
        .where('steam_id', '=', ada.steam_id)
        .execute(),
    )
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        ada.attempt(api.privacy.hideGame, { ...ada.user, gameId: 4_294_967_295 - n }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(5).fill(204),
      ...Array<number>(7).fill(409),
    ])
    expect(await ada.refused(api.privacy.hideGame, { ...ada.user, gameId: 2 })).toMatchObject({
      status: 409,
      code: 'too_many_hidden_games',
      error: expect.stringContaining('1,000') as string,
    })
    // One that is hidden already is no further one.
    await hide(ada, 1)
    const { hidden } = await gamesSeen(ada, ada.steam_id)
    expect(hidden).toHaveLength(HIDDEN_GAMES_MAX)
    expect(hidden).toEqual(hidden.toSorted((a, b) => a - b))
  })

  test('VIS-4: hides which game is being played, also one whose appid is unknown, while any is hidden', async () => {
    const app = await startTestApp({ engine })
    const { ada, bob, portal } = await friends(app)
    const played = async (playing: string | null, playing_appid: number | null) => {
      await app.write((tx) =>
        tx
          .updateTable('people')
          .set({ playing, playing_appid })
          .where('steam_id', '=', ada.steam_id)
          .execute(),
      )
      const list = await bob.call(api.friends.friendsCached, bob.user)
      return [list.friends[0]!.playing, list.friends[0]!.playing_appid]
    }
    expect(await played('Mod', null)).toEqual(['Mod', null])
    await hide(ada, portal)
    expect(await played('Portal', portal)).toEqual([null, null])
    expect(await played('Rust', portal + 1)).toEqual(['Rust', portal + 1])
    expect(await played('Portal', null)).toEqual([null, null])
  })
})
