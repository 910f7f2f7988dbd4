/** SQLite files of Shelfmates that no server has open: their checks, and what is made in them. */
import { statSync } from 'node:fs'
import { type DatabaseSync } from 'node:sqlite'
import { StorageError } from '../database/database.ts'
import { checkDone, doneBy } from '../database/migrations.ts'
import { tables } from '../database/schema.ts'
import { refuseCutOff } from '../database/sqlite.ts'

/**
 * Checks, without opening it, that a file can be a database.
 * @throws StorageError
 */
export function requireDatabaseFile(file: string): void {
  refuseCutOff(file)
  if (!statSync(file, { throwIfNoEntry: false })?.size)
    throw new StorageError(`There is no database ${file}; set DATA_DIR to the server's data folder.`)
}

/**
 * Reads a whole database to check it, which takes seconds when it is large. Returns the migrations that it has had.
 * @throws StorageError when it is damaged, not a database of Shelfmates, or of a newer version
 */
export async function checkDatabase(connection: DatabaseSync, subject: string, what: 'database' | 'backup') {
  try {
    const finding = String(connection.prepare('PRAGMA integrity_check(1)').get()?.integrity_check)
    if (finding !== 'ok') throw new StorageError(`${subject} is damaged (${finding.replaceAll('\n', ' ')}).`)
    const orphan = connection.prepare('PRAGMA foreign_key_check').get()
    if (orphan)
      throw new StorageError(
        `${subject} is damaged (a row of ${String(orphan.table)} belongs to a missing row of ${String(orphan.parent)}).`,
      )
    const done = await doneBy((statement) => connection.prepare(statement).all(), 'sqlite')
    if (done.length === 0) throw new StorageError(`${subject} is not a database of Shelfmates.`)
    checkDone(done, what)
    return done
  } catch (error) {
    if (error instanceof StorageError) throw error
    throw new StorageError(`${subject} is damaged or not a database (${(error as Error).message}).`, {
      cause: error,
    })
  }
}

/** What databases of this version have beside its tables, and what earlier versions had. */
const ALSO = [
  ...['kysely_migration.name', 'kysely_migration.timestamp', 'kysely_migration_lock.id'],
  ...['kysely_migration_lock.is_locked', 'changes.change_id', 'changes.subject'],
  ...['changes.transaction_id', 'changes.at', 'nights.played_at', 'nights.any_size', 'nights.presence_at'],
  ...['night_people.played', 'night_people.claims', 'group_departures.forgotten'],
  ...['platform_hosts.held_until', 'platform_hosts.failures'],
  ...['picture_changes.change_id', 'picture_changes.steam_id', 'picture_changes.at'],
  ...['server_id', 'version', 'started_at', 'seen_at', 'counters', 'stopped_at'].map((of) => `servers.${of}`),
]
const ALSO_TABLES = ['schema_steps', '_litestream_lock', '_litestream_seq']
const ALSO_INDEXES = [
  ...['changes_by_time', 'changes_by_transaction', 'webhooks_of_users'],
  ...['picture_changes_by_person', 'picture_changes_by_time'],
]

/** The tables, columns and indexes that this version and earlier ones make, such as 'column people.steam_id'. */
export const MADE: readonly string[] = (() => {
  const columns = Object.entries(tables).flatMap(([name, { columns: of }]) =>
    Object.keys(of).map((column) => `${name}.${column}`),
  )
  const all = [...columns, ...ALSO]
  const tableNames = new Set([...all.map((column) => column.split('.', 1)[0]!), ...ALSO_TABLES])
  const indexes = Object.values(tables).flatMap((of) => Object.keys(of.indexes))
  return [
    ...all.map((name) => `column ${name}`),
    ...[...tableNames].map((name) => `table ${name}`),
    ...[...indexes, ...ALSO_INDEXES].map((name) => `index ${name}`),
  ]
})()

/** What a database contains, without what SQLite adds itself, named as in {@link MADE}. */
export function objectsIn(connection: DatabaseSync): string[] {
  return connection
    .prepare(
      `SELECT type || ' ' || name AS name FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'
        UNION ALL SELECT 'column ' || made.name || '.' || held.name
        FROM sqlite_schema AS made JOIN pragma_table_xinfo(made.name) AS held
        WHERE made.type = 'table' AND made.name NOT LIKE 'sqlite!_%' ESCAPE '!'
        AND made.name NOT IN ('schema_steps', '_litestream_lock', '_litestream_seq')`,
    )
    .all()
    .map(({ name }) => String(name))
}
