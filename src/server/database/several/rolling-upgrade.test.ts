/** Migrations while other servers use the database (docs/develop/decisions/017-expand-migrate-contract.md). */
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freshOptions, openForTest } from '../../../../tests/support/databases.ts'
import { ensurePlayers, findPlayer, saveProfiles } from '../../storage/players.ts'
import { announceServer, noteStop, type ServerRow } from '../../storage/servers.ts'
import { defaultTiming, type Rolling } from './rolling-upgrade.ts'
import { type Database, StorageError } from '../database.ts'
import { migrate, type Step, STEPS } from '../migrations.ts'

const ada = '76561197960265729'
const quick = { ...defaultTiming, pauseMs: 20, tries: 50 }

/** Its name comes after the names of all real steps, as the Migrator requires. */
const stepOf = (rolling: Rolling, run: Step['run'] = addColumn) => ({ '9999_later': { rolling, run } })
async function addColumn(tx: Parameters<Step['run']>[0]): Promise<void> {
  await sql`ALTER TABLE people ADD COLUMN later bigint`.execute(tx)
}

/** A database that a server of this version uses, and the connection of a newer one. */
async function beside(version = '0.1.0') {
  const options = await freshOptions('postgres')
  const [older, newer] = [await openForTest(options), await openForTest(options)]
  await older.transaction((tx) => ensurePlayers(tx, [ada]))
  const server: ServerRow = {
    server_id: `web ${version}`,
    version,
    started_at: Date.now(),
    seen_at: Date.now(),
    errors: [],
    memory_bytes: 1,
  }
  await announceServer(older, server)
  return { older, newer, server }
}

async function isMigrated({ queries }: Database): Promise<boolean> {
  // Other tests have schemas of their own in the same database.
  const { rows } = await sql<{ done: number; columns: number }>`
    SELECT (SELECT count(*) FROM kysely_migration) AS done,
           (SELECT count(*) FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = 'people' AND column_name = 'later') AS columns
  `.execute(queries)
  const { done, columns } = rows[0]!
  expect(done).toBe(STEPS.length + columns)
  return columns === 1
}

describe('OPS-38: a step that servers cannot go on beside', () => {
  test('OPS-38: is refused in one sentence while one runs, and made when it is stopped', async () => {
    const { older, newer, server } = await beside()
    const added = stepOf(false)
    const migrating = migrate(newer, { added })
    await expect(migrating).rejects.toThrow(StorageError)
    await expect(migrating).rejects.toThrow(/^Servers .*\(web 0\.1\.0 of version 0\.1\.0\); stop them .*\.$/)
    expect(await isMigrated(newer)).toBe(false)

    await noteStop(older.queries, server.server_id, Date.now())
    await migrate(newer, { added })
    expect(await isMigrated(newer)).toBe(true)
  })

  test('OPS-38: is made when a server that was killed has missed two heartbeats', async () => {
    const { older, newer, server } = await beside()
    await announceServer(older, { ...server, seen_at: Date.now() - 140_000 })
    await expect(migrate(newer, { added: stepOf(false) })).rejects.toThrow(StorageError)
    await announceServer(older, { ...server, seen_at: Date.now() - 151_000 })
    await migrate(newer, { added: stepOf(false) })
    expect(await isMigrated(newer)).toBe(true)
  })

  test('OPS-38: is made at once when the operator says that no other server runs', async () => {
    const { newer } = await beside()
    await migrate(newer, { added: stepOf(false), othersAreStopped: true })
    expect(await isMigrated(newer)).toBe(true)
  })

  test('OPS-38: a step that removes something is refused beside servers of a version that still uses it', async () => {
    const { older, newer } = await beside('0.9.1')
    const removal = stepOf({ since: '0.10.0' })
    await expect(migrate(newer, { added: removal })).rejects.toThrow(/web 0\.9\.1 of version 0\.9\.1\)/)
    expect(await isMigrated(newer)).toBe(false)
    await noteStop(older.queries, 'web 0.9.1', Date.now())
    for (const version of ['0.10.0', '0.11.3', '1.0.0'])
      await announceServer(older, {
        server_id: version,
        version,
        started_at: 1,
        seen_at: Date.now(),
        errors: [],
        memory_bytes: 1,
      })
    await migrate(newer, { added: removal })
    expect(await isMigrated(newer)).toBe(true)
  })

  test('OPS-38: a server that was opened before a migration and begins to serve after it is refused', async () => {
    const { older, newer, server } = await beside()
    await migrate(newer, { added: stepOf(true) })
    await expect(announceServer(older, { ...server, server_id: 'late' })).rejects.toThrow(
      /^The database is of a newer version of Shelfmates/,
    )
    const { rows } = await sql`SELECT FROM servers WHERE server_id = 'late'`.execute(older.queries)
    expect(rows).toEqual([])
  })
})

describe('OPS-40: a step beside a server that goes on', () => {
  /** A transaction that has written a player, until it is ended. */
  async function holding(database: Database) {
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const transaction = database.transaction(async (tx) => {
      await saveProfiles(tx, [profile], 1)
      hold()
      await ended
    })
    const release = async () => {
      end()
      await transaction
    }
    onTestFinished(release)
    await isHeld
    return release
  }
  const profile = {
    steamId: ada,
    displayName: 'Ada',
    avatarUrl: null,
    personastate: 0,
    playing: null,
    playingAppid: null,
  }

  test('OPS-40: does not make others wait for a transaction that it waits for, and is made when that ends', async () => {
    const { older, newer } = await beside()
    const release = await holding(older)
    let isDone = false
    const migrating = migrate(newer, { added: stepOf(true), timing: { ...quick, lockMs: 200 } }).then(
      () => (isDone = true),
    )
    // Reads queue behind the step until it gives up for a moment.
    let longest = 0
    for (const until = performance.now() + 1500; performance.now() < until;) {
      const start = performance.now()
      expect((await findPlayer(older.queries, ada))?.steam_id).toBe(ada)
      longest = Math.max(longest, performance.now() - start)
    }
    expect(isDone).toBe(false)
    expect(longest).toBeGreaterThan(100)
    expect(longest).toBeLessThan(1000)
    await release()
    await migrating
    expect(await isMigrated(newer)).toBe(true)
  })

  test('OPS-40: is given up in one sentence when a table is in use for long, and changes nothing', async () => {
    const { older, newer } = await beside()
    await holding(older)
    const timing = { ...quick, lockMs: 20, tries: 3 }
    const migrating = migrate(newer, { added: stepOf(true), timing })
    await expect(migrating).rejects.toThrow(StorageError)
    await expect(migrating).rejects.toThrow(/^A migration cannot lock a table, .*\.$/)
    expect(await isMigrated(newer)).toBe(false)
  })

  test('OPS-40: is refused when it holds locks for long, but may take its time alone', async () => {
    const { older, newer, server } = await beside()
    const added = stepOf(true, async (tx) => {
      await addColumn(tx)
      await sql`SELECT pg_sleep(0.3)`.execute(tx)
    })
    const timing = { ...quick, statementMs: 100 }
    const migrating = migrate(newer, { added, timing })
    await expect(migrating).rejects.toThrow(StorageError)
    await expect(migrating).rejects.toThrow(/^A migration takes too long beside .*\.$/)
    expect(await isMigrated(newer)).toBe(false)
    await noteStop(older.queries, server.server_id, Date.now())
    await migrate(newer, { added, timing })
    expect(await isMigrated(newer)).toBe(true)
  })
})
