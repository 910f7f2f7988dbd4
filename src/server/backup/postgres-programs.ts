/** The programs of PostgreSQL that make and restore backups, as the operator has installed them; its archive is its own (OPS-50). */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { devNull } from 'node:os'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StorageError } from '../database/database.ts'

/** A role may have limits that fit requests. */
const SETTINGS =
  '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=30s -c client_min_messages=error'

/** Schemas that {@link asideName} names are no part of backups. */
const ASIDE = 'before_restore_'

/** Name of the schema for what was in a database before a restore at this time, such as before_restore_20261124_031500. */
export function asideName(at: Date): string {
  return ASIDE + at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '_')
}

/**
 * The database as it is at one moment, as an archive of pg_dump that is not compressed.
 * @throws StorageError when pg_dump is missing or fails
 */
export async function* dumpPostgres(databaseUrl: string): AsyncGenerator<Uint8Array> {
  const parameters = ['--format=custom', '--compress=0', '--no-owner', '--no-privileges']
  const dump = start('pg_dump', [...parameters, `--exclude-schema=${ASIDE}*`], databaseUrl)
  try {
    yield* dump.child.stdout as AsyncIterable<Uint8Array>
    await dump.ended
  } finally {
    dump.child.kill()
  }
}

/**
 * Restores an archive of pg_dump in one transaction, which first runs `before` and last `after`: it is done whole or not
 * at all.
 * @throws StorageError when a program is missing or fails; then nothing was changed
 */
export async function restorePostgres(
  archive: string,
  databaseUrl: string,
  { before, after }: { before: string; after: string },
): Promise<void> {
  const script = start('pg_restore', ['--file=-', '--no-owner', '--no-privileges', archive])
  const psql = start(
    'psql',
    ['--no-psqlrc', '--quiet', `--output=${devNull}`, '--set=ON_ERROR_STOP=1'],
    databaseUrl,
  )
  // psql rolls back when its input ends without COMMIT, and so when this process or pg_restore ends.
  async function* statements() {
    yield `BEGIN;\n${before}\n`
    yield* script.child.stdout as AsyncIterable<Uint8Array>
    await script.ended
    yield `\n${after}\nCOMMIT;\n`
  }
  try {
    await Promise.all([
      pipeline(Readable.from(statements()), psql.child.stdin!).catch((error: NodeJS.ErrnoException) => {
        // psql has ended, which says more.
        if (error.code !== 'EPIPE') throw error
      }),
      psql.ended,
    ])
  } finally {
    script.child.kill()
    psql.child.kill()
  }
}

/** Starts a program; `ended` fails with its error if it does. The password is not in the list of processes. */
function start(
  program: string,
  parameters: string[],
  databaseUrl?: string,
): { child: ChildProcess; ended: Promise<void> } {
  const connection = databaseUrl === undefined ? undefined : parts(databaseUrl)
  const child = spawn(program, [...parameters, ...(connection ? [`--dbname=${connection.url}`] : [])], {
    env: {
      ...process.env,
      PGOPTIONS: [connection?.options, SETTINGS].join(' ').trim(),
      ...(connection?.password && { PGPASSWORD: connection.password }),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()))
  // Reported by the pipeline that writes to it.
  child.stdin.on('error', () => {})
  const ended = (async () => {
    try {
      const [code] = (await once(child, 'close')) as [number | null]
      if (code !== 0) throw new StorageError(`${program} failed: ${reasonIn(errors)}`)
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? missing(program, error) : error
    }
  })()
  // Awaited later, when what the program has written was read.
  ended.catch(() => {})
  return { child, ended }
}

function missing(program: string, cause: unknown): StorageError {
  return new StorageError(
    `${program} is not installed; install the client programs of PostgreSQL, of the server's version or newer ` +
      '(on Debian and Ubuntu: apt install postgresql-client).',
    { cause },
  )
}

/** The first error in what a program has written, without its position. */
function reasonIn(errors: string): string {
  const line = errors.split('\n').find((text) => /error:|ERROR:/.test(text)) ?? errors.split('\n')[0] ?? ''
  return `${line.replace(/^.*?(?:error|ERROR): */, '').trim() || 'it gave no reason'}.`.replace('..', '.')
}

/** What goes into the environment: a password is secret there, and options would replace this process's own. */
function parts(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const password = url.password === '' ? url.searchParams.get('password') : decodeURIComponent(url.password)
  const options = url.searchParams.get('options')
  url.password = ''
  url.searchParams.delete('password')
  url.searchParams.delete('options')
  // PostgreSQL takes a plus for a plus.
  url.search = url.search.replaceAll('+', '%20')
  return { url: url.href, password, options }
}
