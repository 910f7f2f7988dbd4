/** Fresh databases for tests on each engine. */
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import pg from 'pg'
import { describe, onTestFinished } from 'vitest'
import type { Database } from '../../src/server/database/database.ts'
import { type DatabaseOptions, openDatabase, sqliteFileIn } from '../../src/server/database/open.ts'
import { citusUrl, takeDistributed } from './citus.ts'
import { temporaryFolder } from './folders.ts'
import { startPostgres } from './postgres.ts'
import { watchingChanges } from './told-changes.ts'

export type EngineName = 'sqlite' | 'postgres' | 'citus'
/**
 * A run on a distributed PostgreSQL (`npm run test:citus`) is of nothing else, and one with two servers
 * (`npm run test:two-servers`) is on PostgreSQL. TEST_ENGINE names the only one of a file (tests/sizes.ts).
 */
export const engines: readonly EngineName[] = citusUrl
  ? ['citus']
  : process.env.TEST_SERVERS === '2'
    ? ['postgres']
    : (['sqlite', 'postgres'] as const).filter((one) => (process.env.TEST_ENGINE ?? one) === one)
/** The engine of tests that need only one. */
export const defaultEngine = engines[0]!

/**
 * Options of an empty database; `drop` removes it. `onDisk` is for tests that need a real disk, `whole` for those that need
 * a PostgreSQL database of their own.
 */
export async function freshDatabaseOptions(
  engine: EngineName,
  { onDisk, whole }: { onDisk?: boolean; whole?: boolean } = {},
) {
  const dataDir = temporaryFolder('data', onDisk === undefined ? {} : { onDisk })
  if (engine === 'sqlite')
    return {
      dataDir,
      databaseUrl: undefined,
      drop: async () => rmSync(dataDir, { recursive: true, force: true }),
    }
  if (citusUrl) {
    const { databaseUrl, release } = await takeDistributed()
    return {
      dataDir,
      databaseUrl,
      drop: async () => {
        rmSync(dataDir, { recursive: true, force: true })
        await release()
      },
    }
  }
  if (whole) {
    const name = `test_${randomBytes(8).toString('hex')}`
    await maintain(`CREATE DATABASE ${name}`)
    const databaseUrl = new URL((await cluster()).url)
    databaseUrl.pathname = name
    return {
      dataDir,
      databaseUrl: databaseUrl.href,
      drop: async () => {
        rmSync(dataDir, { recursive: true, force: true })
        await maintain(`DROP DATABASE ${name} WITH (FORCE)`)
      },
    }
  }
  // A schema instead of a database, because it is created many times faster.
  const name = `test_${randomBytes(8).toString('hex')}`
  await maintain(`CREATE SCHEMA ${name}`)
  const databaseUrl = new URL((await cluster()).url)
  databaseUrl.searchParams.set('options', `-c search_path=${name}`)
  return {
    dataDir,
    databaseUrl: databaseUrl.href,
    drop: async () => {
      rmSync(dataDir, { recursive: true, force: true })
      await maintain(`DROP SCHEMA ${name} CASCADE`)
    },
  }
}

/** Options of a database with empty tables, because creating them takes longer than many tests do; `drop` removes it. */
export async function migratedDatabaseOptions(engine: EngineName) {
  if (citusUrl && engine !== 'sqlite') return freshDatabaseOptions(engine)
  if (engine === 'sqlite') {
    const options = await freshDatabaseOptions(engine)
    copyFileSync(await migratedFile(), sqliteFileIn(options.dataDir))
    return options
  }
  const { schema, tables, drop, ...options } = unused.pop() ?? (await migratedSchema())
  return {
    ...options,
    drop: async () => {
      // A test may have dropped a table.
      if ((await tablesOf(schema)) !== tables) return drop()
      await maintain(emptyTables(schema))
      rmSync(options.dataDir, { recursive: true, force: true })
      mkdirSync(options.dataDir)
      unused.push({ schema, tables, drop, ...options })
    },
  }
}

/** Schemas that tests have used and that are empty again. */
const unused: Awaited<ReturnType<typeof migratedSchema>>[] = []

async function migratedSchema() {
  const options = await freshDatabaseOptions('postgres')
  await (await openDatabase(options)).close()
  const schema = new URL(options.databaseUrl!).searchParams.get('options')!.replace('-c search_path=', '')
  return { ...options, schema, tables: await tablesOf(schema) }
}

/** The tables and indexes of a schema with the numbers of their columns, as one text. */
async function tablesOf(schema: string): Promise<string> {
  const { rows } = await maintain(
    `SELECT string_agg(relname || relnatts, ' ' ORDER BY relname) AS tables FROM pg_class
     WHERE relnamespace = '${schema}'::regnamespace`,
  )
  return (rows as { tables: string }[])[0]!.tables
}

let migrated: Promise<string> | undefined
/** A SQLite file with empty tables. */
function migratedFile(): Promise<string> {
  return (migrated ??= (async () => {
    const { drop, ...options } = await freshDatabaseOptions('sqlite')
    process.once('exit', () => void drop())
    await (await openDatabase(options)).close()
    return sqliteFileIn(options.dataDir)
  })())
}

/** A new, empty database, which is removed when the test ends, and the variables that name it. */
export async function freshOptions(engine: EngineName, needs: { onDisk?: boolean; whole?: boolean } = {}) {
  const { drop, ...options } = await freshDatabaseOptions(engine, needs)
  onTestFinished(drop)
  const { dataDir, databaseUrl } = options
  const env = { DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) }
  return { ...options, env }
}

/** Opens and migrates a database, which is closed when the test ends. */
export async function openForTest(options: DatabaseOptions): Promise<Database> {
  const database = await watchingChanges(await openDatabase(options))
  onTestFinished(() => database.close())
  return database
}

/**
 * Runs a suite on each engine. `fresh` opens an empty, migrated database that is closed and removed when the test
 * ends.
 */
export function describeOnEachEngine(
  name: string,
  suite: (fresh: () => Promise<Database>, engine: EngineName) => void,
): void {
  describe.each(engines)(`${name} on %s`, (engine) => {
    suite(async () => {
      const { drop, ...options } = await migratedDatabaseOptions(engine)
      onTestFinished(drop)
      return openForTest(options)
    }, engine)
  })
}

/**
 * The cluster of this worker, with one connection that creates and drops schemas. Workers do not share a cluster,
 * because a snapshot is of a whole cluster and would change with every transaction of another worker.
 */
let started: ReturnType<typeof startCluster> | undefined
const cluster = () => (started ??= startCluster())

async function startCluster() {
  const { url } = await startPostgres()
  const maintenance = new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  })
  return { url, maintenance }
}

/** Deletes all rows but those that migrations have written. Large tables are truncated, which takes longer for small ones. */
const emptyTables = (schema: string) => `DO $$
  DECLARE one record;
  BEGIN
    SET LOCAL session_replication_role = replica;
    FOR one IN SELECT oid, oid::regclass AS name, relkind, relname FROM pg_class
      WHERE relnamespace = '${schema}'::regnamespace AND relkind IN ('r', 'S') LOOP
      IF one.relkind = 'S' THEN PERFORM setval(one.oid, 1, false);
      ELSIF one.relname = 'installation' THEN EXECUTE format('DELETE FROM %s WHERE name NOT IN (''secret'', ''push_key'')', one.name);
      ELSIF one.relname IN ('kysely_migration', 'kysely_migration_lock', 'schema_steps') THEN CONTINUE;
      ELSIF pg_relation_size(one.oid) > 200000 THEN EXECUTE format('TRUNCATE %s CASCADE', one.name);
      ELSE EXECUTE format('DELETE FROM %s', one.name);
      END IF;
    END LOOP;
  END $$`

async function maintain(statement: string): Promise<pg.QueryResult> {
  const { maintenance } = await cluster()
  return maintenance.query(statement)
}
