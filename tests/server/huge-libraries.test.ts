/** Libraries and friend lists of any size hold nobody up (PLAT-18). */
import { expect, test } from 'vitest'
import { LIBRARY_GAMES_MAX, STEAM_FRIENDS_MAX } from '#shared/limits.ts'
import { api, engines, startTestApp } from '../support/app.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'
import { friendsOf, gamesOf, syncFriends, syncGames } from '../support/sync-calls.ts'

const SUMMARIES = JSON.stringify({ response: { players: [] } })

/** A platform on which everybody has these bodies, and a product that reads from it. */
async function begin(engine: (typeof engines)[number], bodies: { games?: string; friends?: string }) {
  const current = { ...bodies }
  const platform = await scriptedServer((response, { path }) => {
    if (path.includes('GetOwnedGames')) answer(response, 200, current.games!)
    else if (path.includes('GetFriendList')) answer(response, 200, current.friends!)
    else answer(response, 200, SUMMARIES)
  })
  const app = await startTestApp({
    engine,
    env: { STEAM_API_URL: platform.url },
    steamTiming: { backoffMs: 1 },
    oneServer: 'the event loop of one server is watched',
  })
  const player = await app.player({ synced: false })
  return { player, current }
}

const NAME = (nth: number) => `Game number ${nth} – a name of some length`

function libraryOf(count: number, { step = 10, minutes = 0 } = {}): string {
  const games = Array.from({ length: count }, (_, nth) => ({
    appid: (nth + 1) * step,
    name: NAME(nth),
    playtime_forever: nth % 3 === 0 ? nth + minutes : 0,
    img_icon_url: 'fcfb366051782b8ebf2aa297f3b746395858cb62',
    playtime_windows_forever: nth,
    playtime_mac_forever: 0,
    playtime_linux_forever: 0,
    playtime_deck_forever: 0,
    rtime_last_played: nth % 3 === 0 ? 1_700_000_000 + nth : 0,
    content_descriptorids: [2, 5],
    playtime_disconnected: 0,
  }))
  return JSON.stringify({ response: { game_count: count, games } })
}

function friendListOf(count: number): string {
  const friends = Array.from({ length: count }, (_, nth) => ({
    steamid: String(76_561_197_960_300_000n + BigInt(nth)),
    relationship: 'friend',
    friend_since: 1_600_000_000 + nth,
  }))
  return JSON.stringify({ friendslist: { friends } })
}

test.each(engines)('PLAT-18: a library of 30,000 games holds up nobody (%s)', async (engine) => {
  const { player, current } = await begin(engine, { games: libraryOf(3) })
  // What is loaded and compiled at the first sync is not what is measured.
  expect((await syncGames(player)).status).toBe(200)
  // A first read, one with other minutes in which all names are known, and one with mostly other games.
  const bodies = [libraryOf(30_000), libraryOf(30_000, { minutes: 9 }), libraryOf(30_000, { step: 7 })]
  for (const body of bodies) {
    current.games = body
    const parsing = performance.now()
    JSON.parse(body)
    const parseMs = performance.now() - parsing
    const { result, ms } = await longestTurn(() => syncGames(player))
    expect([result.status, await result.json()]).toMatchObject([200, { game_count: 30_000 }])
    // About 30 on a machine that parses it in 10; all at once would be 300.
    expect(ms).toBeLessThan(Math.max(50, 5 * parseMs))
  }
  const { games } = await player.call(api.library.games, player.user)
  expect(games).toHaveLength(30_000)
  expect(games.find(({ appid }) => appid === 70)).toMatchObject({ name: NAME(9), playtime_minutes: 9 })
})

test('PLAT-18: a large library is read as a small one is', async () => {
  const count = 2500
  const { player, current } = await begin('sqlite', { games: libraryOf(count) })
  const large = async () => (await syncGames(player), gamesOf(player))
  const stored = await large()
  expect(stored).toHaveLength(count)
  const malformed = [
    libraryOf(count).slice(0, -1),
    libraryOf(count).replace(`"game_count":${count}`, '"game_count":1'),
    libraryOf(count).replace('"appid":20,', '"appid":10,'),
    libraryOf(count).replace('"appid":20,', '"appid":"20",'),
    JSON.stringify({ response: {}, padding: libraryOf(count) }).replace('"response":{}', '"response":[]'),
  ]
  for (const body of malformed) {
    current.games = body
    expect((await syncGames(player)).status).toBe(502)
    expect(await gamesOf(player)).toEqual(stored)
  }
  current.games = JSON.stringify({ response: {}, padding: libraryOf(count) })
  expect(await (await syncGames(player)).json()).toMatchObject({ status: 'private' })
})

test.each(engines)('PLAT-18: more games or friends than anyone has are refused (%s)', async (engine) => {
  const { player, current } = await begin(engine, { games: libraryOf(3), friends: friendListOf(3) })
  await syncGames(player)
  await syncFriends(player)
  current.games = libraryOf(LIBRARY_GAMES_MAX + 1)
  current.friends = friendListOf(STEAM_FRIENDS_MAX + 1)
  expect([(await syncGames(player)).status, (await syncFriends(player)).status]).toEqual([502, 502])
  expect(await gamesOf(player)).toHaveLength(3)
  expect(await friendsOf(player)).toHaveLength(3)
  current.friends = friendListOf(STEAM_FRIENDS_MAX)
  expect((await syncFriends(player)).status).toBe(200)
  expect(await friendsOf(player)).toHaveLength(STEAM_FRIENDS_MAX)
})
