/**
 * The migrations, named steps for both engines, which Kysely's Migrator runs (OPS-38). A released step is never changed, and
 * imports nothing that changes; later changes are new steps at the end.
 * Requirements: DATA-5, OPS-41.
 */
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { type Database, StorageError } from './database.ts'
import type { Tx } from './schema.ts'
import {
  defaultTiming,
  MIGRATIONS_LOCK,
  prepareBeside,
  type Rolling,
  type Timing,
  untilLocked,
} from './several/rolling-upgrade.ts'
import { placeNewTables } from './several/distribute.ts'
import { createTables } from './steps/0001-baseline.ts'
import { addTheme } from './steps/0002-theme.ts'
import { addLanguage } from './steps/0003-language.ts'
import { addPush } from './steps/0004-push.ts'
import { addDates } from './steps/0005-dates.ts'
import { addSeries } from './steps/0006-series.ts'
import { addUserWebhooks } from './steps/0007-user-webhook.ts'
import { addPushRefusals } from './steps/0008-push-refusals.ts'
import { changedEverything } from './cache-tags.ts'

/**
 * A step; `rolling` says beside which servers that run it may be made (decision 017). On a distributed PostgreSQL a new
 * table refers to no other: it is placed after it was created (`several/placements.ts`).
 */
export type Step = {
  run: (db: Kysely<never>, engine: Database['engine'], options: { isDistributed: boolean }) => Promise<void>
  rolling: Rolling
}

const BASELINE = '0001_baseline'
/** By their names, which sort in the order of the steps. */
const allSteps: Readonly<Record<string, Step>> = {
  [BASELINE]: { run: createTables, rolling: false },
  '0002_theme': { run: addTheme, rolling: true },
  '0003_language': { run: addLanguage, rolling: true },
  '0004_push': { run: addPush, rolling: true },
  '0005_dates': { run: addDates, rolling: true },
  '0006_series': { run: addSeries, rolling: true },
  '0007_user_webhook': { run: addUserWebhooks, rolling: true },
  '0008_push_refusals': { run: addPushRefusals, rolling: true },
}

/** The names of the steps that this version knows. */
export const STEPS: readonly string[] = Object.keys(allSteps)

/** Releases before the named steps counted theirs; after so many a database has what the baseline creates. */
const COUNTED = 17

/** Name of the row of `installation` that marks a copy which is not complete yet (OPS-25). */
export const UNFINISHED_COPY = 'unfinished_copy'

/** The migrations that a database has had: named ones, and how many counted ones. `isNew`: none, so it has no tables. */
export type Done = { names: readonly string[]; counted: number; isNew: boolean }

/** Which migration a database had had last, and which one it has had now. */
type Migrated = { from: string; to: string }

type Options = {
  /** Runs in the same transaction; `isNew` says that the database had no tables. */
  afterwards?: (tx: Tx, isNew: boolean) => Promise<void>
  /** Steps after this version's own, for tests. */
  added?: Readonly<Record<string, Step>>
  /** The operator says that no other server runs, whatever the table of servers says. */
  othersAreStopped?: boolean
  timing?: Timing
}

/**
 * Runs the steps that the database has not had yet, in one transaction under a lock, so that several servers may
 * start at once. Where other servers use the database, they are not held up for long (`several/rolling-upgrade.ts`).
 * Returns what it did to a database that had tables.
 * @throws StorageError when a newer version has migrated the database, its version is too old, it is an unfinished copy, or
 * other servers cannot go on beside the steps
 */
export function migrate(database: Database, options: Options = {}): Promise<Migrated | undefined> {
  return untilLocked(options.timing ?? defaultTiming, () =>
    database.transaction((tx) => runSteps(database, tx, options), { takesLong: true }),
  )
}

async function runSteps(
  database: Database,
  tx: Tx,
  { afterwards, added = {}, othersAreStopped = false, timing = defaultTiming }: Options,
): Promise<Migrated | undefined> {
  const steps = { ...allSteps, ...added }
  await database.lock(tx, MIGRATIONS_LOCK)
  const done = await readDone(database, tx)
  checkDone(done, 'database', Object.keys(steps))
  const { isNew } = done
  if (!isNew) await refuseUnfinishedCopy(tx)
  // What an older release has created is what the baseline would create.
  if (!isNew && done.names.length === 0) steps[BASELINE] = { run: async () => {}, rolling: true }
  const pending = Object.entries(steps).filter(([name]) => !done.names.includes(name))
  if (pending.length > 0) {
    if (database.engine === 'postgres') {
      const steps = pending.map(([, step]) => step)
      await prepareBeside(tx, steps, { isAlone: othersAreStopped || isNew, timing })
    }
    await runByMigrator(database, tx, steps)
    if (done.names.length === 0) await refuseOlderReleases(tx, done)
    changedEverything(tx)
  }
  await afterwards?.(tx, isNew)
  if (database.isDistributed) await placeNewTables(tx)
  const [last] = pending.slice(-1)
  if (isNew || !last) return undefined
  return { from: done.names.at(-1) ?? `step ${done.counted}`, to: last[0] }
}

async function runByMigrator(
  { engine, isDistributed }: Database,
  tx: Tx,
  steps: Readonly<Record<string, Step>>,
): Promise<void> {
  const migrations = Object.entries(steps).map(([name, { run }]) => [
    name,
    { up: (db: Kysely<never>) => run(db, engine, { isDistributed }) },
  ])
  const migrator = new Migrator({
    // Without the plugin that watches which rows change: every step changes everything.
    db: tx.withoutPlugins(),
    provider: { getMigrations: async () => Object.fromEntries(migrations) as never },
    // Otherwise the tables of another schema would be taken for ours.
    ...(engine === 'postgres' && { migrationTableSchema: await currentSchema(tx) }),
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error as Error
}

async function currentSchema(tx: Tx): Promise<string> {
  const { rows } = await sql<{ schema: string }>`SELECT current_schema() AS schema`.execute(tx)
  return rows[0]!.schema
}

/** Counts one step more than releases before the named steps know, so that those refuse the database. */
async function refuseOlderReleases(tx: Tx, { counted }: Done): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS schema_steps (step integer PRIMARY KEY, done_at bigint NOT NULL)`.execute(
    tx,
  )
  for (let step = counted + 1; step <= COUNTED + 1; step++)
    await sql`INSERT INTO schema_steps (step, done_at) VALUES (${step}, ${Date.now()})`.execute(tx)
}

/**
 * For a server that begins to serve: a newer version may have migrated the database since it was opened.
 * @throws StorageError if so
 */
export async function refuseNewerVersion(tx: Tx): Promise<void> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(tx)
  checkDone({ names: rows.map(({ name }) => name), counted: 0 }, 'database')
}

async function readDone({ engine }: Pick<Database, 'engine'>, tx: Tx): Promise<Done> {
  return doneBy(async (statement) => (await sql.raw(statement).execute(tx)).rows, engine)
}

/** What a database says of its migrations, read by a function that runs a statement. */
export async function doneBy(run: (statement: string) => unknown, engine: Database['engine']): Promise<Done> {
  const tables = ['kysely_migration', 'schema_steps']
  const among = `(${tables.map((name) => `'${name}'`).join(', ')})`
  const read = async (statement: string) => (await run(statement)) as { name: string }[]
  const found = await read(
    engine === 'sqlite'
      ? `SELECT name FROM sqlite_schema WHERE name IN ${among}`
      : `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname IN ${among}`,
  )
  const [names, counted] = await Promise.all(
    tables.map(async (table) => {
      if (!found.some(({ name }) => name === table)) return []
      return read(`SELECT ${table === 'schema_steps' ? 'step' : 'name'} AS name FROM ${table}`)
    }),
  )
  return {
    names: names!.map(({ name }) => name).sort(),
    counted: counted!.length,
    isNew: names!.length === 0 && counted!.length === 0,
  }
}

/**
 * Checks that this version can migrate a database, or a backup of one, that has had these migrations.
 * @throws StorageError when a newer version has migrated it, or its version is too old
 */
export function checkDone(
  { names, counted }: Omit<Done, 'isNew'>,
  what: 'database' | 'backup',
  known = STEPS,
): void {
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    const remedy =
      what === 'database' ? 'start that version, or restore a backup made by this one' : 'use that one'
    throw new StorageError(
      `The ${what} is of a newer version of Shelfmates (migration ${unknown.at(-1)}, the last that this version knows ` +
        `is ${known.at(-1)}); ${remedy}.`,
    )
  }
  if (names.length === 0 && counted > 0 && counted !== COUNTED)
    throw new StorageError(
      `The ${what} is of a version of Shelfmates that this one cannot migrate (${counted} of ${COUNTED} migrations before ` +
        `${BASELINE}); start the last version before 24 November 2026 with it once, then this one.`,
    )
}

/** SQL of PostgreSQL that fails unless `checkDone` accepts the database in a schema. */
export function checkOfSchema(schema: string): string {
  const names = STEPS.map((name) => `'${name}'`).join(', ')
  return `DO $$ BEGIN
    IF to_regclass('${schema}.kysely_migration') IS NULL THEN
      IF (SELECT count(*) FROM ${schema}.schema_steps) <> ${COUNTED} THEN
        RAISE EXCEPTION 'it is of a version of Shelfmates that this one cannot migrate'; END IF;
    ELSIF EXISTS (SELECT FROM ${schema}.kysely_migration WHERE name NOT IN (${names})) THEN
      RAISE EXCEPTION 'it is of a newer version of Shelfmates; use that one';
    END IF; END $$;`
}

async function refuseUnfinishedCopy(tx: Tx): Promise<void> {
  const mark = await tx
    .selectFrom('installation')
    .select('value')
    .where('name', '=', UNFINISHED_COPY)
    .executeTakeFirst()
  if (mark)
    throw new StorageError(
      'The database is an unfinished copy of another one; run npm run migrate-to-postgres again, which completes it ' +
        '(docs/operate/move.md).',
    )
}
