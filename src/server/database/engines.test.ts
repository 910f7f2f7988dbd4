/** What the engines promise beneath the queries: opening, durability, transactions, and waiting for each other. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeOnEachEngine, engines, freshDatabaseOptions } from '../../../tests/support/databases.ts'
import { type Database, StorageError } from './database.ts'
import { createGroup } from '../storage/groups.ts'
import { addMembers } from '../storage/memberships.ts'
import { readLibrary, writeLibrary } from '../storage/libraries.ts'
import { openDatabase, type Place, SQLITE_FILE } from './open.ts'
import {
  ensurePeople,
  findPerson,
  readPeople,
  saveProfiles,
  setLibraryVisibility,
} from '../storage/people.ts'
import { insertPicture } from '../storage/pictures.ts'
import { useOnce } from '../storage/used-once.ts'

const [ada, bob] = ['76561197960265729', '76561197960265730'] as const

async function freshPlace(engine: (typeof engines)[number]): Promise<Place & { dataDir: string }> {
  const { drop, ...place } = await freshDatabaseOptions(engine)
  onTestFinished(drop)
  return place
}

async function open(place: Place): Promise<Database> {
  const database = await openDatabase(place)
  onTestFinished(() => database.close())
  return database
}

describe.each(engines)('opening on %s', (engine) => {
  test('servers that start at once on an empty database all serve it', async () => {
    const place = await freshPlace(engine)
    const [first, second, third] = await Promise.all([open(place), open(place), open(place)])

    await ensurePeople(first.queries, [ada])
    await writeLibrary(second.queries, ada, {
      packed: new Uint8Array([9]),
      gameCount: 1,
      totalMinutes: 2,
      at: 3,
    })

    expect(await readLibrary(third.queries, ada)).toMatchObject({ version: 1, total_minutes: 2 })
  })

  test('two servers of one database add to the same rows without losing an update', async () => {
    const place = await freshPlace(engine)
    const servers = await Promise.all([open(place), open(place)])
    await ensurePeople(servers[0].queries, [ada])
    const library = { packed: new Uint8Array(1), gameCount: 1, totalMinutes: 1, at: 1 }

    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 4 < 2
          ? writeLibrary(servers[n % 2]!.queries, ada, library)
          : servers[n % 2]!.transaction((tx) => writeLibrary(tx, ada, library)),
      ),
    )

    expect((await readLibrary(servers[1].queries, ada))?.version).toBe(40)
  })

  test('of two servers only one can use a value up', async () => {
    const place = await freshPlace(engine)
    const servers = await Promise.all([open(place), open(place)])
    const uses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => useOnce(servers[n % 2]!.queries, 'state', 's', 100)),
    )
    expect(uses.filter(Boolean)).toHaveLength(1)
  })

  test('what is stored is there after closing and opening again', async () => {
    const place = await freshPlace(engine)
    const before = await openDatabase(place)
    await ensurePeople(before.queries, [ada])
    await before.close()
    await expect(before.ready()).rejects.toThrow()

    const after = await open(place)
    await after.ready()
    expect(await findPerson(after.queries, ada)).toMatchObject({ steam_id: ada, friends_status: 'never' })
  })

  test('a database of a newer version is refused, in one sentence, and left as it is', async () => {
    const place = await freshPlace(engine)
    const newer = await openDatabase(place)
    await sql`INSERT INTO schema_steps (step, done_at) VALUES (9999, 0)`.execute(newer.queries)
    await newer.close()

    const opening = openDatabase(place)
    await expect(opening).rejects.toThrow(StorageError)
    await expect(opening).rejects.toThrow(/^The database is of a newer version of Shelfmates .*\.$/)
  })

  test('what was acknowledged before a kill -9 is there afterwards', async () => {
    const place = await freshPlace(engine)
    const acknowledged = await writeUntilKilled(place, 150)

    const { queries } = await open(place)
    const people = await readPeople(queries, acknowledged)
    expect([...people.keys()].sort()).toEqual(acknowledged)
    for (const id of acknowledged)
      expect(await readLibrary(queries, id), id).toMatchObject({
        version: 1,
        packed: new TextEncoder().encode(id),
      })
  })
})

/** Lets another process write until it has acknowledged `count` people, kills it, and says which they were. */
async function writeUntilKilled(place: Place, count: number): Promise<string[]> {
  const acknowledged: string[] = []
  const writer: ChildProcess = fork(join(import.meta.dirname, '../../../tests/support/endless-writer.ts'), {
    env: { ...process.env, PLACE: JSON.stringify(place) },
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
  test('transactions that read and then write are not interleaved under one lock', async () => {
    const database = await fresh()
    await ensurePeople(
      database.queries,
      Array.from({ length: 30 }, (_, n) => String(76561197960300000n + BigInt(n))),
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

  test('a plain write made during a transaction that fails is kept', async () => {
    const database = await fresh()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: go, resolve: letGo } = Promise.withResolvers<void>()
    const failing = database.transaction(async (tx) => {
      await ensurePeople(tx, [ada])
      begin()
      await go
      throw new Error('no')
    })
    await begun
    const plain = ensurePeople(database.queries, [bob])
    letGo()

    await expect(failing).rejects.toThrow('no')
    await plain
    expect([...(await readPeople(database.queries, [ada, bob])).keys()]).toEqual([bob])
  })

  test('a statement that is refused leaves the database usable', async () => {
    const database = await fresh()
    const library = { packed: new Uint8Array(1), gameCount: 1, totalMinutes: 1, at: 1 }
    await expect(writeLibrary(database.queries, ada, library)).rejects.toThrow(/foreign key/i)
    await expect(database.transaction((tx) => writeLibrary(tx, ada, library))).rejects.toThrow(/foreign key/i)

    await ensurePeople(database.queries, [ada])
    await database.transaction((tx) => writeLibrary(tx, ada, library))
    expect(await readLibrary(database.queries, ada)).toMatchObject({ version: 1 })
  })

  test('overlapping sets of people are written at once in any order', async () => {
    const database = await fresh()
    const profiles = Array.from({ length: 400 }, (_, n) => ({
      steamId: String(76561197960300000n + BigInt(n)),
      displayName: `P${n}`,
      avatarUrl: null,
      personastate: 0,
      playing: null,
    }))
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        saveProfiles(database.queries, n % 2 ? profiles : profiles.toReversed(), n),
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
  test('the data folder is for its owner alone', async () => {
    const place = await freshPlace('sqlite')
    const dataDir = join(place.dataDir, 'new/folder')
    await open({ dataDir })
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })

  test.each([
    [
      'a file that is no database',
      (file: string) => writeFileSync(file, 'x'.repeat(5000)),
      /damaged or not a database/,
    ],
    ['a damaged database', damage, /damaged or not a database/],
    ['a folder in its place', (file: string) => mkdirSync(file), /cannot be opened/],
  ])('%s stops the start with one sentence', async (_, spoil, sentence) => {
    const place = await freshPlace('sqlite')
    const first = await openDatabase(place)
    await ensurePeople(
      first.queries,
      Array.from({ length: 5000 }, (_, n) => String(76561197960300000n + BigInt(n))),
    )
    await first.close()
    const file = join(place.dataDir, SQLITE_FILE)
    if (spoil !== damage) rmSync(file)
    spoil(file)

    const opening = openDatabase(place)
    await expect(opening).rejects.toThrow(StorageError)
    await expect(opening).rejects.toThrow(sentence)
  })

  test('a data folder that cannot be made stops the start with one sentence', async () => {
    const place = await freshPlace('sqlite')
    const file = join(place.dataDir, 'file')
    writeFileSync(file, '')
    await expect(openDatabase({ dataDir: join(file, 'data') })).rejects.toThrow(
      /^DATA_DIR is ".*", but it must be/,
    )
  })

  test('a page reads while another process holds the file, and a write waits for it without stopping anything', async () => {
    const place = await freshPlace('sqlite')
    const { queries } = await open(place)
    await ensurePeople(queries, [ada])
    const other = new DatabaseSync(join(place.dataDir, SQLITE_FILE))
    onTestFinished(() => other.close())
    other.exec('BEGIN IMMEDIATE')

    let written = false
    const write = setLibraryVisibility(queries, ada, 'nobody').then(() => (written = true))
    for (let n = 0; n < 5; n++)
      expect(await findPerson(queries, ada)).toMatchObject({ library_visibility: 'connected' })
    expect(written).toBe(false)
    other.exec('COMMIT')
    await write
    expect(await findPerson(queries, ada)).toMatchObject({ library_visibility: 'nobody' })
  })
})

test('a large damaged database is served, and its damage is told beside', async () => {
  const place = await freshPlace('sqlite')
  const first = await openDatabase(place)
  await insertPicture(first.queries, {
    picture_key: 'large',
    content_type: null,
    bytes: new Uint8Array(70 * 2 ** 20),
    source_url: null,
    fetched_at: null,
    created_at: 1,
  })
  await first.close()
  damage(join(place.dataDir, SQLITE_FILE), 2 ** 20)

  const told: string[] = []
  const database = await open({ ...place, log: { error: (_, text) => told.push(text) } })
  await ensurePeople(database.queries, [ada])
  expect(await findPerson(database.queries, ada)).toBeDefined()
  await expect.poll(() => told, { timeout: 15_000 }).toEqual([expect.stringMatching(/is damaged .*backup/)])
})

/** Overwrites the middle of a database file, where its tables are. */
function damage(file: string, from = 8192): void {
  const bytes = readFileSync(file)
  bytes.fill(0x5a, from, bytes.length - 4096)
  writeFileSync(file, bytes)
}

describe('PostgreSQL', () => {
  test('an address that nobody answers stops the start with one sentence and without its password', async () => {
    const opening = openDatabase({ dataDir: '.', databaseUrl: 'postgres://me:s3cret@127.0.0.1:1/none' })
    await expect(opening).rejects.toThrow(StorageError)
    await expect(opening).rejects.toThrow(/^DATABASE_URL cannot be used: (?!.*s3cret).*\.$/)
  })

  test('a connection that breaks within a transaction fails that transaction and nothing else', async () => {
    const broken: string[] = []
    const place = await freshPlace('postgres')
    const database = await open({ ...place, log: { error: (_, text) => broken.push(text) } })
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

  test('two transactions that lock each other both succeed', async () => {
    const database = await open(await freshPlace('postgres'))
    await ensurePeople(database.queries, [ada, bob])
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
