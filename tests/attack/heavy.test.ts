/** Responses of megabytes have a maximum size, and one account that requests many does not delay others. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { gameListMax } from '#shared/limits.ts'
import { libraryFrom } from '../../src/server/library/library.ts'
import { packLibrary } from '../../src/server/library/packed.ts'
import { engines, nextSteamId, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { writeRows } from '../support/rows.ts'

const MEMBERS = 100
const GAMES = 2500
const MEGABYTE = 1_000_000

type Shared = { appid: number; total_playtime: number; playtimes: Record<string, number> }[]

describe.each(engines)('a group of a hundred with thousands of common games (%s)', (engine) => {
  let app: TestApp
  let eve: TestPlayer
  let ada: TestPlayer
  let path: string
  beforeAll(async () => {
    app = await startTestApp({ engine, lasting: true })
    const games = Object.fromEntries(Array.from({ length: GAMES }, (_, n) => [String(10 + 10 * n), n * 7]))
    eve = await app.player({ games })
    ada = await app.player({ games: { Portal: 60 } })
    const { group_id } = await app.group({ owner: eve })
    await addMembers(app, group_id, MEMBERS - 1)
    path = `/api/groups/${group_id}/shared_games`
    return () => app.close()
  }, 60_000)

  test('LIM-23: has the first of them, below 5 MB', async () => {
    const response = await eve.request(path)
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text.length).toBeLessThan(5 * MEGABYTE)
    expect(text.length).toBeGreaterThan(2 * MEGABYTE)
    const shared = JSON.parse(text) as Shared
    expect(shared.length).toBe(gameListMax(MEMBERS))
    for (const [index, { total_playtime, playtimes }] of shared.entries()) {
      expect(total_playtime).toBeLessThanOrEqual(shared[index - 1]?.total_playtime ?? Infinity)
      expect(Object.keys(playtimes)).toHaveLength(MEMBERS)
      expect(Object.values(playtimes).reduce((sum, minutes) => sum + minutes)).toBe(total_playtime)
    }
    expect(new Set(shared.map(({ appid }) => appid)).size).toBe(shared.length)
  })

  /**
   * Opens a connection; the returned function sends a request on it and returns when the whole response has arrived.
   */
  async function openConnection(player: TestPlayer, target: string) {
    const socket = connect(Number(new URL(app.address).port), '127.0.0.1')
    await once(socket, 'connect')
    return async () => {
      let head = ''
      socket.on('data', (chunk: Buffer) => (head ||= chunk.subarray(0, 100).toString()))
      socket.write(
        `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${player.token}\r\n\r\n`,
      )
      await once(socket, 'close')
      return { at: performance.now(), status: Number(head.slice(9, 12)) }
    }
  }

  test('LIM-22: thirty of them in parallel do not delay others', async () => {
    const heavy = []
    for (let n = 0; n < 30; n++) heavy.push(await openConnection(eve, path))
    const small = await openConnection(ada, `/api/users/${ada.steam_id}/games`)
    const started = performance.now()
    const responses = Promise.all(heavy.map((sendRequest) => sendRequest()))
    const other = await small()
    const last = Math.max(...(await responses).map(({ at }) => at))
    expect(other.status).toBe(200)
    // Those that would wait too long are refused with the time to retry.
    for (const { status } of await responses) expect([200, 429]).toContain(status)
    // Served after the one or two in progress, not after all.
    expect((other.at - started) / (last - started)).toBeLessThan(1 / 3)
  })
})

/** Adds members who own the same games, directly in the database. */
async function addMembers({ database }: TestApp, group_id: number, count: number): Promise<void> {
  const now = Date.now()
  const library = libraryFrom(
    Array.from({ length: GAMES }, (_, n) => ({
      appid: 10 + 10 * n,
      minutes: n * 3,
      recentMinutes: 0,
      lastPlayed: 1_600_000_000,
    })),
  )
  for (const steam_id of Array.from({ length: count }, nextSteamId)) {
    await writeRows(database, (tx) =>
      tx
        .insertInto('people')
        .values({
          steam_id,
          display_name: steam_id,
          avatar_url: null,
          personastate: 0,
          playing: null,
          profile_at: now,
          friends_status: 'ok',
          friends_at: now,
          signed_in_at: now,
          library_visibility: 'connected',
        })
        .execute(),
    )
    await writeRows(database, (tx) =>
      tx
        .insertInto('libraries')
        .values({
          steam_id,
          version: 1,
          status: 'ok',
          packed: packLibrary(library),
          game_count: GAMES,
          total_minutes: 1,
          synced_at: now,
          checked_at: now,
        })
        .execute(),
    )
    await writeRows(database, (tx) =>
      tx
        .insertInto('group_members')
        .values({ group_id, steam_id, added_at: now, joined_at: now, added_by: null })
        .execute(),
    )
  }
}
