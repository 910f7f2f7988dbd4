/**
 * Databases that are copied continuously go back to a moment: what was acknowledged before it is there, what was written
 * after it is not. The commands are those of docs/operate/backup.md, as they stand there.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteFileIn } from '../../src/server/database/open.ts'
import { runCommand } from '../support/commands.ts'
import { changed, examplesIn } from '../support/documents.ts'
import { temporaryFolder } from '../support/folders.ts'
import { startPostgres } from '../support/postgres.ts'
import { expectIntact } from './invariants.ts'
import type { Ledger } from './ledger.ts'
import { createGroup, lost, startWriting, type Writer } from './mixed-writes.ts'

const DOCUMENT = 'docs/operate/backup.md'
const LITESTREAM = join(
  import.meta.dirname,
  '../../.cache/litestream/node_modules/@flydotio/litestream-linux-x64/litestream',
)
const ENOUGH = 40

/** What a moment must have: all that was known then. Two moments between which people wrote are not the same. */
async function expectMoment(
  url: string,
  { then, later }: { then: Ledger; later: Ledger },
  writers: Writer[],
) {
  expect(await lost(url, then, writers, then.names())).toEqual([])
  const created = later.names().filter((name) => !then.names().includes(name))
  expect(created.length).toBeGreaterThan(0)
  const missing = await lost(url, later, writers, created)
  expect(missing).toHaveLength(created.length)
}

test('OPS-30: PostgreSQL goes back to a moment by its archive', { timeout: 300_000 }, async () => {
  const postgres = await startPostgres({ durable: true })
  onTestFinished(postgres.stop)
  const archive = join(postgres.folder, 'archive')
  const [archiving, copying, restoring] = examplesIn(DOCUMENT, 'Copy PostgreSQL continuously', 'sh').map(
    (block) => block.replaceAll('/mnt/archive', archive),
  )
  postgres.shell(`mkdir ${archive}\n${archiving!}`)
  const dataDir = temporaryFolder('data')
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const place = { DATA_DIR: dataDir, DATABASE_URL: postgres.url }
  const { server, start, writers, write } = await startWriting(place)
  const query = async (statement: string) => {
    const client = new pg.Client(postgres.url)
    await client.connect()
    const { rows } = await client.query<{ value: string }>(statement)
    await client.end()
    return rows[0]!.value
  }
  await write(ENOUGH, 1)
  postgres.shell(copying!)

  const then = await write(ENOUGH, 10)
  const moment = await query('SELECT clock_timestamp()::text AS value')
  const later = await write(ENOUGH, 20)
  // Instead of waiting a minute for archive_timeout.
  await query('SELECT pg_switch_wal()::text AS value')
  await expect
    .poll(() =>
      query('SELECT (archived_count > 1 AND failed_count = 0)::text AS value FROM pg_stat_archiver'),
    )
    .toBe('true')
  expect(await server.stop()).toBe(0)
  postgres.halt('fast')
  const restore = async (commands: string, aside: string) => {
    postgres.shell(`mv "$PGDATA" ${aside}\n${commands}`)
    await expect.poll(() => query('SELECT pg_is_in_recovery()::text AS value')).toBe('false')
    return start()
  }

  // Everything that was archived, and then, because that was not what the operator wanted, the moment before.
  const newest = await restore(restoring!.replace(/"recovery_target_time[^"]*"/, '""'), 'lost')
  expect(await lost(newest.url, later, writers, later.names())).toEqual([])
  expect(await newest.stop()).toBe(0)
  postgres.halt('fast')
  const again = await restore(changed(restoring!, [['2026-11-24 20:15:00+00', moment]]), 'before')
  await expectMoment(again.url, { then, later }, writers)
  expect(await again.stop()).toBe(0)
  await expectIntact({ dataDir, databaseUrl: postgres.url })
})

if (!existsSync(LITESTREAM)) console.warn('point-in-time.test.ts: no Litestream is installed here, skipped')
test.skipIf(!existsSync(LITESTREAM))('OPS-30: SQLite, by Litestream', { timeout: 300_000 }, async () => {
  const folder = temporaryFolder('litestream', { onDisk: true })
  const config = join(folder, 'litestream.yml')
  const here = (text: string) =>
    text
      .replaceAll('/srv/', `${folder}/`)
      .replaceAll('/mnt/other', join(folder, 'other'))
      .replaceAll('/etc/litestream.yml', config)
  const dataDir = join(folder, 'shelfmates')
  mkdirSync(dataDir)
  writeFileSync(config, here(examplesIn(DOCUMENT, 'Copy SQLite continuously', 'yaml')[0]!))
  const [replicating, restoring] = examplesIn(DOCUMENT, 'Copy SQLite continuously', 'sh').map(here)
  const [restoreCommand] = restoring!.split('\n')
  const { server, start, writers, write } = await startWriting({ DATA_DIR: dataDir })

  const litestream = shell(`exec ${replicating!}`)
  onTestFinished(async () => {
    await end(litestream)
    rmSync(folder, { recursive: true, force: true })
  })
  /** Waits until everything that was acknowledged is copied: until a group is that is created last. */
  const isCopied = async () => {
    const { group_id } = await createGroup(server.url, writers[0]!, 'Last')
    const copy = join(folder, 'newest.sqlite')
    const command = restoreCommand!.replace(/-timestamp \S+ /, '').replace(/-o \S+/, `-o ${copy}`)
    await expect
      .poll(
        () => {
          rmSync(copy, { force: true })
          run(command)
          const groups = execFileSync('sqlite3', [copy, 'SELECT group_id FROM groups'], {
            encoding: 'utf8',
          })
          return groups.split('\n')
        },
        { timeout: 60_000, interval: 200 },
      )
      .toContain(String(group_id))
  }
  await write(ENOUGH, 1)
  const then = await write(ENOUGH, 10)
  await isCopied()
  const moment = new Date().toISOString()
  const later = await write(ENOUGH, 20)
  await isCopied()
  expect(await server.stop()).toBe(0)
  await end(litestream)

  run(changed(restoreCommand!, [['2026-11-24T20:15:00Z', moment]]))
  const restored = await runCommand('restore', { DATA_DIR: dataDir }, [join(folder, 'copy.sqlite')])
  expect(restored).toMatchObject({ code: 0, err: '' })
  const again = await start()
  await expectMoment(again.url, { then, later }, writers)
  expect(await again.stop()).toBe(0)
  await expectIntact({ dataDir })
  expect(existsSync(sqliteFileIn(dataDir))).toBe(true)
  renameSync(config, `${config}.used`)

  function run(command: string): void {
    execFileSync('sh', ['-c', command], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  }
})

const env = { PATH: `${join(LITESTREAM, '..')}:${process.env.PATH}` }

function shell(command: string): ChildProcess {
  return spawn('sh', ['-c', command], { env, stdio: 'ignore' })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
