/** OPS-13: a database records whether it is for demo mode or Steam. */
import { createHash } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LOCK_FILE, SQLITE_FILE } from '../../src/server/database/open.ts'
import { engines, newPlayer, nextSteamId } from '../support/app.ts'
import { freshOptions } from '../support/databases.ts'
import { startSteam } from '../support/empty-steam.ts'
import { freePort } from '../support/postgres.ts'
import { runProcess, startProcess } from '../support/process.ts'
import { signInAt } from '../support/sign-in.ts'

const KEY = 'mode-key-ABCDEF0123456789'

/** Starts the server and stops it again, cleanly. */
async function startAndStop(env: Record<string, string>): Promise<void> {
  const server = await startProcess(env)
  expect(await server.stop()).toBe(0)
}

/** All files in a folder, by name, with a hash of their bytes. */
function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true }) as string[]
  return Object.fromEntries(
    names.sort().map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  )
}

/** Every table of a schema with its rows, as text. */
async function tablesAt(address: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1',
    )
    const found: Record<string, string> = {}
    for (const { name } of rows)
      found[name] = JSON.stringify((await client.query(`SELECT * FROM ${name} ORDER BY 1`)).rows)
    return found
  } finally {
    await client.end()
  }
}

describe.each(engines)('on %s', (engine) => {
  const snapshot = async (place: { dataDir: string; databaseUrl?: string | undefined }) => ({
    files: contentOf(place.dataDir),
    tables: place.databaseUrl === undefined ? {} : await tablesAt(place.databaseUrl),
  })

  test('OPS-13: without the key a database of Steam is refused in one sentence and not changed', async () => {
    const place = await freshOptions(engine)
    const env: Record<string, string> = place.env
    const { simulator, steam } = await startSteam()
    const platform = {
      ...env,
      ...steam,
    }
    const steamId = nextSteamId()
    simulator.addPlayer(newPlayer(steamId))
    const server = await startProcess(platform)
    const token = await signInAt(server.url, simulator, steamId)
    await server.stop()

    const before = await snapshot(place)
    const { code, output } = await runProcess({ ...env, PORT: String(await freePort()) })
    expect(code).toBe(1)
    expect(output.trim()).toMatch(
      /^STEAM_API_KEY is not set, but the database .* holds players from Steam;[^\n]*\.$/,
    )
    expect(await snapshot(place)).toEqual(before)

    const again = await startProcess(platform)
    onTestFinished(async () => {
      await again.stop()
    })
    const games = await fetch(`${again.url}/api/users/${steamId}/games`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(games.status).toBe(200)
  })

  test('OPS-13: with a key a database of the demo is refused', async () => {
    const place = await freshOptions(engine)
    const env: Record<string, string> = place.env
    await startAndStop(env)
    const before = await snapshot(place)
    const { code, output } = await runProcess({
      ...env,
      PORT: String(await freePort()),
      STEAM_API_KEY: KEY,
    })
    expect(code).toBe(1)
    expect(output.trim()).toMatch(
      /^STEAM_API_KEY is set, but the database .* the invented players of the demo;[^\n]*\.$/,
    )
    expect(await snapshot(place)).toEqual(before)
    await startAndStop(env)
  })
})

test('OPS-20: files are readable only by their owner, also in an existing folder', async () => {
  const place = await freshOptions('sqlite')
  const { env } = place
  chmodSync(place.dataDir, 0o755)
  const backups = join(place.dataDir, 'backups')

  const server = await startProcess(env)
  const modes = (folder: string) =>
    Object.fromEntries(
      readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
    )
  expect(modes(place.dataDir)).toEqual({
    [LOCK_FILE]: '600',
    [SQLITE_FILE]: '600',
    [`${SQLITE_FILE}-shm`]: '600',
    [`${SQLITE_FILE}-wal`]: '600',
  })
  const script = join(import.meta.dirname, '../../scripts/backup.mjs')
  const { status } = spawnSync(process.execPath, [script], { env: { PATH: process.env.PATH, ...env } })
  expect(status).toBe(0)
  expect(Object.values(modes(backups))).toEqual(['600'])
  expect(await server.stop()).toBe(0)
  expect(modes(place.dataDir)).toEqual({ backups: '700', [LOCK_FILE]: '600', [SQLITE_FILE]: '600' })
})
