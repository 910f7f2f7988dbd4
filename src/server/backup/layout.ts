/** The tables that a copy consists of; tables and columns that others add to a database are left alone. */
import type { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../database/database.ts'
import { TABLES } from '../database/tables.ts'

/** PostgreSQL's types that columns have. */
export type ColumnType = 'text' | 'integer' | 'bigint' | 'double precision' | 'bytea'
export type Column = { name: string; type: ColumnType }

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
const NOT_COPIED = ['kysely_migration', 'kysely_migration_lock', 'schema_steps', 'changes']

/** The tables that are copied, each after those that its foreign keys refer to. */
const COPIED = [...TABLES.filter((name) => name !== LAST_TABLE && !NOT_COPIED.includes(name)), LAST_TABLE]

/** The tables of a new database, for dropping them. */
export const CREATED = [...COPIED, ...NOT_COPIED]

/**
 * The tables to copy, each after those that its foreign keys refer to.
 * @param columns the target's, by table
 * @throws StorageError when the source lacks one of them
 */
export function readLayout(source: DatabaseSync, columns: ReadonlyMap<string, Column[]>): Table[] {
  return COPIED.map((name) => tableOf(source, name, columns.get(name)!))
}

/** A name as SQL of both engines; names come from the schema only. */
export function quoted(name: string): string {
  return `"${name}"`
}

/** Names as a list in SQL. */
export function listOf(names: readonly string[]): string {
  return names.map(quoted).join(', ')
}

function tableOf(source: DatabaseSync, name: string, columns: Column[]): Table {
  const rows = source.prepare('SELECT name, pk FROM pragma_table_info(?)').all(name) as {
    name: string
    pk: number
  }[]
  const missing = columns.find((column) => !rows.some((row) => row.name === column.name))
  if (missing)
    throw new StorageError(`The database ${source.location()} is damaged (no ${name}.${missing.name}).`)
  const key = rows
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map((row) => row.name)
  const counts = source
    .prepare("SELECT 1 FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'")
    .get(name)
  return { name, columns, key, serial: counts && key[0] }
}
