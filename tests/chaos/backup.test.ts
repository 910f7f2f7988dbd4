/** A backup made during writes, and restoring it after the database is damaged (docs/OPERATIONS.md). */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, SQLITE_FILE } from '../../src/server/database/open.ts'
import { startSimulator } from '../../src/simulator/simulator.ts'
import { freshDatabaseOptions } from '../support/databases.ts'
import { freePort } from '../support/postgres.ts'
import { runProcess, startProcess } from '../support/process.ts'
import { brokenInvariants } from './invariants.ts'
import { createLedger } from './ledger.ts'
import { lost, signInWriters, writeUntil } from './mixed-writes.ts'

const KEY = 'chaos-key-0123456789'
const BACKUP = join(import.meta.dirname, '../../scripts/backup.mjs')

function backUp(env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BACKUP], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  })
  return { status, path: stdout.trim(), stderrText: stderr.trim() }
}

async function folder(): Promise<string> {
  const { dataDir, drop } = await freshDatabaseOptions('sqlite', { onDisk: true })
  onTestFinished(drop)
  return dataDir
}

test('a backup made while people write is consistent; after damage the start names it, and it restores everything', async () => {
  const dataDir = await folder()
  const simulator = await startSimulator({ world: { players: [], apps: [] }, apiKey: KEY })
  onTestFinished(() => simulator.close())
  const env = {
    DATA_DIR: dataDir,
    STEAM_API_KEY: KEY,
    STEAM_API_URL: simulator.apiUrl,
    STEAM_OPENID_URL: simulator.openidUrl,
  }
  const server = await startProcess(env)
  onTestFinished(() => void server.child.kill('SIGKILL'))
  const ledger = createLedger()
  const target = { url: server.url, simulator }
  const writers = await signInWriters(target, ledger, 2)
  const enough = (count: number) => () => ledger.acknowledged >= count
  await Promise.all(writers.map((writer, n) => writeUntil(enough(30), target, ledger, writer, n)))
  const before = new Map(ledger.names().map((name) => [name, ledger.valueOf(name)]))

  // Other people keep writing meanwhile, in their own groups.
  const others = await signInWriters(target, createLedger(), 2)
  let done = false
  const writing = Promise.all(
    others.map((other, n) => writeUntil(() => done, target, createLedger(), other, n)),
  )
  const backup = backUp(env)
  done = true
  await writing
  expect(backup).toMatchObject({ status: 0, stderrText: '' })
  expect(backup.path).toMatch(new RegExp(`^${join(dataDir, 'backups')}/.*Z\\.sqlite$`))
  server.child.kill('SIGTERM')
  await server.exit

  const file = join(dataDir, SQLITE_FILE)
  writeFileSync(file, Buffer.alloc(64 * 1024, 'damage'))
  const { code, output } = await runProcess({ ...env, PORT: String(await freePort()) })
  expect(code).toBe(1)
  expect(output).toContain(
    `The database ${file} is damaged or not a database (file is not a database); put it aside and restore the last backup, ${backup.path} (docs/OPERATIONS.md).`,
  )

  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
  copyFileSync(backup.path, file)
  const again = await startProcess(env)
  onTestFinished(() => void again.child.kill('SIGKILL'))
  const restored = createLedger()
  for (const [name, value] of before) restored.settle(name, value!)
  expect(await lost(again.url, restored, writers, restored.names())).toEqual([])
  again.child.kill('SIGTERM')
  await again.exit
  const database = await openDatabase({ dataDir })
  onTestFinished(() => database.close())
  expect(await brokenInvariants(database)).toEqual([])
})

test('only the newest backups stay, and other files in the folder are not touched', async () => {
  const dataDir = await folder()
  await (await openDatabase({ dataDir })).close()
  const backups = join(dataDir, 'backups')
  mkdirSync(backups)
  writeFileSync(join(backups, 'before-the-move.sqlite'), 'kept by hand')
  const made = Array.from({ length: 4 }, () => backUp({ DATA_DIR: dataDir, BACKUPS_KEPT: '2' }).path)
  expect(readdirSync(backups).sort()).toEqual(
    [...made.slice(-2).map((path) => path.slice(backups.length + 1)), 'before-the-move.sqlite'].sort(),
  )
})

test('without a database, or with PostgreSQL, the script reports it and creates nothing', async () => {
  const dataDir = await folder()
  expect(backUp({ DATA_DIR: dataDir })).toMatchObject({
    status: 1,
    stderrText: expect.stringContaining('There is no database') as string,
  })
  expect(backUp({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://x@localhost/x' }).stderrText).toContain(
    'pg_dump',
  )
  expect(backUp({ DATA_DIR: dataDir, BACKUPS_KEPT: 'all' }).stderrText).toContain('BACKUPS_KEPT is "all"')
  expect(existsSync(join(dataDir, 'backups'))).toBe(false)
})
