/** A log that cannot be written costs its lines and nothing else (OPS-42). */
import { once } from 'node:events'
import { appendFileSync, mkdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newPlayer, nextSteamId } from '../support/app.ts'
import { freshOptions } from '../support/databases.ts'
import { temporaryFolder } from '../support/folders.ts'
import { startSteam } from '../support/empty-steam.ts'
import { startProcess } from '../support/process.ts'
import { signInAt } from '../support/sign-in.ts'

/** A disk's size for each file, in kB; more than the database needs. */
const DISK_KB = 8000
/** Their lines are more than what waits to be written. */
const REQUESTS = 8000
const TOGETHER = 50

/** Thousands of requests on a busy machine. */
const TIMEOUT = { timeout: 300_000 }

type Line = { level: number; msg: string; lines?: number }

/** A server that logs every request, with someone signed in. */
async function begin(limits: Parameters<typeof startProcess>[1] = {}) {
  const { dataDir } = await freshOptions('sqlite')
  const { simulator, steam } = await startSteam()
  const server = await startProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'debug', ...steam }, limits)
  const steamId = nextSteamId()
  simulator.addPlayer(newPlayer(steamId))
  const headers = {
    authorization: `Bearer ${await signInAt(server.url, simulator, steamId)}`,
    'content-type': 'application/json',
  }
  const statusOf = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(server.url + path, { headers, ...init })
    await response.arrayBuffer()
    return response.status
  }
  const body = JSON.stringify({ name: 'Friday', owner_steam_id: steamId })
  return {
    server,
    /** Reads, writes and what monitors ask. */
    everything: () =>
      Promise.all([
        statusOf(`/api/users/${steamId}/groups`),
        statusOf('/api/groups', { method: 'POST', body }),
        statusOf('/healthz'),
        statusOf('/readyz'),
      ]),
    fill: async () => {
      for (let sent = 0; sent < REQUESTS; sent += TOGETHER)
        await Promise.all(Array.from({ length: TOGETHER }, () => statusOf('/healthz')))
    },
    statusOf,
  }
}
const FINE = [200, 201, 200, 200]

const linesIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
const droppedIn = (text: string) => linesIn(text).reduce((sum, { lines = 0 }) => sum + lines, 0)

test('OPS-42: a full disk: lines come again with space, and how many were dropped', TIMEOUT, async () => {
  const folder = temporaryFolder('log')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(folder, { recursive: true })
  const logFile = join(folder, 'server.log')
  const { server, everything, fill, statusOf } = await begin({ logFile, fileKilobytes: DISK_KB })
  const makeFull = () => appendFileSync(logFile, ' '.repeat(DISK_KB * 1024 - statSync(logFile).size))
  makeFull()
  await fill()
  expect(await everything()).toEqual(FINE)

  truncateSync(logFile)
  await statusOf('/healthz')
  await expect.poll(() => droppedIn(server.output())).toBeGreaterThan(0)
  const lines = linesIn(server.output())
  const written = lines.filter(({ msg }) => msg === 'responded').length
  expect(written).toBeGreaterThan(100)
  expect(written + droppedIn(server.output())).toBeGreaterThanOrEqual(REQUESTS)
  expect(lines.find(({ lines }) => lines !== undefined)).toMatchObject({
    level: 40,
    msg: 'lines of the log were dropped, because they could not be written',
  })

  makeFull()
  expect(await everything()).toEqual(FINE)
  expect(await server.stop()).toBe(0)
})

test('OPS-42: without a reader lines wait for one, and the server can end', TIMEOUT, async () => {
  const { server, everything, fill, statusOf } = await begin()
  server.child.stdout!.pause()
  await fill()
  expect(await everything()).toEqual(FINE)
  server.child.stdout!.resume()
  await expect
    .poll(async () => {
      await statusOf('/healthz')
      return droppedIn(server.output())
    })
    .toBeGreaterThan(0)

  server.child.stdout!.pause()
  await fill()
  server.child.kill('SIGTERM')
  expect(await once(server.child, 'exit')).toEqual([0, null])
})

for (const npm of [false, true])
  test(`OPS-42: the pipe of the log is closed${npm ? ', of npm start' : ''}`, TIMEOUT, async () => {
    const { server, everything, fill } = await begin({ npm })
    server.child.stdout!.destroy()
    server.child.stderr!.destroy()
    await fill()
    expect(await everything()).toEqual(FINE)
    server.child.kill('SIGTERM')
    const code = await server.exit
    if (!npm) expect(code).toBe(0)
    const isServed = () => fetch(`${server.url}/healthz`).then(Boolean, () => false)
    await expect.poll(isServed).toBe(false)
  })
