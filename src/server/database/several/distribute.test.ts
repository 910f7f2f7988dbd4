/** Distributing a database, empty or filled; runs with `npm run test:citus`. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { citusUrl } from '../../../../tests/support/citus.ts'
import { freshDatabaseOptions } from '../../../../tests/support/databases.ts'
import { writeRows } from '../../../../tests/support/rows.ts'
import type { Database } from '../database.ts'
import { distribute, isDistributed } from './distribute.ts'
import { migrate } from '../migrations.ts'
import { openDatabase } from '../open.ts'
import { placements } from './placements.ts'

test('only a PostgreSQL with Citus can be distributed', async () => {
  const { drop, ...place } = await freshDatabaseOptions('sqlite')
  const database = await openDatabase(place)
  onTestFinished(async () => {
    await database.close()
    await drop()
  })
  expect(() => distribute(database)).toThrow('Only PostgreSQL with the extension citus can be distributed.')
})

describe.skipIf(citusUrl)('on one PostgreSQL', () => {
  test('distributing is refused in one sentence, and changes nothing', async () => {
    const { drop, ...place } = await freshDatabaseOptions('postgres')
    const database = await openDatabase(place)
    onTestFinished(async () => {
      await database.close()
      await drop()
    })
    await expect(distribute(database)).rejects.toThrow('This PostgreSQL has no extension citus')
    expect(await database.transaction((tx) => isDistributed(tx))).toBe(false)
  })
})

describe.runIf(citusUrl)('on Citus', () => {
  /** A database that is migrated, but not distributed. */
  async function undistributed(): Promise<Database> {
    const schema = `test_${randomBytes(8).toString('hex')}`
    const maintenance = new pg.Client({ connectionString: citusUrl })
    await maintenance.connect()
    await maintenance.query(`CREATE SCHEMA ${schema}`)
    const url = new URL(citusUrl!)
    url.searchParams.set('options', `-c search_path=${schema} -c citus.shard_count=3`)
    const database = await openDatabase({ dataDir: '', databaseUrl: url.href })
    onTestFinished(async () => {
      await database.close()
      await maintenance.query(`DROP SCHEMA ${schema} CASCADE`)
      await maintenance.end()
    })
    return database
  }
  const IDS = Array.from({ length: 50 }, (_, nth) => String(76561198000000000n + BigInt(nth)))

  async function fill(database: Database): Promise<void> {
    await writeRows(database, async (tx) => {
      for (const steam_id of IDS) {
        await sql`INSERT INTO people (steam_id, display_name) VALUES (${steam_id}, ${`Name ${steam_id}`})`.execute(
          tx,
        )
        await sql`INSERT INTO syncs (steam_id, kind, target, started_at, result, counted)
          VALUES (${steam_id}, 'games', ${steam_id}, 1, 'ok', 1)`.execute(tx)
        await sql`INSERT INTO sessions (steam_id, token_hash, kind, created_at, last_used_at, expires_at, user_agent)
          VALUES (${steam_id}, ${`hash ${steam_id}`}, 'lasting', 1, 1, 9, '')`.execute(tx)
      }
      await sql`INSERT INTO groups (name, owner_steam_id, created_at) VALUES ('Night owls', ${IDS[0]!}, 1)`.execute(
        tx,
      )
      await sql`INSERT INTO group_members (group_id, steam_id, added_at) SELECT 1, steam_id, 1 FROM people`.execute(
        tx,
      )
    })
  }
  const counts = async ({ queries }: Database) => {
    const result: Record<string, number> = {}
    for (const table of Object.keys(placements).filter((name) => name !== 'changes')) {
      const { rows } = await sql<{
        count: number
      }>`SELECT count(*) AS count FROM ${sql.table(table)}`.execute(queries)
      result[table] = rows[0]!.count
    }
    return result
  }

  test('a filled database keeps every row, nothing stays on the coordinator, and a second run changes nothing', async () => {
    const database = await undistributed()
    await fill(database)
    const before = await counts(database)
    const done = await distribute(database)
    expect(await counts(database)).toEqual(before)
    expect(done.find(({ table }) => table === 'people')).toMatchObject({ wasPlaced: false })
    for (const [table, { by, isReference }] of Object.entries(placements)) {
      if (by === undefined && !isReference) continue
      const { rows } = await sql<{
        bytes: number
      }>`SELECT pg_relation_size(${table}::regclass) AS bytes`.execute(database.queries)
      expect([table, rows[0]!.bytes]).toEqual([table, 0])
    }
    expect((await distribute(database)).every(({ wasPlaced }) => wasPlaced)).toBe(true)
    expect(await counts(database)).toEqual(before)
    // New rows get numbers after those that were copied.
    const { sync_id } = await database.queries
      .insertInto('syncs')
      .values({
        steam_id: IDS[0]!,
        kind: 'games',
        target: '',
        started_at: 2,
        finished_at: null,
        result: 'running',
        counted: 1,
        item_count: null,
      })
      .returning('sync_id')
      .executeTakeFirstOrThrow()
    expect(sync_id).toBe(IDS.length + 1)
  })

  test('a table that a later version creates is placed by the migration', async () => {
    const database = await undistributed()
    await distribute(database)
    // As if this version had just created it, and the step were the last one.
    await sql`DROP TABLE playtime_months`.execute(database.queries)
    await sql`CREATE TABLE playtime_months (steam_id text NOT NULL, month integer NOT NULL, packed bytea NOT NULL,
      PRIMARY KEY (steam_id, month))`.execute(database.queries)
    await migrate(database)
    const [months] = (await distribute(database)).filter(({ table }) => table === 'playtime_months')
    expect(months).toMatchObject({ wasPlaced: true })
    // Rows of a player are on one machine, so they are still kept together there.
    const orphan = sql`INSERT INTO playtime_months VALUES ('76561198999999999', 202611, '\\x00')`
    await expect(orphan.execute(database.queries)).rejects.toMatchObject({ code: '23503' })
  })

  test('a table that is distributed in another way is refused', async () => {
    const database = await undistributed()
    await sql`ALTER TABLE used_once DROP CONSTRAINT used_once_pkey`.execute(database.queries)
    await sql`SELECT create_distributed_table('used_once', 'value')`.execute(database.queries)
    await expect(distribute(database)).rejects.toThrow(
      'The table used_once is distributed by value, but Shelfmates needs it by kind',
    )
  })
})
