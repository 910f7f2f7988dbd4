/**
 * The migrations, named steps for both engines, which Kysely's Migrator runs.
 * Requirements: DATA-5, OPS-38.
 */
import { createECDH, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { changedEverything } from './cache-tags.ts'
import type { AnyTable, Engine } from './columns.ts'
import { type Database, MIGRATIONS_LOCK, StorageError } from './database.ts'
import { tables, type Tx } from './schema.ts'
import { placeNewTables } from './several/distribute.ts'
import { allSteps, type Steps, tooOld } from './steps.ts'

/** The names of the steps that this version knows. */
export const STEPS: readonly string[] = Object.keys(allSteps)

type Options = {
  /** Runs in the same transaction; `isNew` says that the database had no tables. */
  afterwards?: (tx: Tx, isNew: boolean) => Promise<void>
  /** Other steps than this version's, for tests and comparisons. */
  steps?: Steps
}

/**
 * Runs the steps that the database has not had yet, in one transaction under a lock, so that several servers may start at
 * once.
 * @throws StorageError when a newer version has migrated the database, or its version is too old
 */
export function migrate(database: Database, { afterwards, steps = allSteps }: Options = {}): Promise<void> {
  return database.transaction(
    async (tx) => {
      await database.lock(tx, MIGRATIONS_LOCK)
      const done = await doneBy(async (text) => (await sql.raw(text).execute(tx)).rows, database.engine)
      checkDone(done, 'database', Object.keys(steps))
      if (done.length < Object.keys(steps).length) {
        await runByMigrator(database, tx, { steps, isNew: done.length === 0 })
        changedEverything(tx)
      }
      await afterwards?.(tx, done.length === 0)
      if (database.isDistributed) await placeNewTables(tx)
    },
    { takesLong: true },
  )
}

async function runByMigrator(
  { engine }: Database,
  tx: Tx,
  { steps, isNew }: { steps: Steps; isNew: boolean },
): Promise<void> {
  if (isNew) await createDatabase(tx.withoutPlugins() as never, engine)
  const migrations = Object.entries(steps).map(([name, up]) => [name, { up: isNew ? async () => {} : up }])
  const { rows } =
    engine === 'postgres'
      ? await sql<{ name: string }>`SELECT current_schema() AS name`.execute(tx)
      : { rows: [] }
  const migrator = new Migrator({
    // Without the plugin that watches which rows change: every step changes everything.
    db: tx.withoutPlugins(),
    provider: { getMigrations: async () => Object.fromEntries(migrations) as never },
    // Otherwise the tables of another schema would be taken for ours.
    ...(rows[0] && { migrationTableSchema: rows[0].name }),
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error as Error
}

/**
 * The names of the steps that a database has had, read by a function that runs a statement; empty when it has no tables.
 * @throws StorageError when it is of a version from before the named steps
 */
export async function doneBy(run: (statement: string) => unknown, engine: Database['engine']) {
  const read = async (text: string) => ((await run(text)) as { name: string }[]).map(({ name }) => name)
  const tables = await read(
    engine === 'sqlite'
      ? `SELECT name FROM sqlite_schema WHERE type = 'table'`
      : 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  )
  if (tables.includes('kysely_migration')) return read('SELECT name FROM kysely_migration ORDER BY name')
  if (tables.includes('schema_steps')) tooOld()
  return []
}

/**
 * Checks that this version can migrate a database, or a backup of one, that has had these steps.
 * @throws StorageError when a newer version has migrated it
 */
export function checkDone(done: readonly string[], what: 'database' | 'backup', known = STEPS): void {
  const unknown = done.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const remedy =
    what === 'database' ? 'start that version, or restore a backup made by this one' : 'use that one'
  throw new StorageError(
    `The ${what} is of a newer version of Shelfmates (migration ${unknown.at(-1)}, the last that this version knows ` +
      `is ${known.at(-1)}); ${remedy}.`,
  )
}

/** Creates a new database, which then has had every step: the tables, and the secrets of this installation. */
async function createDatabase(db: Kysely<never>, engine: Engine): Promise<void> {
  for (const statement of [...tablesOn(engine), ...changesOn[engine]]) await sql.raw(statement).execute(db)
  const secret = randomBytes(32).toString('base64url')
  await sql`INSERT INTO installation (name, value)
    VALUES ('secret', ${secret}), ('push_key', ${newPrivateKey()})`.execute(db)
}

function tablesOn(engine: Engine): string[] {
  return Object.entries<AnyTable>(tables).flatMap(([name, { columns, constraints, indexes }]) => [
    `CREATE TABLE ${name} (
      ${[...Object.entries(columns).map(([column, of]) => `"${column}" ${of.on(engine)}`), ...constraints].join(', ')})`,
    ...Object.entries(indexes).map(
      ([index, { of, kind }]) =>
        `CREATE ${kind === 'UNIQUE' ? kind : ''} INDEX ${index} ON ${name}
          ${kind === 'hash' && engine === 'postgres' ? 'USING hash' : ''} ${of}`,
    ),
  ])
}

/**
 * What transactions changed, for the caches of all servers. SQLite numbers the rows. On PostgreSQL transactions do not
 * become visible in the order of any number, so a row has the id of its transaction (postgres.ts).
 */
const changesOn: Record<Engine, string[]> = {
  sqlite: ['CREATE TABLE changes (change_id integer PRIMARY KEY AUTOINCREMENT, subject text NOT NULL)'],
  postgres: [
    `CREATE TABLE changes (
      transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
      subject text NOT NULL,
      at timestamptz NOT NULL DEFAULT now())`,
    'CREATE INDEX changes_by_transaction ON changes (transaction_id)',
    'CREATE INDEX changes_by_time ON changes (at)',
  ],
}

/** The private key of P-256 by which push services know this installation (RFC 8292), as base64url. */
function newPrivateKey(): string {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const bytes = keys.getPrivateKey()
  // Without its leading zeros it would be shorter.
  return Buffer.concat([Buffer.alloc(32 - bytes.length), bytes]).toString('base64url')
}
