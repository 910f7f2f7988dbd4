/** A distributed PostgreSQL of a test's own: a coordinator and two workers, which the test may stop, copy or add to. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { distribute } from '../../src/server/database/several/distribute.ts'
import { openDatabase } from '../../src/server/database/open.ts'
import { temporaryFolder } from '../support/folders.ts'
import { freePort, idsOf, programs } from '../support/postgres.ts'

const START = process.env.CITUS_START!
/** The numbers of the machines: the coordinator and its workers. */
export const MACHINES = [0, 1, 2] as const

export type Machines = Awaited<ReturnType<typeof startMachines>>

/** Starts it with tables that have `shards` shards. Everything ends with the test. */
export async function startMachines({ shards = 4 } = {}) {
  const folder = temporaryFolder('machines')
  const port = await freePort({ neighbours: 3 })
  const address = execFileSync(START, [folder, String(port)], { encoding: 'utf8' }).trim()
  // Of each connection, because the program that starts the machines sets another number on their command line.
  const url = `${address}?options=${encodeURIComponent(`-c citus.shard_count=${shards}`)}`
  const user = process.getuid?.() === 0 ? idsOf('nobody') : {}
  // The program makes it writable for everyone, and PostgreSQL copies must be readable by the same user.
  chmodSync(folder, 0o777)
  const folderOf = (nth: number) => join(folder, String(nth))

  /** Runs a program of PostgreSQL, or a shell command, as the user of the machines. */
  function run(command: string, args: string[]): void {
    const { status, stderr, error } = spawnSync(command, args, {
      ...user,
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: `${programs()}:${process.env.PATH}`, LC_ALL: 'C' },
    })
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stderr}`)
  }

  const stop = (nth: number, mode: 'fast' | 'immediate' = 'fast') =>
    run('pg_ctl', ['-D', folderOf(nth), '-m', mode, '-w', 'stop'])
  const start = (nth: number) =>
    run('pg_ctl', [
      ...['-D', folderOf(nth), '-l', join(folder, `${nth}.log`), '-w', 'start', '-o'],
      `-p ${port + nth} -k ${folder} -c listen_addresses=127.0.0.1 -c shared_preload_libraries=citus -c wal_level=logical ` +
        '-c max_connections=200 -c max_prepared_transactions=100 -c max_worker_processes=32 -c max_locks_per_transaction=256',
    ])

  /** Runs statements on a machine, each by itself; returns the rows of the last. */
  async function query(nth: number, ...statements: string[]): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: urlOf(nth) })
    await client.connect()
    try {
      let rows: Record<string, unknown>[] = []
      for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows
      return rows
    } finally {
      await client.end()
    }
  }
  const portOf = (nth: number) => String(port + nth)
  const urlOf = (nth: number) => url.replace(`:${port}/`, `:${port + nth}/`)

  /** Starts another worker, which the coordinator does not know yet. */
  async function addMachine(nth: number): Promise<{ port: number }> {
    run('initdb', ['-D', folderOf(nth), '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync'])
    start(nth)
    started.add(nth)
    await query(nth, 'CREATE EXTENSION citus')
    return { port: port + nth }
  }

  const started = new Set<number>(MACHINES)
  onTestFinished(() => {
    for (const nth of started)
      spawnSync('pg_ctl', ['-D', folderOf(nth), '-m', 'immediate', 'stop'], {
        ...user,
        cwd: '/',
        env: { PATH: programs() },
      })
    rmSync(folder, { recursive: true, force: true })
  })
  // As docs/operate/several-servers.md says.
  await query(0, `ALTER SYSTEM SET citus.recover_2pc_interval = '5s'`, 'SELECT pg_reload_conf()')
  const database = await openDatabase({ dataDir: '', databaseUrl: url })
  await distribute(database)
  await database.close()
  const dataDir = join(folder, 'data')
  return {
    /** For servers; they do not remove the machines. */
    place: { dataDir, databaseUrl: url, drop: async () => {} },
    ...{ folder, url, folderOf, portOf, run, stop, start, query, addMachine },
  }
}
