/** Upgrades of a database that an earlier version has written, and servers that meet a newer one. */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type AllRows, allRows, nextNumbers, run } from '../../../tests/support/all-rows.ts'
import { engines, freshOptions, openForTest } from '../../../tests/support/databases.ts'
import { earlierDatabase } from '../../../tests/support/earlier-release.ts'
import { ensurePlayers } from '../storage/players/players.ts'
import { DatabaseUnavailableError, StorageError } from './database.ts'
import { migrate, STEPS } from './migrations.ts'
import { type DatabaseOptions, openDatabase } from './open.ts'
import { allSteps, type Step } from './steps.ts'
import { TABLES } from './schema.ts'

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

/** Rows of the tables that both have, with the columns and facts that both have. */
function shared(rows: AllRows, others: AllRows): AllRows {
  const valuesOf = (row = '{}') => Object.entries(JSON.parse(row) as Record<string, unknown>)
  return Object.fromEntries(
    TABLES.filter((table) => rows[table] && others[table] && table !== 'changes').map((table) => {
      const columns = new Set(valuesOf(others[table]![0]).map(([column]) => column))
      // Step 0012 changes it; the test below looks at that.
      if (table === 'nights') columns.delete('seed')
      const kept = rows[table]!.map((row) => valuesOf(row).filter(([column]) => columns.has(column)))
      const texts = kept.map((values) => JSON.stringify(Object.fromEntries(values)))
      return [table, texts.map((text) => text.replaceAll(/,\\"played_together\\":[^,}]*/g, '')).sort()]
    }),
  )
}

describe.each(engines.filter((engine) => engine !== 'citus'))('an earlier database on %s', (engine) => {
  test('DATA-5: keeps every row, and has then the schema of a new one', async () => {
    const options = await earlierDatabase(engine)
    const [before, numbers] = [await allRows(options), await nextNumbers(options)]
    expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(35)
    await (await openDatabase(options)).close()
    const after = await allRows(options)
    expect(shared(after, before)).toEqual(shared(before, after))
    // Picture changes are counted elsewhere since step 0013.
    const { picture_changes: _, ...kept } = numbers
    expect(await nextNumbers(options)).toMatchObject(kept)

    const fresh = await freshOptions(engine)
    await (await openDatabase(fresh)).close()
    expect(await schemaOf(options)).toEqual(await schemaOf(fresh))
    for (const each of [options, fresh]) {
      const names = await run(each, 'SELECT name FROM kysely_migration ORDER BY name')
      expect(names).toEqual(STEPS.map((name) => ({ name })))
    }
  })

  test('NIGHT-32: shows the seeds and hashes of draws as it did before', async () => {
    const options = await earlierDatabase(engine)
    const secret = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'
    const [first, second] = [
      '050299e31bc62fccc31c5aabacd59b24a9153b7e6b2d9f943455c1f0304172d7',
      'ecd09841516321736f700bc336172d18d502aa0d61835994741a857bccead7d1',
    ]
    await run(options, `UPDATE nights SET seed = '${secret}'`)
    await run(options, `DELETE FROM night_draws WHERE number > 1`)
    await run(options, `UPDATE night_draws SET "by" = 'draw'`)
    await (await openDatabase(options)).close()
    const draws = await run(options, 'SELECT DISTINCT number, seed FROM night_draws')
    expect(draws).toEqual([{ number: 1, seed: first }])
    const seedsOf = (which: string) =>
      run(
        options,
        `SELECT DISTINCT seed FROM nights WHERE night_id ${which} (SELECT night_id FROM night_draws)`,
      )
    expect(await seedsOf('IN')).toEqual([{ seed: second }])
    expect(await seedsOf('NOT IN')).toEqual([{ seed: first }])
  })

  test('NIGHT-69: keeps webhooks of groups alone, and those of other chats as JSON', async () => {
    const options = await earlierDatabase(engine)
    const [{ person }] = (await run(options, 'SELECT min(steam_id) AS person FROM people')) as [
      { person: string },
    ]
    await run(options, `UPDATE webhooks SET format = 'slack'`)
    await run(options, 'DELETE FROM webhooks WHERE group_id IS NULL')
    await run(
      options,
      `INSERT INTO webhooks (webhook_id, group_id, url, format, secret, created_by, created_at)
          VALUES (999, NULL, 'https://example.org', 'json', 's', '${person}', 1)`,
    )
    await run(
      options,
      `INSERT INTO messages (webhook_id, event, body, next_attempt_at, created_at) VALUES (999, 'test', '{}', 1, 1)`,
    )
    await (await openDatabase(options)).close()
    expect(await run(options, 'SELECT DISTINCT format FROM webhooks')).toEqual([{ format: 'json' }])
    for (const table of ['webhooks', 'messages'])
      expect(await run(options, `SELECT webhook_id FROM ${table} WHERE webhook_id = 999`)).toEqual([])
  })

  test('NIGHT-50: links of nights end after their start, also of those that were moved', async () => {
    const options = await earlierDatabase(engine)
    await run(
      options,
      `INSERT INTO invites (token, night_id, created_by, created_at, expires_at)
          SELECT 'a link', min(night_id), min(host_steam_id), 1, 2 FROM nights WHERE host_steam_id IS NOT NULL`,
    )
    await run(options, "UPDATE nights SET status = 'open'")
    await (await openDatabase(options)).close()
    const [link] = (await run(
      options,
      `SELECT i.expires_at - n.starts_at AS after_start FROM invites i JOIN nights n ON n.night_id = i.night_id
          WHERE token = 'a link'`,
    )) as [{ after_start: string | number }]
    expect(Number(link.after_start)).toBe(12 * 60 * 60_000)
  })

  test.each([
    { what: 'ends a series that was passed on to somebody who has not agreed', whom: '=', left: 0 },
    { what: 'keeps one that leaves out somebody else', whom: '<>', left: 1 },
  ])('SERIES-7: $what', async ({ whom, left }) => {
    const options = await earlierDatabase(engine)
    await run(options, 'DELETE FROM night_series_left_out')
    await run(
      options,
      `INSERT INTO night_series_left_out (series_id, steam_id)
          SELECT series_id, steam_id FROM night_series JOIN people ON steam_id ${whom} host_steam_id LIMIT 1`,
    )
    await (await openDatabase(options)).close()
    for (const table of ['night_series', 'night_series_left_out'])
      expect(await run(options, `SELECT series_id FROM ${table}`)).toHaveLength(left)
  })

  test('NIGHT-134: keeps what players said in nights that they own as owned elsewhere', async () => {
    const options = await earlierDatabase(engine)
    const [{ night, person }] = (await run(
      options,
      'SELECT min(night_id) AS night, min(steam_id) AS person FROM night_people',
    )) as [{ night: number; person: string }]
    await run(options, `DELETE FROM night_people WHERE steam_id = '${person}'`)
    await run(
      options,
      `INSERT INTO night_people (night_id, steam_id, added_at, claims) VALUES (${night}, '${person}', 1, '30,10')`,
    )
    await (await openDatabase(options)).close()
    expect(await run(options, 'SELECT steam_id, elsewhere FROM people WHERE elsewhere IS NOT NULL')).toEqual([
      { steam_id: person, elsewhere: '30:other,10:other' },
    ])
  })

  test.each([
    ['from before the named migrations', 'DROP TABLE kysely_migration'],
    ['older than those that are upgraded', `DELETE FROM kysely_migration WHERE name > '0004'`],
  ])('DATA-5: one %s is refused in one sentence, and nothing is changed', async (_, statement) => {
    const options = await earlierDatabase(engine)
    await run(options, statement)
    const before = await allRows(options)
    const opening = openDatabase(options)
    await expect(opening).rejects.toThrow(StorageError)
    await expect(opening).rejects.toThrow(
      /^The database is of a version .* which this one cannot migrate; start .* then this one\.$/,
    )
    expect(await allRows(options)).toEqual(before)
  })

  test('OPS-38: one of a newer version is refused in one sentence, and nothing is changed', async () => {
    const options = await freshOptions(engine)
    await (await openDatabase(options)).close()
    await run(options, `INSERT INTO kysely_migration (name, timestamp) VALUES ('9999_later', '2030-01-01')`)
    const before = await allRows(options)
    await expect(openDatabase(options)).rejects.toThrow(
      /^The database is of a newer version of Shelfmates \(migration 9999_later, .*\); start that version, [^.]+\.$/,
    )
    expect(await allRows(options)).toEqual(before)
  })
})

describe('OPS-38: servers on PostgreSQL that meet a newer schema', () => {
  const later: Step = async (db) => {
    await sql`ALTER TABLE people ADD COLUMN later bigint`.execute(db)
  }
  const newer = { ...allSteps, '9999_later': later }

  test('OPS-38: write nothing more, read nothing more, and say so once', async () => {
    const options = await freshOptions('postgres')
    const said: string[] = []
    const onMoved = ({ message }: StorageError) => void said.push(message)
    const servers = [
      await openForTest({ ...options, onMoved }),
      await openForTest({ ...options, onMoved }),
    ] as const
    const { position } = await servers[1].changesSince(undefined)
    await migrate(await openForTest(options), { steps: newer })

    // One finds it by a write, the other by the look at changes that precedes a read.
    const write = servers[0].transaction((tx) => ensurePlayers(tx, ['76561197960265729']))
    await expect(write).rejects.toThrow(DatabaseUnavailableError)
    await expect(async () => servers[1].changesSince(position)).rejects.toThrow(DatabaseUnavailableError)
    expect(said).toHaveLength(2)
    for (const sentence of said)
      expect(sentence).toMatch(/^A newer version .*\(migration 9999_later\), so this server .* ends; [^.]+/)

    for (const server of servers) {
      await expect(server.ready()).rejects.toThrow(DatabaseUnavailableError)
      await expect(server.transaction((tx) => ensurePlayers(tx, ['76561197960265729']))).rejects.toThrow(
        DatabaseUnavailableError,
      )
      await expect(server.queries.deleteFrom('people').execute()).rejects.toThrow()
    }
    expect(await run(options, 'SELECT steam_id FROM people')).toEqual([])
    expect(said).toHaveLength(2)
  })

  test('OPS-38: a migration waits for transactions that run, and those that come later find it', async () => {
    const options = await freshOptions('postgres')
    const [older, other] = [await openForTest(options), await openForTest(options)]
    const { promise: held, resolve: hold } = Promise.withResolvers<void>()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const first = older.transaction(async (tx) => {
      hold()
      await ended
      await ensurePlayers(tx, ['76561197960265729'])
    })
    await held
    const migrating = migrate(other, { steps: newer })
    const waits = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`
    await expect.poll(() => run(options, waits)).toHaveLength(1)
    const second = older.transaction((tx) => ensurePlayers(tx, ['76561197960265730']))
    const isRefused = expect(second).rejects.toThrow(DatabaseUnavailableError)
    await expect.poll(() => run(options, waits)).toHaveLength(2)
    end()
    await first
    await migrating
    await isRefused
    expect(await run(options, 'SELECT steam_id FROM people')).toEqual([{ steam_id: '76561197960265729' }])
  })
})

test('OPS-24: each table of the schema stands after those that it refers to, so that moves and resets can go by it', async () => {
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
