/**
 * OPS-41: the previous release and this one serve one database during an upgrade (docs/operate/upgrade.md). Skipped with a
 * warning where the history does not have the previous release.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { friendsContract } from '#shared/contract/friends.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import { libraryContract } from '#shared/contract/library.ts'
import { nightsContract } from '#shared/contract/nights.ts'
import { startSimulator } from '../../src/simulator/simulator.ts'
import { freshDatabaseOptions } from '../support/databases.ts'
import { previousRelease } from '../support/previous-release.ts'
import { startProcess } from '../support/process.ts'
import { makeCalls, newPlayer, nextSteamId } from '../support/product.ts'
import { startReverseProxy } from '../support/reverse-proxy.ts'
import { signInAt } from '../support/sign-in.ts'

const KEY = 'test-key-0123456789ABCDEF'
const ROUNDS = 10
/** Between the rounds of a person, so that they stay below their limit of requests. */
const BETWEEN_ROUNDS_MS = 20

const release = previousRelease()
const folder = 'folder' in release ? release.folder : undefined
if ('missing' in release) console.warn(`rolling-upgrade.test.ts: ${release.missing}, skipped`)
afterAll(() => folder && rmSync(folder, { recursive: true, force: true }))

const TIMEOUT = { timeout: 300_000 }
test.skipIf(!folder)('OPS-41: an upgrade loses no request and shows nothing stale', TIMEOUT, async () => {
  const { drop, ...place } = await freshDatabaseOptions('postgres')
  const ids = Array.from({ length: 4 }, nextSteamId)
  const games = [{ appid: 620, minutes: 90, recentMinutes: 0, lastPlayed: 1_700_000_000 }]
  const players = ids.map((id) => ({ ...newPlayer(id), games }))
  const apps = [{ appid: 620, name: 'Portal 2', iconHash: '', kind: 0, categories: [] }]
  const simulator = await startSimulator({ world: { players, apps }, apiKey: KEY })
  for (const id of ids.slice(1)) simulator.befriend(ids[0]!, id)

  const servers: Record<string, Awaited<ReturnType<typeof startProcess>>> = {}
  const rules = { responds: new Map<string, number>(), upstreams: ['old'], tryMs: 10_000 }
  const proxy = await startReverseProxy({
    rules,
    addressOf: (name) => `http://127.0.0.1:${servers[name]!.port}`,
  })
  const env = {
    PUBLIC_URL: proxy.url,
    TRUST_PROXY: '127.0.0.1',
    DATABASE_URL: place.databaseUrl!,
    DATA_DIR: place.dataDir,
    STEAM_API_KEY: KEY,
    STEAM_API_URL: simulator.apiUrl,
    STEAM_OPENID_URL: simulator.openidUrl,
  }
  const database = new pg.Client(place.databaseUrl)
  onTestFinished(async () => {
    await proxy.close()
    for (const { child, exit } of Object.values(servers)) {
      child.kill('SIGKILL')
      await exit
    }
    await database.end()
    await simulator.close()
    await drop()
  })

  servers.old = await startProcess(env, { main: join(folder!, 'src/server/main.ts') })
  await database.connect()
  const tokens: string[] = []
  for (const id of ids) tokens.push(await signInAt(proxy.url, simulator, id))
  const people = tokens.map((token, nth) => ({ id: ids[nth]!, ...makeCalls(proxy.url, token) }))
  const [ada, bob] = [people[0]!, people[1]!]
  const friendCount = async () =>
    (await ada.call(friendsContract.friendsCached, { steamId: ada.id })).friends.length
  await expect.poll(friendCount).toBe(3)
  await expect
    .poll(async () => (await bob.call(libraryContract.games, { steamId: bob.id })).games.length)
    .toBe(1)
  const created = await ada.call(groupsContract.create, {}, { name: 'Friday', owner_steam_id: ada.id })
  const group = { id: created.group_id }
  await ada.call(groupsContract.addMembers, group, { steam_ids: ids.slice(1) })
  await bob.call(groupsContract.join, group)
  const night = { id: (await ada.call(nightsContract.start, {}, { group_id: group.id })).night_id }

  /** What a person reads directly from each server that is in use. */
  const inUse = new Set(['old'])
  const fromEach = <Value>(nth: number, read: (calls: ReturnType<typeof makeCalls>) => Promise<Value>) =>
    Promise.all([...inUse].map((name) => read(makeCalls(servers[name]!.url, tokens[nth]))))

  // Each writes through the proxy, and then reads from every server. A call that is not a success throws.
  let rounds = 0
  let isDone = false
  const loops = [
    async (round: number) => {
      const name = `Friday ${round}`
      await ada.call(groupsContract.rename, group, { name })
      const read = await fromEach(0, (calls) => calls.call(groupsContract.read, group))
      for (const each of read) expect(each.name).toBe(name)
      expect((await ada.call(groupsContract.read, group)).name).toBe(name)
    },
    async (round: number) => {
      const word = `round ${round}`
      await bob.call(nightsContract.answer, night, { answer: round % 2 ? 'in' : 'maybe', word })
      const read = await fromEach(0, (calls) => calls.call(nightsContract.read, night))
      for (const { people: asked } of read)
        expect(asked.find(({ steam_id }) => steam_id === bob.id)?.word).toBe(word)
    },
    async (round: number) => {
      // Signs in with one server, and is signed out with another.
      const token = await signInAt(proxy.url, simulator, ids[2 + (round % 2)]!)
      const calls = makeCalls(proxy.url, token)
      await calls.call(libraryContract.games, { steamId: ids[2 + (round % 2)]! })
      expect((await calls.request('/auth/logout', { method: 'POST' })).status).toBe(204)
      for (const name of inUse)
        expect((await makeCalls(servers[name]!.url, token).request('/api/groups/1')).status).toBe(401)
    },
    async () => {
      const read = await fromEach(0, (calls) => calls.call(groupsContract.sharedGames, group))
      for (const [game] of read) expect(game).toMatchObject({ name: 'Portal 2' })
      expect(await friendCount()).toBe(3)
    },
  ]
  const failures: unknown[] = []
  const running = loops.map(async (loop, nth) => {
    for (let round = 1; !isDone; round++) {
      await loop(round).catch((error: unknown) => failures.push(error))
      if (nth < 2) rounds++
      await pause(BETWEEN_ROUNDS_MS)
    }
  })
  /** Waits until everyone has written and read for a while. */
  const serve = async () => {
    const before = rounds
    await expect.poll(() => rounds, { timeout: 60_000 }).toBeGreaterThan(before + 2 * ROUNDS)
    expect(failures).toEqual([])
  }

  await serve()
  const next = await startProcess(env).catch((error: Error) => error)
  if (next instanceof Error) {
    // This release has a step that the previous one cannot go on beside; it says so, and nothing has changed.
    expect(next.message).toMatch(
      /Servers that use the database cannot go on beside a migration of this version/,
    )
    await serve()
    servers.old.child.kill('SIGTERM')
    isDone = true
    await Promise.allSettled(running)
    return
  }
  servers.new = next
  inUse.add('new')
  rules.upstreams = ['old', 'new']
  await serve()
  expect(new Set(proxy.served.slice(-20))).toEqual(new Set(['old', 'new']))

  // As docs/operate/upgrade.md says: the proxy sends it nothing new, and then it is stopped.
  rules.upstreams = ['new']
  inUse.delete('old')
  await serve()
  servers.old.child.kill('SIGTERM')
  expect(await servers.old.exit).toBe(0)
  await serve()
  isDone = true
  await Promise.all(running)
  expect(failures).toEqual([])

  // Nothing unexpected happened on either, and each signs off when it is stopped.
  for (const { output } of Object.values(servers)) expect(output()).not.toMatch(/"level":50/)
  servers.new.child.kill('SIGTERM')
  expect(await servers.new.exit).toBe(0)
  const { rows } = await database.query<{ stopped_at: string | null }>(
    'SELECT stopped_at FROM servers ORDER BY started_at',
  )
  expect(rows.map(({ stopped_at }) => stopped_at !== null)).toEqual([true, true])
})
