/** Lists in queries, rows in chunks, and counts and columns of rows. */
import {
  type BinaryOperationNode,
  type Insertable,
  OperatorNode,
  PrimitiveValueListNode,
  type SelectQueryBuilder,
  sql,
} from 'kysely'
import { giveWay } from '../library/slices.ts'
import type { Queries, Schema, Tx } from './schema.ts'

/**
 * The list of `in` or `not in`, if this is one. Both engines take it as one value, so that a query has one text, however long
 * the list is, and also an empty one is allowed.
 */
export function listIn({ operator, rightOperand }: BinaryOperationNode) {
  if (!PrimitiveValueListNode.is(rightOperand)) return undefined
  return { values: rightOperand.values, isNot: OperatorNode.is(operator) && operator.operator === 'not in' }
}

/** Rows per statement: at a dozen columns each they stay below the number of values that both engines take. */
const CHUNK = 256

/**
 * Runs `query` over `items` in chunks and returns all rows in order; runs nothing when there are no items. For rows that are
 * inserted, or are many or large: on SQLite a query runs at once, on the main thread.
 */
export async function inChunks<Item, Row>(
  items: readonly Item[],
  query: (chunk: Item[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (items.length <= CHUNK) return items.length === 0 ? [] : query([...items])
  const rows: Row[] = []
  for (let start = 0; start < items.length; start += CHUNK) {
    rows.push(...(await query(items.slice(start, start + CHUNK))))
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

/** Inserts a row, or sets `values` in the one that has this key. */
export async function upsert<Name extends keyof Schema, Key extends keyof Insertable<Schema[Name]>>(
  db: Queries | Tx,
  table: Name,
  key: Pick<Insertable<Schema[Name]>, Key>,
  values: Omit<Insertable<Schema[Name]>, Key>,
): Promise<void> {
  await db
    .insertInto(table)
    .values({ ...key, ...values } as never)
    .onConflict((conflict) => conflict.columns(Object.keys(key) as never).doUpdateSet(values as never))
    .execute()
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
  if (ids.length === 0) return
  for (const table of tables)
    await tx
      .deleteFrom(table as keyof Schema)
      .where(sql.ref(name), 'in', ids)
      .execute()
}
