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

/** Where a backup was restored to, and where the data is that it replaced. */
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
    AND NOT ${isOfExtension('pg_class')} LIMIT 1`)
  return rowCount === 0
}

const isOfExtension = (catalog: 'pg_class' | 'pg_proc') =>
  `EXISTS (SELECT 1 FROM pg_depend WHERE classid = '${catalog}'::regclass AND objid = ${catalog}.oid AND deptype = 'e')`

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
 * @param made the tables, columns and indexes that migrations make; an archive with anything else is refused
 * @throws StorageError when the database is in use, a program is missing or fails, or the archive is refused
 */
export function restorePostgres(
  archive: string,
  databaseUrl: string,
  { at, made }: { at: Date; made: readonly string[] },
): Promise<Restored> {
  const target = nameOf(databaseUrl)
  return withClient(databaseUrl, async (client) => {
    await refuseUsed(client, target)
    const aside = (await isEmpty(client)) ? undefined : asideName(at)
    const { rows } = await client.query<{ schema: string }>('SELECT quote_ident(current_schema()) AS schema')
    const schema = rows[0]!.schema
    const before =
      aside === undefined ? '' : `ALTER SCHEMA ${schema} RENAME TO ${aside}; CREATE SCHEMA ${schema};`
    await runArchive(archive, databaseUrl, { before, after: checkOf(schema, made) })
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

/** SQL that fails unless a schema is of this version or an earlier one, and has nothing that no migration made. */
function checkOf(schema: string, made: readonly string[]): string {
  const among = (names: readonly string[]) => `(${names.map((name) => `'${name}'`).join(', ')})`
  return `DO $$ DECLARE stranger text; BEGIN
    IF to_regclass('${schema}.kysely_migration') IS NULL THEN
      RAISE EXCEPTION 'it is not a backup of Shelfmates';
    ELSIF EXISTS (SELECT FROM ${schema}.kysely_migration WHERE name NOT IN ${among(STEPS)}) THEN
      RAISE EXCEPTION 'it is of a newer version of Shelfmates; use that one';
    END IF;
    SELECT found.name INTO stranger FROM (
      SELECT CASE WHEN relkind IN ('r', 'p') THEN 'table ' WHEN relkind IN ('i', 'I') THEN 'index ' ELSE 'view ' END || relname AS name
        FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND relkind NOT IN ('S', 't')
        AND oid NOT IN (SELECT conindid FROM pg_constraint) AND NOT ${isOfExtension('pg_class')}
      UNION ALL SELECT 'column ' || relname || '.' || attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = '${schema}'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
        AND relname <> 'schema_steps' AND NOT ${isOfExtension('pg_class')}
      UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE relnamespace = '${schema}'::regnamespace AND NOT tgisinternal
      UNION ALL SELECT 'rule ' || rulename FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class
        WHERE relnamespace = '${schema}'::regnamespace
      UNION ALL SELECT 'function ' || proname FROM pg_proc
        WHERE pronamespace = '${schema}'::regnamespace AND NOT ${isOfExtension('pg_proc')}
    ) AS found WHERE found.name NOT IN ${among(made)};
    IF stranger IS NOT NULL THEN
      RAISE EXCEPTION 'it has the %, which no migration of Shelfmates made', stranger;
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
