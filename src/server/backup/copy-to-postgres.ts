/**
 * Copies a SQLite database into an empty PostgreSQL database (OPS-24, OPS-25). Until the copy is complete and was
 * compared, a row of `installation` marks it as unfinished: no server starts on it, and the next run continues it.
 */
import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type pg from 'pg'
import { type Database, StorageError } from '../database/database.ts'
import { migrate, STEPS, UNFINISHED_COPY } from '../database/migrations.ts'
import { openPostgres } from '../database/postgres.ts'
import { type Column, CREATED, LAST_TABLE, listOf, readLayout, type Table } from './layout.ts'
import {
  columnsAt,
  connect,
  countRowsAt,
  doneAt,
  insertRowsAt,
  isEmpty,
  nameOf,
  readRowsAt,
  setLastNumberAt,
  unfinishedMark,
} from './postgres-rows.ts'
import type { Progress } from './progress.ts'
import { Summing, type TableSum, type Value } from './rows.ts'
import { checkSource, countRows, lastNumber, openSource, readRows } from './sqlite-rows.ts'

/** How long to wait for the connection of a run that was killed; PostgreSQL notices that only after its statement. */
const LOCK_TIMEOUT = '30s'
const LOCK_NOT_AVAILABLE = '55P03'
const INT4_MAX = 2n ** 31n - 1n

type Sums = Map<Table, TableSum>
export type CopyResult = { tables: number; rows: number; continued: boolean }

/**
 * Copies all tables but `changes` from the SQLite database `file`, which stays as it is. With `snapshot` a server may
 * use it during the copy, and what it writes is not in the copy.
 * @throws StorageError when the file is in use (without `snapshot`), the target is neither empty nor an unfinished
 * copy, a value does not fit into PostgreSQL, or the copy differs
 */
export async function copyToPostgres(
  file: string,
  connectionString: string,
  { snapshot, progress }: { snapshot: boolean; progress: Progress },
): Promise<CopyResult> {
  const source = await openSource(file, { snapshot })
  try {
    const client = await connect(connectionString)
    try {
      return await copyTables(source, { client, connectionString }, progress)
    } finally {
      await client.end()
    }
  } finally {
    source.close()
  }
}

type Target = { client: pg.Client; connectionString: string }

async function copyTables(source: DatabaseSync, target: Target, progress: Progress): Promise<CopyResult> {
  const { client } = target
  await lockOut(target)
  // Before the source is read, which takes minutes when it is large: a server that is started during the copy must be
  // refused.
  const isNew = await markTarget(target)
  let sums: Sums
  try {
    checkSource(source)
    sums = sumsOf(source, readLayout(source, await columnsAt(client)), progress)
  } catch (error) {
    if (isNew) await client.query(`DROP TABLE IF EXISTS ${listOf(CREATED)}`)
    throw error
  }
  const continued = await prepareTarget(target, sums)
  await copyRows(source, client, sums, progress)
  await complete(source, client, sums, progress)
  // Without it the first requests would be planned as if the tables were empty.
  await client.query('ANALYZE')
  const rows = [...sums.values()].reduce((total, sum) => total + sum.rows, 0)
  return { tables: sums.size, rows, continued }
}

/**
 * Creates the tables, marked as an unfinished copy, unless they are there. Returns whether it did.
 * @throws StorageError when the target has tables that belong to no unfinished copy
 */
async function markTarget({ client, connectionString }: Target): Promise<boolean> {
  if ((await unfinishedMark(client)) !== undefined) return false
  if (!(await isEmpty(client))) throw notEmpty(connectionString)
  await createTables(connectionString)
  return true
}

function notEmpty(connectionString: string): StorageError {
  return new StorageError(
    `The database ${nameOf(connectionString)} is not empty, and nothing in it was changed; ` +
      'create an empty one (createdb) for the copy.',
  )
}

/** Two copies into one database would mix; the lock ends with the connection. */
async function lockOut({ client, connectionString }: Target): Promise<void> {
  try {
    await client.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`)
    await client.query(`SELECT pg_advisory_lock(hashtextextended('copy', 0))`)
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
    throw new StorageError(`Another copy into ${nameOf(connectionString)} is running; wait for it to end.`)
  }
}

/** Reads the whole source: sizes for the progress, checksums to compare with, and values that would not fit. */
function sumsOf(source: DatabaseSync, tables: Table[], progress: Progress): Sums {
  const counts = new Map(tables.map((table) => [table, countRows(source, table)]))
  progress.begin(
    'Reading',
    [...counts.values()].reduce((total, count) => total + count, 0),
  )
  const sums: Sums = new Map()
  for (const table of tables) {
    const summing = new Summing()
    for (const slice of readRows(source, table)) {
      for (const row of slice.rows)
        for (const [index, column] of table.columns.entries()) {
          const reason = misfit(column, row[index]!)
          if (reason !== undefined) throw misfitError(table, column, row, reason)
        }
      summing.add(slice)
      progress.advance(slice.rows.length, slice.rows.length, table.name)
    }
    sums.set(table, summing.sum)
  }
  progress.end()
  return sums
}

/** Why PostgreSQL cannot store a value in a column; SQLite checks neither type nor range. */
function misfit({ type }: Column, value: Value): string | undefined {
  if (value === null) return undefined
  switch (type) {
    case 'text':
      if (typeof value !== 'string') return 'is not text'
      return value.includes('\0') ? 'has a NUL character' : undefined
    case 'integer':
      if (typeof value !== 'bigint') return 'is not a whole number'
      return value > INT4_MAX || value < -INT4_MAX - 1n ? 'is too large' : undefined
    case 'bigint':
      return typeof value === 'bigint' ? undefined : 'is not a whole number'
    case 'double precision':
      return typeof value === 'number' ? undefined : 'is not a number'
    case 'bytea':
      return value instanceof Uint8Array ? undefined : 'is not binary'
  }
}

function misfitError(table: Table, column: Column, row: readonly Value[], reason: string): StorageError {
  const key = table.key.map((name) => {
    const value = row[table.columns.findIndex((other) => other.name === name)]
    return `${name} ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`
  })
  return new StorageError(
    `PostgreSQL cannot store ${table.name}.${column.name} of the row with ${key.join(', ')}: the value ${reason}. ` +
      'Nothing was copied; correct the value in the SQLite database first.',
  )
}

/** Identifies what is copied: another run continues only if the source has not changed since. */
function markOf(sums: Sums): string {
  const lines = [...sums].map(([{ name }, { rows, checksum }]) => `${name} ${rows} ${checksum}`)
  return createHash('sha256')
    .update([...STEPS, ...lines].join('\n'))
    .digest('hex')
}

/** Empties the tables of an unfinished copy of something else. Returns whether a copy goes on. */
async function prepareTarget({ client, connectionString }: Target, sums: Sums): Promise<boolean> {
  if ((await doneAt(client)).names.join() !== STEPS.join())
    throw new StorageError(
      `The database ${nameOf(connectionString)} is an unfinished copy made by another version of Shelfmates; ` +
        'delete it and create an empty one.',
    )
  const mark = markOf(sums)
  if ((await unfinishedMark(client)) === mark) return true
  await inTransaction(client, async () => {
    await client.query(`TRUNCATE ${listOf([...sums.keys()].map(({ name }) => name))}`)
    await client.query('INSERT INTO installation (name, value) VALUES ($1, $2)', [UNFINISHED_COPY, mark])
  })
  return false
}

async function createTables(connectionString: string): Promise<void> {
  const database: Database = await openPostgres(connectionString)
  try {
    await migrate(database, {
      afterwards: async (tx, isNew) => {
        // A server may have been started on it.
        if (!isNew) throw notEmpty(connectionString)
        await tx.insertInto('installation').values({ name: UNFINISHED_COPY, value: 'empty' }).execute()
      },
    })
  } finally {
    await database.close()
  }
}

/** Copies the rows that are missing. Both sides have the same order, so those that are there are the first ones. */
async function copyRows(
  source: DatabaseSync,
  client: pg.Client,
  sums: Sums,
  progress: Progress,
): Promise<void> {
  progress.begin('Copying', bytesIn(sums))
  // The last commit waits for the disk, and so for all before it.
  await client.query('SET synchronous_commit = off')
  for (const [table, { rows, bytes }] of sums) {
    if (table.name === LAST_TABLE) continue
    const copied = await countRowsAt(client, table)
    progress.advance((bytes * Math.min(copied, rows)) / Math.max(1, rows), copied, table.name)
    for (const slice of readRows(source, table, copied)) {
      await insertRowsAt(client, table, slice.rows)
      progress.advance(slice.bytes, slice.rows.length, table.name)
    }
  }
  await client.query('SET synchronous_commit = on')
  progress.end()
}

/** Replaces the mark by the rows of the last table, and commits that only if everything is equal. */
async function complete(
  source: DatabaseSync,
  client: pg.Client,
  sums: Sums,
  progress: Progress,
): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(`DELETE FROM ${LAST_TABLE}`)
    for (const table of sums.keys()) {
      if (table.serial !== undefined) await setLastNumberAt(client, table, lastNumber(source, table))
      if (table.name !== LAST_TABLE) continue
      for (const { rows } of readRows(source, table)) await insertRowsAt(client, table, rows)
    }
    progress.begin('Comparing', bytesIn(sums))
    for (const [table, expected] of sums) {
      const summing = new Summing()
      for await (const slice of readRowsAt(client, table)) {
        summing.add(slice)
        progress.advance(slice.bytes, slice.rows.length, table.name)
      }
      checkSum(table, expected, summing.sum)
    }
    progress.end()
  })
}

/** @throws StorageError when a copied table differs from its original */
function checkSum({ name }: Table, expected: TableSum, found: TableSum): void {
  if (expected.rows === found.rows && expected.checksum === found.checksum) return
  throw new StorageError(
    `The copy of the table ${name} differs from the original (${found.rows} rows instead of ${expected.rows}, ` +
      `checksum ${found.checksum} instead of ${expected.checksum}); delete the copy and try again.`,
  )
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN')
  try {
    await work()
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

function bytesIn(sums: Sums): number {
  return [...sums.values()].reduce((total, { bytes }) => total + bytes, 0)
}
