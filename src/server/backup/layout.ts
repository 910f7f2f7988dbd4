/**
 * The tables that a copy consists of, taken from a new database, so that no list has to be kept up to date, and tables
 * that other programs add to a database are left alone.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDatabase, sqliteFileIn } from '../database/open.ts'

/** PostgreSQL's type for each declared type of SQLite. */
const POSTGRES_TYPES = {
  text: 'text',
  integer: 'integer',
  bigint: 'bigint',
  blob: 'bytea',
  'double precision': 'double precision',
} as const
export type ColumnType = keyof typeof POSTGRES_TYPES
export type Column = { name: string; type: ColumnType; postgresType: string }

export type Table = {
  name: string
  columns: Column[]
  /** Columns of the primary key. */
  key: string[]
  /** The column that the database numbers by itself, if there is one. */
  serial: string | undefined
}

/** Copied last, because it says whether a copy is complete. */
export const LAST_TABLE = 'installation'
/** Which migrations a database has had, and which changes its servers have not polled yet: of one database only. */
export const NOT_COPIED = ['kysely_migration', 'kysely_migration_lock', 'schema_steps', 'changes']

/** The tables of this version's schema, each after those that its foreign keys refer to. */
export async function readLayout(): Promise<Table[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shelfmates-layout-'))
  try {
    await (await openDatabase({ dataDir })).close()
    const connection = new DatabaseSync(sqliteFileIn(dataDir))
    try {
      return tablesOf(connection)
    } finally {
      connection.close()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A name as SQL of both engines; names come from the schema only. */
export function quoted(name: string): string {
  return `"${name}"`
}

/** Names as a list in SQL. */
export function listOf(names: readonly string[]): string {
  return names.map(quoted).join(', ')
}

function tablesOf(connection: DatabaseSync): Table[] {
  const found = connection
    .prepare(`SELECT name, sql LIKE '%AUTOINCREMENT%' AS counts FROM sqlite_schema WHERE type = 'table'`)
    .all() as { name: string; counts: number }[]
  const tables = found
    .filter(({ name }) => !name.startsWith('sqlite_') && !NOT_COPIED.includes(name))
    .map(({ name, counts }) => tableOf(connection, name, counts === 1))
  const references = connection.prepare('SELECT DISTINCT "table" AS name FROM pragma_foreign_key_list(?)')
  return inOrder(tables, ({ name }) => references.all(name).map((row) => String(row.name)))
}

function tableOf(connection: DatabaseSync, name: string, counts: boolean): Table {
  const rows = connection
    .prepare('SELECT name, lower(type) AS type, pk FROM pragma_table_info(?)')
    .all(name) as { name: string; type: ColumnType; pk: number }[]
  const key = rows
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map((row) => row.name)
  if (key.length === 0)
    throw new Error(`the table ${name} has no primary key, so it cannot be copied in order`)
  const columns = rows.map((row) => {
    const postgresType = POSTGRES_TYPES[row.type]
    if (!postgresType) throw new Error(`the column ${name}.${row.name} has the unknown type ${row.type}`)
    return { name: row.name, type: row.type, postgresType }
  })
  return { name, columns, key, serial: counts ? key[0] : undefined }
}

function inOrder(tables: Table[], referencesOf: (table: Table) => string[]): Table[] {
  const ordered: Table[] = []
  const waiting = new Set(tables.toSorted((a, b) => a.name.localeCompare(b.name)))
  const isFree = (table: Table) =>
    (table.name !== LAST_TABLE || waiting.size === 1) &&
    referencesOf(table).every(
      (name) => name === table.name || ordered.some((earlier) => earlier.name === name),
    )
  while (waiting.size > 0) {
    const next = [...waiting].find(isFree)
    if (!next) throw new Error('tables refer to each other in a circle, so none can be copied first')
    ordered.push(next)
    waiting.delete(next)
  }
  return ordered
}
