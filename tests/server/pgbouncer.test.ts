/** OPS-56: PostgreSQL through PgBouncer, which pools transactions. Skipped where it is not installed. */
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, writeFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/server/database/open.ts'
import { ensurePlayers, findPlayer } from '../../src/server/storage/players/players.ts'
import { nextSteamId } from '../support/app.ts'
import { runCommand } from '../support/commands.ts'
import { freshOptions } from '../support/databases.ts'
import { temporaryFolder } from '../support/folders.ts'
import { freePort, idsOf } from '../support/postgres.ts'

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(
  (path) => spawnSync(path, ['--version']).status === 0,
)
/** Versions before 1.21 know no prepared statements, and not the setting that switches them off. */
const WITHOUT_STATEMENTS = /PgBouncer 1\.(1\d|20)\./.test(
  PROGRAM ? spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' }).stdout : '',
)
  ? []
  : ['max_prepared_statements = 0']

/** PgBouncer with three connections to the cluster of a database; returns the database's address there. */
async function pooled(databaseUrl: string, settings: string[] = []): Promise<string> {
  const folder = temporaryFolder('pgbouncer')
  const [url, port] = [new URL(databaseUrl), await freePort()]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${url.port} user=${url.username}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 3',
      ...settings,
    ].join('\n'),
  )
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? idsOf('nobody') : undefined
  if (user) for (const path of [folder, file]) chownSync(path, user.uid, user.gid)
  const child = spawn(PROGRAM!, [file], { ...user, stdio: 'ignore' })
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    rmSync(folder, { recursive: true })
  })
  await expect.poll(() => isListening(port)).toBe(true)
  url.port = String(port)
  return url.href
}

function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  }).finally(() => socket.destroy()) as Promise<boolean>
}

const place = () => freshOptions('postgres', { whole: true })

const IGNORED = 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout'

test.skipIf(!PROGRAM)('OPS-56: reads and writes work without prepared statements of the pooler', async () => {
  const { dataDir, databaseUrl } = await place()
  const address = await pooled(databaseUrl!, [IGNORED, ...WITHOUT_STATEMENTS])
  const database = await openDatabase({ dataDir, databaseUrl: address, mode: 'demo' })
  try {
    const ids = Array.from({ length: 60 }, nextSteamId)
    await Promise.all(ids.map((id) => database.transaction((tx) => ensurePlayers(tx, [id]))))
    const found = await Promise.all(ids.map((id) => findPlayer(database.queries, id)))
    expect(found.map((player) => player?.steam_id)).toEqual(ids)
    const { position } = await database.changesSince(undefined)
    await database.changesSince(position)
  } finally {
    await database.close()
  }
})

test.skipIf(!PROGRAM)('OPS-56: commands that need PostgreSQL itself say so, and change nothing', async () => {
  const { dataDir, databaseUrl } = await place()
  await (await openDatabase({ dataDir, databaseUrl })).close()
  const { out: backup } = await runCommand('backup', { DATA_DIR: dataDir, DATABASE_URL: databaseUrl! })
  const source = await freshOptions('sqlite')
  await (await openDatabase(source)).close()
  const DATABASE_URL = await pooled(databaseUrl!)
  for (const [name, DATA_DIR, args] of [
    ['backup', dataDir, []],
    ['restore', dataDir, [backup]],
    ['migrate-to-postgres', source.dataDir, []],
  ] as const)
    expect(await runCommand(name, { DATA_DIR, DATABASE_URL }, [...args])).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^\S+ is a pooler such as PgBouncer, but this command needs PostgreSQL itself: set DATABASE_URL to its direct address [^.]+\.$/,
      ) as string,
    })
  await expect(openDatabase({ dataDir, databaseUrl: DATABASE_URL })).rejects.toThrow(
    /^DATABASE_URL cannot be used: unsupported startup parameter.*; let the pooler ignore it \(docs\/operate\/several-servers\.md\)\.$/,
  )
})
