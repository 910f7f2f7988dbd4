/** OPS-1 to OPS-18, with the server as a separate process. */
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newPlayer, nextSteamId } from '../support/app.ts'
import { citusUrl } from '../support/citus.ts'
import { freshOptions } from '../support/databases.ts'
import { startSteam } from '../support/empty-steam.ts'
import { freePort } from '../support/postgres.ts'
import { runProcess, startProcess } from '../support/process.ts'
import { signInAt } from '../support/sign-in.ts'

const KEY = 'process-key-ABCDEF0123456789'

const place = async () => (await freshOptions('sqlite')).dataDir

test.each<[env: Record<string, string>, sentence: RegExp]>([
  [{ PORT: 'eighty' }, /^PORT is "eighty", but it must be a whole number from 1 to 65535\.$/],
  [
    { OPERATORS: '76561197960265730' },
    /^OPERATORS is "76561197960265730", but it must be unset without STEAM_API_KEY\.$/,
  ],
  ...['/proc/nowhere', '/proc/nowhere/deeper', '/dev/null/data'].map(
    (folder): [{ DATA_DIR: string }, RegExp] => [
      { DATA_DIR: folder },
      new RegExp(
        `^DATA_DIR is "${folder}", but it must be a folder that this user may write to \\([A-Z]+: [^()]+\\)\\.$`,
      ),
    ],
  ),
])('OPS-12, OPER-1: %j is refused in one sentence that names the variable', async (env, sentence) => {
  const given = { DATA_DIR: await place(), PORT: String(await freePort()), ...env }
  const { code, output } = await runProcess(given)
  expect([code, output.trim()]).toEqual([1, expect.stringMatching(sentence)])
})

test('a port in use is named, with how to choose another', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void other.close())
  const { code, output } = await runProcess({
    PORT: String(port),
    DATA_DIR: await place(),
    STEAM_API_KEY: KEY,
  })
  expect(code).toBe(1)
  expect(output.trim()).toContain(`PORT ${port} is in use`)
  expect(output).toContain(`PORT=${port + 1} npm start`)
})

test('OPS-1, DEMO-1: without a key the server starts in demo mode and prints its URL, mode and data folder', async () => {
  const dataDir = await place()
  const server = await startProcess({ DATA_DIR: dataDir })
  expect(server.output()).toContain(`ready at ${server.url}`)
  expect(server.output()).toContain('demo')
  expect(server.output()).toContain(dataDir)
  expect(server.output()).not.toContain('Unprotected demo')
  expect(await server.stop()).toBe(0)
})

test('DEMO-15: a demo that other machines can reach warns at its start, in one line, unless it is public', async () => {
  for (const [env, lines] of [
    [{}, 1],
    [{ DEMO: 'public' }, 0],
  ] as const) {
    const server = await startProcess({
      DATA_DIR: await place(),
      PUBLIC_URL: 'https://demo.example.org',
      ...env,
    })
    await server.stop()
    const warnings = server.output().match(/^.*"level":40.*Unprotected demo: everyone .+$/gm) ?? []
    expect(warnings).toHaveLength(lines)
  }
})

test('OPS-45: with a key and the default address, or another one of this machine alone, the start warns that Steam refuses it', async () => {
  for (const [publicUrl, lines] of [
    [undefined, 1],
    ['http://127.0.0.1:4000', 1],
    ['http://192.168.1.20:3000', 0],
  ] as const) {
    const server = await startProcess({
      DATA_DIR: await place(),
      STEAM_API_KEY: KEY,
      ...(publicUrl !== undefined && { PUBLIC_URL: publicUrl }),
    })
    await server.stop()
    const warnings = server.output().match(/^.*"level":40.*Steam signs nobody in.*PUBLIC_URL.*$/gm) ?? []
    expect(warnings).toHaveLength(lines)
  }
})

/** A server on which a sync is running, held by Steam until released. */
async function serverWithRunningSync(limits: Parameters<typeof startProcess>[1] = {}) {
  const { simulator, steam } = await startSteam()
  const server = await startProcess(
    {
      DATA_DIR: await place(),
      ...steam,
    },
    limits,
  )
  const steamId = nextSteamId()
  simulator.addPlayer(newPlayer(steamId))
  const token = await signInAt(server.url, simulator, steamId)
  const headers = { authorization: `Bearer ${token}` }
  const status = `${server.url}/api/users/${steamId}/sync_status`
  const readAtFirst = async () =>
    ((await (await fetch(status, { headers })).json()) as { friends: { reading: boolean } }).friends.reading
  await expect.poll(readAtFirst).toBe(false)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  simulator.fail({ endpoint: 'GetFriendList', kind: 'held', until: held })
  simulator.clearCalls()
  const sync = fetch(`${server.url}/api/users/${steamId}/sync_friends`, {
    method: 'POST',
    headers: { ...headers, connection: 'close' },
  })
  await expect.poll(() => simulator.callsTo('GetFriendList').length).toBe(1)

  const connects = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: Number(server.port) })
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  return { server, sync, release, connects }
}

test('OPS-18: SIGTERM: new connections are refused at once, what runs is answered, and the exit is 0', async () => {
  const { server, sync, release, connects } = await serverWithRunningSync()
  server.child.kill('SIGTERM')
  await expect.poll(connects).toBe(false)
  // Of none of the sockets that the server listens at.
  expect(await Promise.all(Array.from({ length: 50 }, connects))).toEqual(Array(50).fill(false))
  release()
  expect((await sync).status).toBe(200)
  expect(await server.exit).toBe(0)
})

test('OPS-18: SIGTERM: what waits for PostgreSQL is answered too, on whatever socket it came', async () => {
  const { dataDir, databaseUrl } = await freshOptions('postgres')
  const { simulator, steam } = await startSteam()
  const server = await startProcess({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl!, ...steam })
  const steamId = nextSteamId()
  simulator.addPlayer(newPlayer(steamId))
  const token = await signInAt(server.url, simulator, steamId)
  const send = (method: string, path: string, body: object) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: JSON.stringify(body),
    })
  const created = await send('POST', '/api/groups', { name: 'Friday', owner_steam_id: steamId })
  const { group_id } = (await created.json()) as { group_id: number }
  const { night_id } = (await (await send('POST', '/api/nights', { group_id })).json()) as {
    night_id: number
  }
  const holder = new Client({ connectionString: databaseUrl })
  onTestFinished(() => holder.end())
  await holder.connect()
  await holder.query('BEGIN; LOCK TABLE nights IN EXCLUSIVE MODE')
  // Each of them has more to read when it has the lock.
  const answers = Array.from({ length: 2 }, () =>
    send('PUT', `/api/nights/${night_id}/answer`, { answer: 'maybe' }).then(
      ({ status }) => status,
      (error: Error) => error.message,
    ),
  )
  const waiting = async () =>
    (
      await holder.query(
        'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
      )
    ).rows.length
  // On several machines one of them has locked the name of the night, and the other waits for it.
  await expect.poll(waiting).toBe(citusUrl === undefined ? 2 : 1)
  server.child.kill('SIGTERM')
  await expect.poll(() => fetch(`${server.url}/healthz`).catch(() => 'refused')).toBe('refused')
  await holder.query('COMMIT')
  expect(await Promise.all(answers)).toEqual([200, 200])
  expect(await server.exit).toBe(0)
})

/** A terminal sends Ctrl-C to the whole process group, so the server gets it twice: itself, and from the starting script. */
const SIGNALS = [
  ['SIGINT', 'to the process group of npm start', -1],
  ['SIGTERM', 'to the process group of npm start', -1],
  ['SIGHUP', 'to the process group of npm start', -1],
  ['SIGTERM', 'to npm start alone', 1],
] as const
test.each(SIGNALS)('OPS-18: %s %s: what runs ends', { timeout: 120_000 }, async (signal, _to, group) => {
  const { server, sync, release, connects } = await serverWithRunningSync({ npm: true })
  process.kill(group * server.child.pid!, signal)
  await expect.poll(connects).toBe(false)
  release()
  expect((await sync).status).toBe(200)
  await server.exit
})
