/** The guarantees of both engines: opening, durability, transactions and locks. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeOnEachEngine, engines, freshDatabaseOptions } from '../../../tests/support/databases.ts'
import { type Database, DatabaseBusyError, StorageError } from './database.ts'
import { createGroup } from '../storage/groups.ts'
import { addMembers, endMembership } from '../storage/memberships.ts'
import { readLibrary, writeLibrary } from '../storage/libraries.ts'
import { openDatabase, type DatabaseOptions, SQLITE_FILE } from './open.ts'
import type { Queries } from './schema.ts'
import { listFriendIds } from '../storage/friends.ts'
import {
  ensurePeople,
  findPerson,
  readPeople,
  saveProfiles,
  setLibraryVisibility,
} from '../storage/people.ts'
import { insertPicture } from '../storage/pictures.ts'
import { readSignInRule } from '../storage/sign-in-rule.ts'
import { useOnce } from '../storage/used-once.ts'

const [ada, bob] = ['76561197960265729', '76561197960265730'] as const

async function freshOptions(
  engine: (typeof engines)[number],
): Promise<DatabaseOptions & { dataDir: string }> {
  const { drop, ...options } = await freshDatabaseOptions(engine)
  onTestFinished(drop)
  return options
}

async function open(options: DatabaseOptions): Promise<Database> {
  const database = await openDatabase(options)
  onTestFinished(() => database.close())
  return database
}

describe.each(engines)('opening on %s', (engine) => {
  test('servers that start at once on an empty database all serve it', async () => {
    const options = await freshOptions(engine)
    const [first, second, third] = await Promise.all([open(options), open(options), open(options)])

    await first.transaction((tx) => ensurePeople(tx, [ada]))
    await second.transaction((tx) =>
      writeLibrary(tx, ada, {
        packed: new Uint8Array([9]),
        gameCount: 1,
        totalMinutes: 2,
        at: 3,
      }),
    )

    expect(await readLibrary(third.queries, ada)).toMatchObject({ version: 1, total_minutes: 2 })
  })

  test('two servers of one database add to the same rows without losing an update', async () => {
    const options = await freshOptions(engine)
    const servers = await Promise.all([open(options), open(options)])
    await servers[0].transaction((tx) => ensurePeople(tx, [ada]))
    const library = { packed: new Uint8Array(1), gameCount: 1, totalMinutes: 1, at: 1 }

    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 4 < 2
          ? servers[n % 2]!.transaction((tx) => writeLibrary(tx, ada, library))
          : servers[n % 2]!.transaction((tx) => writeLibrary(tx, ada, library)),
      ),
    )

    expect((await readLibrary(servers[1].queries, ada))?.version).toBe(40)
  })

  test('a one-time value can be used on only one of two servers', async () => {
    const options = await freshOptions(engine)
    const servers = await Promise.all([open(options), open(options)])
    const uses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => useOnce(servers[n % 2]!.queries, 'state', 's', 100)),
    )
    expect(uses.filter(Boolean)).toHaveLength(1)
  })

  test('stored data is there after closing and reopening', async () => {
    const options = await freshOptions(engine)
    const before = await openDatabase(options)
    await before.transaction((tx) => ensurePeople(tx, [ada]))
    await before.close()
    await expect(before.ready()).rejects.toThrow()

    const after = await open(options)
    await after.ready()
    expect(await findPerson(after.queries, ada)).toMatchObject({ steam_id: ada, friends_status: 'never' })
  })

  test('a database of a newer version is refused in one sentence', async () => {
    const options = await freshOptions(engine)
    const newer = await openDatabase(options)
    await sql`INSERT INTO schema_steps (step, done_at) VALUES (9999, 0)`.execute(newer.queries)
    await newer.close()

    const opening = openDatabase(options)
    await expect(opening).rejects.toThrow(StorageError)
    await expect(opening).rejects.toThrow(/^The database is of a newer version of Shelfmates .*\.$/)
  })

  test('who left a group before departures had terms left by themselves and may come back', async () => {
    const options = await freshOptions(engine)
    const before = await openDatabase(options)
    await before.transaction((tx) => ensurePeople(tx, [ada]))
    const id = await before.transaction(async (tx) => {
      const created = await createGroup(tx, { name: 'Friday', owner: ada, at: 1 })
      await endMembership(tx, created, ada, { removed: true, at: 2 })
      return created
    })
    for (const column of ['removed', 'may_return', 'forgotten'])
      await sql`ALTER TABLE group_departures DROP COLUMN ${sql.ref(column)}`.execute(before.queries)
    await sql`ALTER TABLE apps DROP COLUMN is_free`.execute(before.queries)
    await undoHiddenGamesAndMonths(before)
    await sql`DELETE FROM schema_steps WHERE step >= 4`.execute(before.queries)
    await before.close()

    const { queries } = await open(options)
    expect(await queries.selectFrom('group_departures').selectAll().execute()).toEqual([
      { group_id: id, steam_id: ada, left_at: 2, removed: 0, may_return: 1, forgotten: 0 },
    ])
  })

  test('people and libraries stored before games could be hidden are kept, with none hidden', async () => {
    const options = await freshOptions(engine)
    const before = await openDatabase(options)
    await before.transaction((tx) => ensurePeople(tx, [ada, bob]))
    await before.transaction((tx) => setLibraryVisibility(tx, ada, 'groups'))
    await before.transaction((tx) =>
      writeLibrary(tx, ada, {
        packed: new Uint8Array([9]),
        gameCount: 1,
        totalMinutes: 2,
        at: 3,
      }),
    )
    await undoHiddenGamesAndMonths(before)
    await sql`DELETE FROM schema_steps WHERE step >= 6`.execute(before.queries)
    await before.close()

    const { queries } = await open(options)
    expect(await findPerson(queries, ada)).toMatchObject({
      library_visibility: 'groups',
      hidden_appids: null,
      playing_appid: null,
    })
    expect(await readLibrary(queries, ada)).toMatchObject({
      packed: new Uint8Array([9]),
      total_minutes: 2,
      tracked_since: null,
    })
    expect(await findPerson(queries, bob)).toBeDefined()
    expect(await queries.selectFrom('playtime_months').selectAll().execute()).toEqual([])
  })

  test('groups stored before there were game nights are kept; a “not tonight” only weighs, and they share', async () => {
    const options = await freshOptions(engine)
    const before = await openDatabase(options)
    await before.transaction((tx) => ensurePeople(tx, [ada]))
    const id = await before.transaction((tx) => createGroup(tx, { name: 'Friday', owner: ada, at: 1 }))
    await undoNights(before.queries)
    await sql`DELETE FROM schema_steps WHERE step >= 8`.execute(before.queries)
    await before.close()

    const { queries } = await open(options)
    expect(await queries.selectFrom('groups').selectAll().execute()).toMatchObject([
      { group_id: id, name: 'Friday', owner_steam_id: ada, not_tonight_forbids: 0, shares: 1 },
    ])
    expect(await queries.selectFrom('nights').selectAll().execute()).toEqual([])
  })

  test('people stored before there were operators are kept; nobody is blocked, and anyone may sign in', async () => {
    const options = await freshOptions(engine)
    const before = await openDatabase(options)
    await before.transaction((tx) => ensurePeople(tx, [ada]))
    await before.transaction((tx) => setLibraryVisibility(tx, ada, 'groups'))
    await undoOperators(before.queries)
    await sql`DELETE FROM schema_steps WHERE step >= 9`.execute(before.queries)
    await before.close()

    const { queries } = await open(options)
    expect(await findPerson(queries, ada)).toMatchObject({ library_visibility: 'groups', blocked_at: null })
    expect(await readSignInRule(queries)).toEqual({ who: 'anyone', steamIds: [], deleted: [] })
  })

  test('acknowledged writes survive a kill -9', async () => {
    const options = await freshOptions(engine)
    const acknowledged = await writeUntilKilled(options, 150)

    const { queries } = await open(options)
    const people = await readPeople(queries, acknowledged)
    expect([...people.keys()].sort()).toEqual(acknowledged)
    for (const id of acknowledged)
      expect(await readLibrary(queries, id), id).toMatchObject({
        version: 1,
        packed: new TextEncoder().encode(id),
      })
  })
})

/** Takes the database back to before step 6. */
async function undoHiddenGamesAndMonths({ queries }: Database): Promise<void> {
  for (const [table, column] of [
    ['people', 'hidden_appids'],
    ['people', 'playing_appid'],
    ['libraries', 'tracked_since'],
  ] as const)
    await sql`ALTER TABLE ${sql.ref(table)} DROP COLUMN ${sql.ref(column)}`.execute(queries)
  await sql`DROP TABLE playtime_months`.execute(queries)
  await sql`DROP TABLE changes`.execute(queries)
  await undoNights(queries)
}

async function undoOperators(queries: Queries): Promise<void> {
  for (const index of ['people_blocked', 'people_signed_in'])
    await sql`DROP INDEX ${sql.ref(index)}`.execute(queries)
  await sql`ALTER TABLE people DROP COLUMN blocked_at`.execute(queries)
  for (const table of ['blocked_accounts', 'group_reports', 'operator_log', 'servers'])
    await sql`DROP TABLE ${sql.ref(table)}`.execute(queries)
}

async function undoNights(queries: Queries): Promise<void> {
  await undoOperators(queries)
  for (const column of ['not_tonight_forbids', 'shares'])
    await sql`ALTER TABLE groups DROP COLUMN ${sql.ref(column)}`.execute(queries)
  for (const table of [
    'calendar_feeds',
    'messages',
    'webhooks',
    'invites',
    'night_draws',
    'night_people',
    'nights',
  ])
    await sql`DROP TABLE ${sql.ref(table)}`.execute(queries)
}

/** Lets another process write until it has acknowledged `count` people, kills it, and returns their steam ids. */
async function writeUntilKilled(options: DatabaseOptions, count: number): Promise<string[]> {
  const acknowledged: string[] = []
  const writer: ChildProcess = fork(join(import.meta.dirname, '../../../tests/support/endless-writer.ts'), {
    env: { ...process.env, DATABASE_OPTIONS: JSON.stringify(options) },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  writer.on('message', (steamId: string) => {
    acknowledged.push(steamId)
    if (acknowledged.length === count) writer.kill('SIGKILL')
  })
  const [, signal] = (await once(writer, 'close')) as [number | null, string | null]
  expect(signal).toBe('SIGKILL')
  return acknowledged.sort()
}

describeOnEachEngine('transactions', (fresh) => {
  test('transactions under one lock that read and then write do not interleave', async () => {
    const database = await fresh()
    await database.transaction((tx) =>
      ensurePeople(
        tx,
        Array.from({ length: 30 }, (_, n) => String(76561197960300000n + BigInt(n))),
      ),
    )
    const group = await database.transaction((tx) =>
      createGroup(tx, { name: 'G', owner: '76561197960300000', at: 0 }),
    )

    await Promise.all(
      Array.from({ length: 29 }, (_, n) =>
        database.transaction(async (tx) => {
          await database.lock(tx, `group:${group}`)
          const { count } = await tx
            .selectFrom('group_members')
            .select((eb) => eb.fn.countAll<number>().as('count'))
            .executeTakeFirstOrThrow()
          if (count < 10)
            await addMembers(tx, group, [String(76561197960300001n + BigInt(n))], { by: ada, at: 1 })
        }),
      ),
    )

    const { count } = await database.queries
      .selectFrom('group_members')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(10)
  })

  test('a single write made during a transaction that fails is stored', async () => {
    const database = await fresh()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: written, resolve: finish } = Promise.withResolvers<void>()
    const failing = database.transaction(async (tx) => {
      await ensurePeople(tx, [ada])
      begin()
      await written
      throw new Error('no')
    })
    await begun
    const single = database.transaction((tx) => ensurePeople(tx, [bob]))
    finish()

    await expect(failing).rejects.toThrow('no')
    await single
    expect([...(await readPeople(database.queries, [ada, bob])).keys()]).toEqual([bob])
  })

  test('the database stays usable after a statement fails', async () => {
    const database = await fresh()
    const library = { packed: new Uint8Array(1), gameCount: 1, totalMinutes: 1, at: 1 }
    await expect(database.transaction((tx) => writeLibrary(tx, ada, library))).rejects.toThrow(/foreign key/i)
    await expect(database.transaction((tx) => writeLibrary(tx, ada, library))).rejects.toThrow(/foreign key/i)

    await database.transaction((tx) => ensurePeople(tx, [ada]))
    await database.transaction((tx) => writeLibrary(tx, ada, library))
    expect(await readLibrary(database.queries, ada)).toMatchObject({ version: 1 })
  })

  test('overlapping sets of people can be written concurrently in any order', async () => {
    const database = await fresh()
    const profiles = Array.from({ length: 400 }, (_, n) => ({
      steamId: String(76561197960300000n + BigInt(n)),
      displayName: `P${n}`,
      avatarUrl: null,
      personastate: 0,
      playing: null,
      playingAppid: null,
    }))
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        database.transaction((tx) => saveProfiles(tx, n % 2 ? profiles : profiles.toReversed(), n)),
      ),
    )
    expect(
      (
        await readPeople(
          database.queries,
          profiles.map((profile) => profile.steamId),
        )
      ).size,
    ).toBe(400)
  })
})

describe('SQLite', () => {
  test('a new data folder is accessible to its owner only', async () => {
    const options = await freshOptions('sqlite')
    const dataDir = join(options.dataDir, 'new/folder')
    await open({ dataDir })
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })

  test.each([
    [
      'a file that is not a database',
      (file: string) => writeFileSync(file, 'x'.repeat(5000)),
      /damaged or not a database/,
    ],
    ['a damaged database', damage, /damaged or not a database/],
    ['a folder in place of the file', (file: string) => mkdirSync(file), /cannot be opened/],
  ])('%s stops the start with one sentence', async (_, spoil, sentence) => {
    const options = await freshOptions('sqlite')
    const first = await openDatabase(options)
    await first.transaction((tx) =>
      ensurePeople(
        tx,
        Array.from({ length: 5000 }, (_, n) => String(76561197960300000n + BigInt(n))),
      ),
    )
    await first.close()
    const file = join(options.dataDir, SQLITE_FILE)
    if (spoil !== damage) rmSync(file)
    spoil(file)

    const opening = openDatabase(options)
    await expect(opening).rejects.toThrow(StorageError)
    await expect(opening).rejects.toThrow(sentence)
  })

  test('a data folder that cannot be created stops the start with one sentence', async () => {
    const options = await freshOptions('sqlite')
    const file = join(options.dataDir, 'file')
    writeFileSync(file, '')
    await expect(openDatabase({ dataDir: join(file, 'data') })).rejects.toThrow(
      /^DATA_DIR is ".*", but it must be/,
    )
  })

  test('while another process holds the write lock, reads succeed and writes wait', async () => {
    const options = await freshOptions('sqlite')
    const database = await open(options)
    const { queries } = database
    await database.transaction((tx) => ensurePeople(tx, [ada]))
    const other = new DatabaseSync(join(options.dataDir, SQLITE_FILE))
    onTestFinished(() => other.close())
    other.exec('BEGIN IMMEDIATE')

    let written = false
    const write = database
      .transaction((tx) => setLibraryVisibility(tx, ada, 'nobody'))
      .then(() => (written = true))
    for (let n = 0; n < 5; n++)
      expect(await findPerson(queries, ada)).toMatchObject({ library_visibility: 'connected' })
    expect(written).toBe(false)
    other.exec('COMMIT')
    await write
    expect(await findPerson(queries, ada)).toMatchObject({ library_visibility: 'nobody' })
  })
})

test('a large damaged database is served, and the damage is logged', async () => {
  const options = await freshOptions('sqlite')
  const first = await openDatabase(options)
  await insertPicture(first.queries, {
    picture_key: 'large',
    content_type: null,
    bytes: new Uint8Array(70 * 2 ** 20),
    source_url: null,
    fetched_at: null,
    created_at: 1,
  })
  await first.close()
  damage(join(options.dataDir, SQLITE_FILE), 2 ** 20)

  const logged: string[] = []
  const database = await open({ ...options, log: { error: (_, text) => logged.push(text) } })
  await database.transaction((tx) => ensurePeople(tx, [ada]))
  expect(await findPerson(database.queries, ada)).toBeDefined()
  await expect.poll(() => logged, { timeout: 15_000 }).toEqual([expect.stringMatching(/is damaged .*backup/)])
})

/** Overwrites the middle of a database file, where its tables are. */
function damage(file: string, from = 8192): void {
  const bytes = readFileSync(file)
  bytes.fill(0x5a, from, bytes.length - 4096)
  writeFileSync(file, bytes)
}

describe('PostgreSQL', () => {
  test('queries that would wait behind a thousand others are refused, and the others succeed', async () => {
    const { queries } = await open(await freshOptions('postgres'))
    const read = (nth: number) => (nth % 2 === 0 ? findPerson(queries, ada) : listFriendIds(queries, ada))
    const results = await Promise.allSettled(Array.from({ length: 1500 }, (_, nth) => read(nth)))
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.length).toBeGreaterThan(300)
    for (const { reason } of refused) expect(reason).toBeInstanceOf(DatabaseBusyError)
    expect(await findPerson(queries, ada)).toBeUndefined()
  })

  test('an unreachable server stops the start with one sentence that does not contain the password', async () => {
    const opening = openDatabase({ dataDir: '.', databaseUrl: 'postgres://me:s3cret@127.0.0.1:1/none' })
    await expect(opening).rejects.toThrow(StorageError)
    await expect(opening).rejects.toThrow(/^DATABASE_URL cannot be used: (?!.*s3cret).*\.$/)
  })

  test('a connection that breaks during a transaction fails only that transaction', async () => {
    const broken: string[] = []
    const options = await freshOptions('postgres')
    const database = await open({ ...options, log: { error: (_, text) => broken.push(text) } })
    const attempt = database.transaction(async (tx) => {
      await ensurePeople(tx, [ada])
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
      await sql`SELECT pg_terminate_backend(${rows[0]!.pid})`.execute(database.queries)
      await expect.poll(() => broken).not.toEqual([])
      await ensurePeople(tx, [bob])
    })

    await expect(attempt).rejects.toThrow()
    expect(await readPeople(database.queries, [ada, bob])).toEqual(new Map())
    await database.transaction((tx) => ensurePeople(tx, [ada]))
    expect(await findPerson(database.queries, ada)).toBeDefined()
  })

  test('two transactions that deadlock both succeed', async () => {
    const database = await open(await freshOptions('postgres'))
    await database.transaction((tx) => ensurePeople(tx, [ada, bob]))
    const met = Promise.withResolvers<void>()
    let runs = 0
    const both = (first: string, second: string) =>
      database.transaction(async (tx) => {
        await setLibraryVisibility(tx, first, 'groups')
        if (++runs === 2) met.resolve()
        await met.promise
        await setLibraryVisibility(tx, second, 'groups')
      })

    await Promise.all([both(ada, bob), both(bob, ada)])
    // Once more when the one that runs again is quicker than the one that its end has woken.
    expect(runs).toBeGreaterThanOrEqual(3)
    expect(
      [...(await readPeople(database.queries, [ada, bob])).values()].map((row) => row.library_visibility),
    ).toEqual(['groups', 'groups'])
  })
})
