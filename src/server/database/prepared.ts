/** Statements that are compiled once, for frequent queries where compiling costs more than running. */
import type { Compilable, CompiledQuery } from 'kysely'
import { giveWay } from '../library/slices.ts'
import type { Queries, Tx } from './schema.ts'

const NAME = Symbol('placeholder')
type Placeholder = { [NAME]: string }

type Runner = (query: CompiledQuery) => Promise<unknown[]>
const runners = new WeakMap<Queries | Tx, Runner>()

/**
 * Makes prepared reads of `db` go straight to its engine. The query builder's own path (connection, plugins, log) costs
 * as much as a small read.
 */
export function runPreparedBy(db: Queries, run: Runner): void {
  runners.set(db, run)
}

/**
 * A read that is compiled once per database and run with different values. `build` calls `value(name)` where a value
 * goes. Reads only: on SQLite they run on the read-only connection.
 */
export function prepared<Values extends object, Row>(
  build: (
    db: Queries | Tx,
    value: <Name extends keyof Values & string>(name: Name) => Values[Name],
  ) => Compilable<Row>,
): (db: Queries | Tx, values: Values) => Promise<Row[]> {
  const compiled = new WeakMap<Queries | Tx, CompiledQuery<Row>>()

  return async (db, values) => {
    let query = compiled.get(db)
    if (!query) {
      // Only compiled here, never run, so a placeholder may stand in for a value of any type.
      query = build(db, (name) => ({ [NAME]: name }) as never).compile()
      compiled.set(db, query)
    }
    const parameters = query.parameters.map((parameter) =>
      isPlaceholder(parameter) ? values[parameter[NAME] as keyof Values] : parameter,
    )
    const run = runners.get(db)
    if (run) return (await run({ ...query, parameters })) as Row[]
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}

/** Longest list in one statement; longer ones take several. */
const LIST_MAX = 256

/**
 * As {@link prepared}, for a query that takes a list, and perhaps other values. There is one statement per power of two; a
 * list is padded with its last item. Rows come in no particular order; an empty list gives none.
 */
export function preparedList<Item, Row, Values extends object = object>(
  build: (
    db: Queries | Tx,
    items: Item[],
    value: <Name extends keyof Values & string>(name: Name) => Values[Name],
  ) => Compilable<Row>,
): (db: Queries | Tx, items: readonly Item[], values?: Values) => Promise<Row[]> {
  const bySize = new Map<number, (db: Queries | Tx, values: Item[] & Values) => Promise<Row[]>>()

  function ofSize(size: number) {
    const known = bySize.get(size)
    if (known) return known
    const query = prepared<Item[] & Values, Row>((db, value) =>
      build(
        db,
        Array.from({ length: size }, (_, index) => value(String(index) as never)),
        value,
      ),
    )
    bySize.set(size, query)
    return query
  }

  return async (db, items, values) => {
    const rows: Row[] = []
    for (let start = 0; start < items.length; start += LIST_MAX) {
      const chunk = items.slice(start, start + LIST_MAX)
      const size = 2 ** Math.ceil(Math.log2(chunk.length))
      const filled = [...chunk, ...Array<Item>(size - chunk.length).fill(chunk.at(-1)!)]
      const found = await ofSize(size)(db, Object.assign(filled, values))
      if (items.length <= LIST_MAX) return found
      rows.push(...found)
      await giveWay()
    }
    return rows
  }
}

function isPlaceholder(parameter: unknown): parameter is Placeholder {
  return typeof parameter === 'object' && parameter !== null && NAME in parameter
}
