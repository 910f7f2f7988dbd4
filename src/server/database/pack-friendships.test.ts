/**
 * A filled database of the version before friend lists were packed is carried over (docs/decisions/013-pack-friend-lists.md).
 * MIGRATED_PEOPLE: how many people it has, 600 by default, with 30 friends each; prints how long it takes.
 */
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { engines, freshDatabaseOptions, type EngineName } from '../../../tests/support/databases.ts'
import { writeRows } from '../../../tests/support/rows.ts'
import { unpackFriends } from '../library/packed-friends.ts'
import { listFriendIds, listFriends } from '../storage/friends.ts'
import { findPerson } from '../storage/people.ts'
import type { Database } from './database.ts'
import { migrate } from './migrations.ts'
import { type DatabaseOptions, sqliteFileIn } from './open.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

const PEOPLE = Number(process.env.MIGRATED_PEOPLE ?? 600)
const FRIENDS = 30
/** The last migration before this one. */
const STEP_BEFORE = 8
const FIRST_ID = 76_561_197_960_265_729n
/** Far from the first ones, so that account numbers of every length occur. */
const idOf = (nth: number) => String(FIRST_ID + BigInt(nth) * 39_119n)
const SAMPLES = 200
const PEOPLE_PER_INSERT = 1000

/** Opens a database without its migrations. */
function openUnmigrated({ dataDir, databaseUrl }: DatabaseOptions): Promise<Database> {
  return databaseUrl === undefined ? openSqlite(sqliteFileIn(dataDir)) : openPostgres(databaseUrl)
}

async function databaseBefore(engine: EngineName): Promise<Database> {
  const { drop, ...options } = await freshDatabaseOptions(engine, {
    onDisk: 'MIGRATED_PEOPLE' in process.env,
  })
  const database = await openUnmigrated(options)
  onTestFinished(async () => {
    await database.close()
    await drop()
  })
  await migrate(database, { last: STEP_BEFORE })
  return database
}

/** The friends of a person by number: people further around the circle of all, some since an unknown time. */
function friendsOf(nth: number) {
  const friends = Array.from({ length: FRIENDS }, (_, place) => {
    const since = place % 4 === 0 ? null : 1_300_000_000_000 + ((nth * 31 + place * 977) % 400_000_000) * 1000
    return { steamId: idOf((nth + 1 + place * 7) % PEOPLE), since }
  })
  return friends.sort((a, b) => (a.steamId < b.steamId ? -1 : 1))
}

/** Fills the tables as the version before did, with statements of SQL. */
async function fill(database: Database): Promise<void> {
  for (let from = 0; from < PEOPLE; from += PEOPLE_PER_INSERT) {
    const to = Math.min(from + PEOPLE_PER_INSERT, PEOPLE)
    const numbers = sql`WITH RECURSIVE numbers(nth) AS (
      SELECT ${sql.lit(from)} UNION ALL SELECT nth + 1 FROM numbers WHERE nth + 1 < ${sql.lit(to)})`
    await writeRows(database, (tx) =>
      sql`INSERT INTO people (steam_id, display_name)
        ${numbers} SELECT ${textOfId(sql`nth`)}, 'Player ' || nth FROM numbers`.execute(tx),
    )
  }
  for (let from = 0; from < PEOPLE; from += PEOPLE_PER_INSERT) {
    const to = Math.min(from + PEOPLE_PER_INSERT, PEOPLE)
    await writeRows(database, (tx) =>
      sql`INSERT INTO friendships (steam_id, friend_steam_id, since)
        WITH RECURSIVE
          owners(nth) AS (SELECT ${sql.lit(from)} UNION ALL SELECT nth + 1 FROM owners WHERE nth + 1 < ${sql.lit(to)}),
          places(place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM places WHERE place + 1 < ${sql.lit(FRIENDS)})
        SELECT ${textOfId(sql`nth`)}, ${textOfId(sql`((nth + 1 + place * 7) % ${sql.lit(PEOPLE)})`)},
          CASE WHEN place % 4 = 0 THEN NULL
            ELSE 1300000000000 + CAST((nth * 31 + place * 977) % 400000000 AS bigint) * 1000 END
        FROM owners CROSS JOIN places`.execute(tx),
    )
  }
}

function textOfId(nth: ReturnType<typeof sql>) {
  return sql`CAST(${sql.raw(String(FIRST_ID))} + CAST(${nth} AS bigint) * 39119 AS text)`
}

test.each(engines)(
  'every friend list of a filled database is the same after it on %s',
  { timeout: 1_200_000 },
  async (engine) => {
    const database = await databaseBefore(engine)
    await fill(database)
    const started = performance.now()
    await migrate(database)
    const ms = performance.now() - started
    if (process.env.MIGRATED_PEOPLE)
      process.stdout.write(`${engine}: ${PEOPLE} people migrated in ${ms.toFixed(0)} ms\n`)

    const { queries } = database
    let lists = 0
    let friends = 0
    for (let after = ''; ;) {
      const rows = await queries
        .selectFrom('friend_lists')
        .selectAll()
        .where('steam_id', '>', after)
        .orderBy('steam_id')
        .limit(5000)
        .execute()
      if (rows.length === 0) break
      for (const { packed } of rows) friends += unpackFriends(packed).length
      lists += rows.length
      after = rows.at(-1)!.steam_id
    }
    expect([lists, friends]).toEqual([PEOPLE, PEOPLE * FRIENDS])
    for (let sample = 0; sample < SAMPLES; sample++) {
      const nth = Math.floor((sample * PEOPLE) / SAMPLES)
      const listed = await listFriends(queries, idOf(nth))
      expect(listed.map(({ steam_id, since }) => ({ steamId: steam_id, since }))).toEqual(friendsOf(nth))
    }
    const tables = await queries.introspection.getTables()
    if (engine === 'sqlite') expect(tables.map(({ name }) => name)).not.toContain('friendships')
  },
)

test.each(engines)(
  'empty, odd and longest lists, and deleted accounts, are carried over on %s',
  async (engine) => {
    const database = await databaseBefore(engine)
    const { queries } = database
    const [ada, bob, cal, dan] = [idOf(0), idOf(1), idOf(2), '76561202255233023'] as const
    const many = Array.from({ length: 2000 }, (_, nth) => idOf(10 + nth))
    await writeRows(database, async (tx) => {
      const run = (statement: ReturnType<typeof sql>) => statement.execute(tx)
      for (const id of [ada, bob, cal, dan, ...many])
        await run(sql`INSERT INTO people (steam_id) VALUES (${id})`)
      const befriend = (one: string, other: string, since: number | null) =>
        run(
          sql`INSERT INTO friendships (steam_id, friend_steam_id, since) VALUES (${one}, ${other}, ${since})`,
        )
      // The platform has whole seconds; other times are carried over all the same.
      await befriend(ada, bob, 1_700_000_000_123)
      await befriend(ada, dan, 0)
      for (const id of many) await befriend(cal, id, null)
      // Bob's account is deleted; Ada's list still contains him.
      await run(sql`UPDATE people SET deleted_at = 5, library_visibility = 'nobody' WHERE steam_id = ${bob}`)
      await run(sql`INSERT INTO syncs (steam_id, kind, target, started_at, result, counted)
      VALUES (${bob}, 'games', ${bob}, 1, 'ok', 1)`)
    })
    await migrate(database)

    expect(await listFriends(queries, ada)).toEqual([
      { steam_id: bob, display_name: null, since: 1_700_000_000_123 },
      { steam_id: dan, display_name: null, since: 0 },
    ])
    expect(await listFriendIds(queries, bob)).toEqual([])
    expect(await listFriendIds(queries, cal)).toEqual(many)
    expect(await findPerson(queries, bob)).toBeUndefined()
    expect(await findPerson(queries, dan)).toMatchObject({ friends_status: 'never' })
    expect(await queries.selectFrom('syncs').selectAll().execute()).toEqual([])
    const { count } = await queries
      .selectFrom('people')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(2003)
  },
)
