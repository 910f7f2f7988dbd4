/** Backups of PostgreSQL, by its own programs as the operator has installed them; the archive is theirs (OPS-30). */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { devNull } from 'node:os'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { StorageError } from '../database/database.ts'
import { checkDone, doneBy, STEPS } from '../database/migrations.ts'
import { refuseBackupInUse } from '../database/several/machines.ts'

/** Where a backup was restored to, and where that is now which was there before, if there was something. */
export type Restored = { target: string; aside: string | undefined }

const CONNECT_TIMEOUT_MS = 10_000
/** A role may have limits that fit requests. */
const SETTINGS =
  '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=30s -c client_min_messages=error'

/** Schemas that {@link asideName} names are no part of backups. */
const ASIDE = 'before_restore_'

/** Name of what was there before a restore at this time, such as before_restore_20261124_031500. */
export function asideName(at: Date): string {
  return ASIDE + at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '_')
}

/** Host and name of a PostgreSQL database, without user and password. */
export function nameOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}

/**
 * Runs `work` with a connection without the time limits of requests.
 * @throws StorageError when the server cannot be reached, refuses the connection, or is a pooler
 */
export async function withClient<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // Without a listener a broken connection would end the process; the query that runs fails anyway.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    // A pooler gives its clients numbers of its own.
    if (rows[0]!.pid !== (client as { processID?: number }).processID)
      throw new StorageError(
        `${nameOf(databaseUrl)} is a pooler such as PgBouncer, but this command needs PostgreSQL itself: set DATABASE_URL ` +
          'to its direct address for this command.',
      )
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0')
  } catch (error) {
    await client.end().catch(() => {})
    if (error instanceof StorageError) throw error
    const { message } = error as Error
    throw new StorageError(
      `The database ${nameOf(databaseUrl)} cannot be used: ${message || 'the server cannot be reached'}.`,
      { cause: error },
    )
  }
  return work(client).finally(() => client.end())
}

/** Whether the connection's schema has no tables, views or sequences, except in extensions. */
export async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT 1 FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
    LIMIT 1`)
  return rowCount === 0
}

/** @throws StorageError when it cannot be reached, is not one of Shelfmates, of a newer version, or distributed and in use */
export function requireDatabase(databaseUrl: string): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    const done = await doneBy(async (text) => (await client.query<{ name: string }>(text)).rows, 'postgres')
    if (done.length === 0)
      throw new StorageError(`The database ${nameOf(databaseUrl)} is not one of Shelfmates.`)
    checkDone(done, 'database')
    await refuseBackupInUse(client, nameOf(databaseUrl))
  })
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
 * Restores an archive of pg_dump in one transaction, so that it is done whole or not at all.
 * @throws StorageError when the database is in use, a program is missing or fails, or the archive is refused
 */
export function restorePostgres(archive: string, databaseUrl: string, at: Date): Promise<Restored> {
  const target = nameOf(databaseUrl)
  return withClient(databaseUrl, async (client) => {
    await refuseUsed(client, target)
    const aside = (await isEmpty(client)) ? undefined : asideName(at)
    const { rows } = await client.query<{ schema: string }>('SELECT quote_ident(current_schema()) AS schema')
    const schema = rows[0]!.schema
    const before =
      aside === undefined ? '' : `ALTER SCHEMA ${schema} RENAME TO ${aside}; CREATE SCHEMA ${schema};`
    await runArchive(archive, databaseUrl, { before, after: checkOf(schema) })
    // Without it the first requests would be planned as if the tables were empty.
    await client.query('ANALYZE')
    return { target, aside: aside && `the schema ${aside}` }
  })
}

/** @throws StorageError when others are connected, but for the connections that Citus keeps between its machines */
async function refuseUsed(client: pg.Client, target: string): Promise<void> {
  const { rows } = await client.query<{ others: number; places: string }>(
    `SELECT count(*)::int AS others, string_agg(DISTINCT coalesce(host(client_addr), 'this machine'), ', ') AS places
      FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND backend_type = 'client backend' AND application_name NOT LIKE 'citus%'`,
  )
  const { others, places } = rows[0]!
  if (others > 0)
    throw new StorageError(
      `The database ${target} is in use (${others} connections from ${places}), and nothing was changed; stop the servers ` +
        'first, and a pooler such as PgBouncer too.',
    )
}

/** SQL that fails unless a schema is of this version or an earlier one. */
function checkOf(schema: string): string {
  const known = STEPS.map((name) => `'${name}'`).join(', ')
  return `DO $$ BEGIN
    IF to_regclass('${schema}.kysely_migration') IS NULL THEN
      RAISE EXCEPTION 'it is not a backup of Shelfmates';
    ELSIF EXISTS (SELECT FROM ${schema}.kysely_migration WHERE name NOT IN (${known})) THEN
      RAISE EXCEPTION 'it is of a newer version of Shelfmates; use that one';
    END IF; END $$;`
}

/** psql rolls back when its input ends without COMMIT, and so when this process or pg_restore ends. */
async function runArchive(
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
  const url = databaseUrl === undefined ? undefined : new URL(databaseUrl)
  const password = url && decodeURIComponent(url.password)
  if (url) url.password = ''
  const child = spawn(program, [...parameters, ...(url ? [`--dbname=${url.href}`] : [])], {
    env: { ...process.env, PGOPTIONS: SETTINGS, ...(password && { PGPASSWORD: password }) },
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
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      throw new StorageError(
        `${program} is not installed; install the client programs of PostgreSQL, of the server's version or newer ` +
          '(on Debian and Ubuntu: apt install postgresql-client).',
        { cause: error },
      )
    }
  })()
  // Awaited later, when what the program has written was read.
  ended.catch(() => {})
  return { child, ended }
}

/** The first error in what a program has written, without its position. */
function reasonIn(errors: string): string {
  const line = errors.split('\n').find((text) => /error:/i.test(text)) ?? errors.split('\n')[0]!
  return `${line.replace(/^.*?error: */i, '').trim() || 'it gave no reason'}.`.replace('..', '.')
}
