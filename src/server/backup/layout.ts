/** The tables that a copy consists of; tables that other programs add to a database are left alone. */
import type { DatabaseSync } from 'node:sqlite'
import { TABLES } from '../database/tables.ts'

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

/** The tables of a database of this version, each after those that its foreign keys refer to. */
export function readLayout(source: DatabaseSync): Table[] {
  const names = TABLES.filter((name) => name !== LAST_TABLE && !NOT_COPIED.includes(name))
  return [...names, LAST_TABLE].map((name) => tableOf(source, name))
}

/** A name as SQL of both engines; names come from the schema only. */
export function quoted(name: string): string {
  return `"${name}"`
}

/** Names as a list in SQL. */
export function listOf(names: readonly string[]): string {
  return names.map(quoted).join(', ')
}

function tableOf(connection: DatabaseSync, name: string): Table {
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
  const counts = connection
    .prepare("SELECT 1 FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'")
    .get(name)
  return { name, columns, key, serial: counts && key[0] }
}
