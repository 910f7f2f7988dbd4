/** Starts a new PostgreSQL cluster for tests on a free port; it ends with the process that started it. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { temporaryFolder } from './folders.ts'

/**
 * Starts a cluster. It ends with this process, even when that is killed, and does not keep it alive.
 * `url`: connection string of its maintenance database.
 * @param durable on disk, with commits that are flushed to it and a log that can be archived, as in production; by
 * default none of it, because tests keep nothing
 * @throws Error when PostgreSQL is not installed
 */
export async function startPostgres({ durable = false } = {}): Promise<{
  url: string
  /** Everything of it, the log too; it is removed at the end. */
  folder: string
  /** Ends the server alone, as its operator ('fast') or a crash ('immediate') does, until `resume`. */
  halt: (mode: 'fast' | 'immediate') => void
  resume: () => void
  /** Runs shell commands as the cluster's user, with the variables that PostgreSQL's programs read. */
  shell: (commands: string) => void
  stop: () => Promise<void>
}> {
  const bin = programs()
  const folder = temporaryFolder('postgres', { onDisk: durable })
  // PostgreSQL refuses to run as root, so root runs it as another user, who owns the folder.
  const user = process.getuid?.() === 0 ? idsOf('nobody') : undefined
  if (user) chownSync(folder, user.uid, user.gid)
  const run = (program: string, args: string[]) => {
    const { status, stderr, error } = spawnSync(join(bin, program), args, {
      ...user,
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
    })
    if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`)
  }

  const data = join(folder, 'data')
  // The guard stops the cluster when its input ends, which also happens when this process is killed.
  const guard = spawn(
    'sh',
    ['-c', 'cat >/dev/null; "$0" -D "$1" -m immediate stop; rm -rf "$2"', join(bin, 'pg_ctl'), data, folder],
    {
      ...user,
      cwd: tmpdir(),
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )
  guard.unref()
  const port = await freePort()
  run('initdb', [
    '-D',
    data,
    '-U',
    'shelfmates',
    '--auth=trust',
    '--no-sync',
    '--encoding=UTF8',
    '--locale=C',
  ])
  const settings = [
    `port = ${port}`,
    `unix_socket_directories = '${folder}'`,
    `listen_addresses = '127.0.0.1'`,
    'max_connections = 300',
    'shared_buffers = 64MB',
    'max_wal_size = 256MB',
    // Nothing outlives the run.
    ...(durable
      ? []
      : [
          'fsync = off',
          'synchronous_commit = off',
          'full_page_writes = off',
          'wal_level = minimal',
          'max_wal_senders = 0',
        ]),
  ]
  appendFileSync(join(data, 'postgresql.conf'), settings.join('\n'))
  // Logs to a file, because an open pipe would keep this process waiting.
  const resume = () => run('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-w', 'start'])
  const env = {
    ...{ PATH: [bin, process.env.PATH].join(delimiter), LC_ALL: 'C' },
    ...{ PGDATA: data, PGHOST: folder, PGPORT: String(port), PGUSER: 'shelfmates', PGDATABASE: 'postgres' },
  }
  const shell = (commands: string) => {
    const log = openSync(join(folder, 'shell.log'), 'a')
    const { status } = spawnSync('sh', ['-ec', commands], {
      ...user,
      cwd: folder,
      stdio: ['ignore', log, log],
      env,
    })
    closeSync(log)
    if (status !== 0)
      throw new Error(`${commands} failed: ${readFileSync(join(folder, 'shell.log'), 'utf8')}`)
  }
  resume()
  return {
    url: `postgres://shelfmates@127.0.0.1:${port}/postgres`,
    folder,
    halt: (mode) => run('pg_ctl', ['-D', data, '-m', mode, '-w', 'stop']),
    resume,
    shell,
    stop: async () => {
      guard.ref()
      const gone = once(guard, 'exit')
      guard.stdin.end()
      await gone
    },
  }
}

/** Folder of PostgreSQL's programs. */
export function programs(): string {
  const system = '/usr/lib/postgresql'
  const folders = [
    process.env.POSTGRES_BIN,
    ...(process.env.PATH ?? '').split(delimiter),
    ...(existsSync(system) ? readdirSync(system).map((version) => join(system, version, 'bin')) : []),
  ]
  const found = folders.find(
    (folder) => folder && existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')),
  )
  if (!found) throw new Error('PostgreSQL is not installed: run the tests with `npm test`, which installs it')
  return found
}

/** User and group of a name. */
export function idsOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/**
 * A free port. It is below the ephemeral ports of outgoing connections (from 32,768 on Linux), because one of these
 * could take it before the server does, and random, because other workers pick ports at the same time.
 * @param neighbours how many ports after it are free too
 */
export async function freePort({ neighbours = 0 } = {}): Promise<number> {
  for (;;) {
    // Above 10080, the last port that `fetch` refuses.
    const port = randomInt(10_100, 32_000)
    const ports = Array.from({ length: neighbours + 1 }, (_, nth) => port + nth)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
