/** Upgrades of a database that the last release with counted migrations has written. */
import { describe, expect, test } from 'vitest'
import { type AllRows, allRows, nextNumbers } from '../../../tests/support/all-rows.ts'
import { countedDatabase, run } from '../../../tests/support/counted-database.ts'
import { engines, freshOptions, openForTest } from '../../../tests/support/databases.ts'
import { StorageError } from './database.ts'
import { STEPS } from './migrations.ts'
import { type DatabaseOptions, openDatabase } from './open.ts'
import { TABLES } from './tables.ts'

/** Tables, columns, keys and indexes, whatever their order. */
async function schemaOf(options: DatabaseOptions): Promise<unknown[]> {
  return run(
    options,
    options.databaseUrl === undefined
      ? `SELECT t.name AS place, c.name, c.type, c."notnull", c.dflt_value, c.pk, NULL AS is_unique
           FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'
         UNION ALL SELECT t.name, f."from", f."table", 0, NULL, 0, NULL
           FROM sqlite_schema t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table'
         UNION ALL SELECT i.name, c.name, s.sql LIKE '% WHERE %', c.seqno, NULL, c.desc, i."unique"
           FROM sqlite_schema t, pragma_index_list(t.name) i, pragma_index_xinfo(i.name) c
           LEFT JOIN sqlite_schema s ON s.name = i.name WHERE t.type = 'table'
         ORDER BY 1, 2, 3, 4`
      : `SELECT table_name AS place, column_name AS name, concat_ws(' ', data_type, is_nullable, column_default, is_identity) AS is
           FROM information_schema.columns WHERE table_schema = current_schema()
         UNION ALL SELECT tablename, indexname, replace(indexdef, current_schema() || '.', '')
           FROM pg_indexes WHERE schemaname = current_schema()
         UNION ALL SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)
           FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
         ORDER BY 1, 2, 3`,
  )
}

/** Rows without the tables, columns and facts of the installation that later steps have added. */
function withColumnsOf(before: AllRows, after: AllRows): AllRows {
  const valuesOf = (row: string) => Object.entries(JSON.parse(row) as Record<string, unknown>)
  return Object.fromEntries(
    Object.entries(before).map(([table, rows]) => {
      const known = new Set(valuesOf(rows[0] ?? '{}').map(([column]) => column))
      const old = after[table]!.filter((row) => !row.includes('"name":"push_key"'))
      const kept = old.map((row) => valuesOf(row).filter(([column]) => known.has(column)))
      return [table, kept.map((values) => JSON.stringify(Object.fromEntries(values))).sort()]
    }),
  )
}

describe.each(engines.filter((engine) => engine !== 'citus'))(
  'a database with counted migrations on %s',
  (engine) => {
    test('DATA-5: keeps every row, and has then the schema of a new one', async () => {
      const options = await countedDatabase(engine)
      const [before, numbers] = [await allRows(options), await nextNumbers(options)]
      expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(25)
      await (await openDatabase(options)).close()
      expect(withColumnsOf(before, await allRows(options))).toEqual(before)
      expect(await nextNumbers(options)).toMatchObject(numbers)

      const fresh = await freshOptions(engine)
      await (await openDatabase(fresh)).close()
      expect(await schemaOf(options)).toEqual(await schemaOf(fresh))
      for (const each of [options, fresh]) {
        const names = await run(each, 'SELECT name FROM kysely_migration ORDER BY name')
        expect(names).toEqual(STEPS.map((name) => ({ name })))
        // More than the releases before know, which refuse it therefore.
        expect(await run(each, 'SELECT max(step) AS last FROM schema_steps')).toEqual([{ last: 18 }])
      }
      const { queries } = await openForTest(options)
      const [night] = await queries
        .selectFrom('nights')
        .select('title')
        .where('title', 'is not', null)
        .execute()
      expect(night).toEqual({ title: 'Friday as always' })
    })

    test.runIf(engine === 'postgres')('DATA-5: is taken over beside a server of that release', async () => {
      const options = await countedDatabase(engine)
      await run(options, `UPDATE servers SET seen_at = ${Date.now()}, stopped_at = NULL`)
      await openForTest(options)
    })

    test('DATA-5: that is not at the last of them is refused in one sentence, and nothing is changed', async () => {
      const options = await countedDatabase(engine)
      await run(options, 'DELETE FROM schema_steps WHERE step = 17')
      const before = await allRows(options)
      const opening = openDatabase(options)
      await expect(opening).rejects.toThrow(StorageError)
      await expect(opening).rejects.toThrow(
        /^The database is of a version of Shelfmates that this one cannot migrate .*; start .* with it once, then this one\.$/,
      )
      expect(await allRows(options)).toEqual(before)
      expect(await run(options, 'SELECT max(step) AS last FROM schema_steps')).toEqual([{ last: 16 }])
    })
  },
)

test('OPS-24: each table of the schema stands after those that it refers to, so that copies and resets can go by it', async () => {
  const options = await freshOptions('sqlite')
  await (await openDatabase(options)).close()
  const references = (await run(
    options,
    `SELECT DISTINCT t.name, f."table" AS other FROM sqlite_schema t, pragma_foreign_key_list(t.name) f
      WHERE t.type = 'table' AND f."table" <> t.name`,
  )) as { name: (typeof TABLES)[number]; other: (typeof TABLES)[number] }[]
  expect(references.length).toBeGreaterThan(10)
  expect(references.filter(({ name, other }) => TABLES.indexOf(name) <= TABLES.indexOf(other))).toEqual([])
})
