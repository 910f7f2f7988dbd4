/** OPS-24: an installation moves from SQLite to PostgreSQL; what a kill leaves is in tests/chaos/kill-commands.test.ts. */
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, sqliteFileIn } from '../../src/server/database/open.ts'
import { brokenInvariants } from '../chaos/invariants.ts'
import { createLedger } from '../chaos/ledger.ts'
import { lost, signInWriters, writeUntil } from '../chaos/mixed-writes.ts'
import { allRows, nextNumbers } from '../support/all-rows.ts'
import { runCommand, startCommand } from '../support/commands.ts'
import { freshOptions } from '../support/databases.ts'
import { startSteam } from '../support/empty-steam.ts'
import { freePort } from '../support/postgres.ts'
import { startProcess } from '../support/process.ts'

const PASSWORD = 'geheim-4711'

/** A new SQLite database with the tables, and an empty PostgreSQL. */
async function places() {
  const from = await freshOptions('sqlite')
  const to = await freshOptions('postgres')
  await (await openDatabase(from)).close()
  const url = new URL(to.databaseUrl!)
  url.password = PASSWORD
  return { from, to, env: { DATA_DIR: from.dataDir, DATABASE_URL: url.href } }
}

/** Writes to a SQLite file that no server uses. */
function write(dataDir: string, change: (connection: DatabaseSync) => void): void {
  const connection = new DatabaseSync(sqliteFileIn(dataDir))
  try {
    change(connection)
  } finally {
    connection.close()
  }
}

const addPeople = (count: number) => (connection: DatabaseSync) => {
  const statement = connection.prepare('INSERT INTO people (steam_id, display_name) VALUES (?, ?)')
  for (let n = 0; n < count; n++) statement.run(String(76561197960265728n + BigInt(n)), `Person ${n}`)
}

/** Pictures of a megabyte each, so that copying takes many slices. */
const addPictures = (count: number) => (connection: DatabaseSync) => {
  const statement = connection.prepare(
    'INSERT INTO pictures (picture_key, content_type, bytes, created_at) VALUES (?, ?, ?, 1)',
  )
  for (let n = 0; n < count; n++)
    statement.run(randomBytes(16).toString('hex'), 'image/webp', randomBytes(2 ** 20))
}

const refusal = (sentence: RegExp) => ({ code: 1, err: expect.stringMatching(sentence) as string })

async function query(url: string | undefined, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url! })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

test('OPS-24: everything that people did is there after the move, and they stay signed in', async () => {
  const { from, to, env } = await places()
  const { simulator, steam } = await startSteam()
  const before = await startProcess({ DATA_DIR: from.dataDir, ...steam })
  const ledger = createLedger()
  const target = { url: before.url, simulator }
  const writers = await signInWriters(target, ledger, 3)
  await Promise.all(
    writers.map((writer, n) => writeUntil(() => ledger.acknowledged >= 120, target, ledger, writer, n)),
  )
  await before.stop()

  const moved = await runCommand('migrate-to-postgres', env)
  expect(moved).toMatchObject({ code: 0, err: '' })
  expect(moved.out).toMatch(/^people +3 rows\n[^]+\nMoved\. Start the server with DATABASE_URL;/)
  const rows = await allRows(to)
  expect(rows).toEqual(await allRows(from))
  for (const table of [
    'people',
    'libraries',
    'groups',
    'nights',
    'night_people',
    'pictures',
    'syncs',
    'sessions',
  ])
    expect([table, rows[table]?.length]).not.toEqual([table, 0])
  expect(await nextNumbers(to)).toEqual(await nextNumbers(from))

  const after = await startProcess({ DATABASE_URL: env.DATABASE_URL, ...steam })
  expect(await lost(after.url, ledger, writers, ledger.names())).toEqual([])
  // New rows get new numbers.
  const newGroup = await fetch(`${after.url}/api/groups`, {
    method: 'POST',
    headers: { authorization: `Bearer ${writers[0]!.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'After the move', owner_steam_id: writers[0]!.steamId }),
  })
  expect(newGroup.status).toBe(201)
  await after.stop()
  const database = await openDatabase(to)
  onTestFinished(() => database.close())
  expect(await brokenInvariants(database)).toEqual([])
})

test('OPS-24: values stay exact: large numbers, fractions, odd texts, empty and large bytes', async () => {
  const { from, to, env } = await places()
  const texts = [
    '',
    ' ',
    'NULL',
    'null',
    '{a,b}',
    '"',
    "'",
    '\\',
    '\\x41',
    ',',
    '\n\r\t',
    '😀 ﷽',
    '\u{10FFFF}',
    '\u200b',
  ]
  write(from.dataDir, (connection) => {
    addPeople(texts.length)(connection)
    texts.forEach((text, n) =>
      connection
        .prepare('UPDATE people SET display_name = ?, playing_appid = ?, profile_at = ? WHERE rowid = ?')
        .run(text, 9223372036854775807n - BigInt(n), -9223372036854775808n + BigInt(n), n + 1),
    )
    const host = connection.prepare(
      `INSERT INTO platform_hosts (host, blocked_until, next_call_at) VALUES (?, ?, ?)`,
    )
    for (const [n, at] of [0.1 + 0.2, 1e308, 5e-324, -1.5, 1763812345678.5].entries())
      host.run(`host ${n}`, n % 2 ? 2147483647 : -2147483648, at)
    const picture = connection.prepare(
      'INSERT INTO pictures (picture_key, bytes, created_at) VALUES (?, ?, 0)',
    )
    picture.run('none', null)
    picture.run('empty', new Uint8Array(0))
    picture.run('zeros', new Uint8Array(10))
    picture.run(
      'every byte',
      Uint8Array.from({ length: 256 }, (_, n) => n),
    )
    picture.run('large', randomBytes(9 * 2 ** 20))
    // A number that was given and whose row is gone is not given again.
    connection.exec(`INSERT INTO groups (group_id, name, owner_steam_id, created_at)
      VALUES (9007199254740993, 'x', '76561197960265728', 0); DELETE FROM groups`)
    // Tables that other programs add are theirs.
    connection.exec('CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)')
  })
  expect(await runCommand('migrate-to-postgres', env)).toMatchObject({ code: 0 })
  const { _litestream_seq, ...expected } = await allRows(from)
  expect(await allRows(to)).toEqual(expected)
  expect(await nextNumbers(to)).toEqual({ groups: '9007199254740994' })
})

test('OPS-24: a connection that breaks leaves nothing, and the move can be repeated', async () => {
  const { from, to, env } = await places()
  write(from.dataDir, addPictures(48))
  const { ended } = startCommand('migrate-to-postgres', env)
  const breaking = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'INSERT INTO "pictures"%'`
  await expect.poll(() => query(to.databaseUrl, breaking)).not.toEqual([])
  expect(await ended).toMatchObject({
    code: 1,
    err: 'npm run migrate-to-postgres failed: the database is unavailable',
  })
  expect(await runCommand('migrate-to-postgres', env)).toMatchObject({ code: 0 })
  expect(await allRows(to)).toEqual(await allRows(from))
})

test('OPS-24: a database that is not empty is refused and stays as it is', async () => {
  const { from, to, env } = await places()
  await (await openDatabase(to)).close()
  const before = await allRows(to)
  expect(await runCommand('migrate-to-postgres', env)).toMatchObject(
    refusal(/^The database 127\.0\.0\.1:\d+\/postgres is not empty, and nothing in it was changed/),
  )
  expect(await allRows(to)).toEqual(before)

  const other = await places()
  await query(other.to.databaseUrl, 'CREATE TABLE wages (amount integer)')
  expect(await runCommand('migrate-to-postgres', { ...other.env, DATA_DIR: from.dataDir })).toMatchObject(
    refusal(/is not empty/),
  )
  expect(Object.keys(await allRows(other.to))).toEqual(['wages'])
})

test('OPS-24: a database that a server uses is refused', async () => {
  const { from, to, env } = await places()
  await startProcess({ DATA_DIR: from.dataDir })
  expect(await runCommand('migrate-to-postgres', env)).toMatchObject(
    refusal(/^A server uses the database in \S+, /),
  )
  expect(await allRows(to)).toEqual({})
})

test.for([
  [
    'a newer version',
    `INSERT INTO kysely_migration VALUES ('9999_later', '2030-01-01')`,
    /is of a newer version of Shelfmates/,
  ],
  [
    'an older version',
    `DELETE FROM kysely_migration WHERE name > '0007'`,
    /is of an older version .* start this version with it once/,
  ],
  [
    'text that PostgreSQL cannot store',
    `UPDATE people SET display_name = 'a' || char(0) || 'b' WHERE rowid = 2`,
    /^PostgreSQL cannot store a row of the table people \(invalid byte sequence .*0x00\)\. Nothing was moved;/,
  ],
  [
    'a fraction',
    `UPDATE people SET profile_at = 1.5 WHERE rowid = 1`,
    /a row of the table people \(invalid input syntax for type bigint: "1\.5"\)/,
  ],
  [
    'a number out of range',
    `UPDATE people SET personastate = 3000000000`,
    /a row of the table people \(value "3000000000" is out of range for type integer\)/,
  ],
  [
    'a row that belongs to none',
    `PRAGMA foreign_keys = OFF; INSERT INTO calendar_feeds VALUES ('t', 'nobody', 0)`,
    /is damaged \(a row of calendar_feeds belongs to a missing row of people\)/,
  ],
  [
    'a missing column',
    `ALTER TABLE people DROP COLUMN hidden_appids`,
    /^The table people of the SQLite database is damaged \(no such column: .hidden_appids/,
  ],
] as const)('OPS-24: a source with %s is refused, and nothing is moved', async ([, change, sentence]) => {
  const { from, to, env } = await places()
  write(from.dataDir, (connection) => {
    addPeople(3)(connection)
    connection.exec(change)
  })
  const { code, err } = await runCommand('migrate-to-postgres', env)
  expect([code, err]).toEqual([1, expect.stringMatching(sentence)])
  expect(err).not.toMatch(/\.ts:\d/)
  expect(await query(to.databaseUrl, `SELECT 1 FROM pg_tables WHERE schemaname = current_schema()`)).toEqual(
    [],
  )
})

test('OPS-24: the password is in no output, whatever goes wrong', async () => {
  const { from, env } = await places()
  const closed = await freePort()
  const move = (url: string) =>
    runCommand('migrate-to-postgres', { DATA_DIR: from.dataDir, DATABASE_URL: url })
  const attempts = [
    runCommand('migrate-to-postgres', env),
    move(`postgres://u:${PASSWORD}@127.0.0.1:${closed}/x`),
    move(`postgres://u:a/${PASSWORD}@127.0.0.1/x`),
    move(`mysql://u:${PASSWORD}@127.0.0.1/x`),
    runCommand('migrate-to-postgres', { ...env, DATA_DIR: '/nowhere' }),
    runCommand('backup', env),
  ]
  for (const { out, err } of await Promise.all(attempts)) {
    expect(out + err).not.toBe('')
    expect(out + err).not.toContain(PASSWORD)
  }
})
