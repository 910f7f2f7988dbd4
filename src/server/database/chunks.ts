/** Queries over lists that are longer than the number of parameters a statement may have; counts and columns of rows. */
import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import { giveWay } from '../library/slices.ts'
import type { Schema, Tx } from './schema.ts'

/** Items per statement: at a dozen columns each this stays below the parameter limit of both engines. */
const CHUNK = 500

/** Runs `query` over `items` in chunks and returns all rows in order; runs nothing when there are no items. */
export async function inChunks<Item, Row>(
  items: readonly Item[],
  query: (chunk: Item[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (items.length <= CHUNK) return items.length === 0 ? [] : query([...items])
  const rows: Row[] = []
  for (let start = 0; start < items.length; start += CHUNK) {
    rows.push(...(await query(items.slice(start, start + CHUNK))))
    // On SQLite a query runs at once, on the main thread.
    await giveWay()
  }
  return rows
}

/** The number of rows that a query finds. */
export async function countOf<Table extends keyof Schema>(
  query: SelectQueryBuilder<Schema, Table, object>,
): Promise<number> {
  const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

/** One column of rows. */
export function column<Row, Name extends keyof Row>(rows: readonly Row[], name: Name): Row[Name][] {
  return rows.map((row) => row[name])
}

/** How many rows to read, and which to leave out because they failed. */
export type Batch<Row = number> = { limit: number; without: readonly Row[] }

/** Whether a column has none of these values, which may be no values at all. */
export function notAmong(name: string, values: readonly number[]): Expression<boolean> {
  return values.length === 0
    ? sql<boolean>`1 = 1`
    : sql<boolean>`${sql.ref(name)} NOT IN (${sql.join(values)})`
}

/** Deletes the rows of these tables whose column has one of some ids, in the order of the tables. */
export async function deleteRows<Name extends string, Id extends string | number>(
  tx: Tx,
  tables: readonly {
    [Table in keyof Schema]: Name extends keyof Schema[Table] ? Table : never
  }[keyof Schema][],
  name: Name,
  ids: readonly Id[],
): Promise<void> {
  for (const table of tables)
    await inChunks(ids, (some) =>
      tx
        .deleteFrom(table as keyof Schema)
        .where(sql.ref(name), 'in', some)
        .execute(),
    )
}
