/** Prepared statements of one connection to SQLite. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'

/** Cached prepared statements per connection; lists of different lengths are different statements. */
const STATEMENTS_MAX = 500

export type Runner = (query: CompiledQuery) => QueryResult<unknown>

/** Runs compiled queries on one connection and caches the prepared statements, least recently used out first. */
export function statementRunner(database: DatabaseSync): Runner {
  type Prepared = { statement: StatementSync; returnsRows: boolean }
  const cache = new Map<string, Prepared>()

  function prepared(sql: string): Prepared {
    const known = cache.get(sql)
    if (known) {
      cache.delete(sql)
      cache.set(sql, known)
      return known
    }
    const statement = database.prepare(sql)
    const fresh = { statement, returnsRows: statement.columns().length > 0 }
    const [oldest] = cache.keys()
    if (cache.size >= STATEMENTS_MAX && oldest !== undefined) cache.delete(oldest)
    cache.set(sql, fresh)
    return fresh
  }

  return ({ sql, parameters }) => {
    const { statement, returnsRows } = prepared(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows) return { rows: statement.all(...values) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
}

type Row = Record<string, unknown>

/**
 * Runs prepared reads (prepared.ts), whose columns never change. The binding's own objects are dictionaries, which take
 * twice as long to create and to read as copies of an object that has all columns.
 */
export function preparedReader(database: DatabaseSync): (query: CompiledQuery) => Row[] {
  type Prepared = { statement: StatementSync; columns: string[]; empty: Row }
  const cache = new Map<string, Prepared>()

  function prepare(sql: string): Prepared {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    const columns = statement.columns().map(({ name }) => name)
    // Parsed, so that the object has room for all its fields, and its copies too.
    const empty = JSON.parse(`{${columns.map((name) => `${JSON.stringify(name)}:null`).join(',')}}`) as Row
    return { statement, columns, empty }
  }

  return ({ sql, parameters }) => {
    let known = cache.get(sql)
    if (!known) cache.set(sql, (known = prepare(sql)))
    const { statement, columns, empty } = known
    const arrays = statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][]
    return arrays.map((values) => {
      const row = { ...empty }
      for (let index = 0; index < columns.length; index++) row[columns[index]!] = values[index]
      return row
    })
  }
}
