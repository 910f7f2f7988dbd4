/** PostgreSQL: its pool, broken connections and deadlocks. */
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cutOnCommit } from '../../../tests/support/cut-on-commit.ts'
import { freshOptions, openForTest } from '../../../tests/support/databases.ts'
import { DatabaseBusyError, DatabaseUnavailableError, StorageError } from './database.ts'
import { openDatabase } from './open.ts'
import { listFriendIds } from '../storage/players/friends.ts'
import { ensurePlayers, findPlayer, readPlayers, setSettings } from '../storage/players/players.ts'

const [ada, bob] = ['76561197960265729', '76561197960265730'] as const

describe('PostgreSQL', () => {
  test('LIM-44: queries that would wait behind a thousand others are refused, and the others succeed', async () => {
    const { queries } = await openForTest(await freshOptions('postgres'))
    const read = (nth: number) => (nth % 2 === 0 ? findPlayer(queries, ada) : listFriendIds(queries, ada))
    const results = await Promise.allSettled(Array.from({ length: 1500 }, (_, nth) => read(nth)))
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.length).toBeGreaterThan(300)
    for (const { reason } of refused) expect(reason).toBeInstanceOf(DatabaseBusyError)
    expect(await findPlayer(queries, ada)).toBeUndefined()
  })

  test('an unreachable server stops the start with one sentence that does not contain the password', async () => {
    const opening = openDatabase({ dataDir: '.', databaseUrl: 'postgres://me:s3cret@127.0.0.1:1/none' })
    await expect(opening).rejects.toThrow(StorageError)
    await expect(opening).rejects.toThrow(/^DATABASE_URL cannot be used: (?!.*s3cret).*\.$/)
  })

  test('OPS-31, OPS-35: a transaction whose connection breaks is not run again: it may be late by then', async () => {
    const logged: string[] = []
    const note = (text: string) => void logged.push(text)
    const log = { error: (_: object, text: string) => note(text), info: note }
    const database = await openForTest({ ...(await freshOptions('postgres')), log })
    let runs = 0
    const writing = database.transaction(async (tx) => {
      runs++
      await ensurePlayers(tx, [ada])
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
      await sql`SELECT pg_terminate_backend(${rows[0]!.pid}::int)`.execute(database.queries)
      await expect.poll(() => logged).toContain('the database is unavailable')
      await ensurePlayers(tx, [bob])
    })
    await expect(writing).rejects.toThrow(DatabaseUnavailableError)
    expect(runs).toBe(1)
    await database.transaction((tx) => ensurePlayers(tx, [bob]))
    expect([...(await readPlayers(database.queries, [ada, bob])).keys()]).toEqual([bob])
    expect(logged.at(-1)).toBe('the database is available again')
  })

  test('OPS-31: a transaction whose connection breaks during its commit is not run again', async () => {
    const { dataDir, databaseUrl } = await freshOptions('postgres')
    const cut = await cutOnCommit(databaseUrl!)
    onTestFinished(cut.close)
    const database = await openForTest({ dataDir, databaseUrl: cut.url })
    let runs = 0
    cut.arm()
    await expect(
      database.transaction(async (tx) => {
        runs++
        await ensurePlayers(tx, [ada])
      }),
    ).rejects.toMatchObject({ name: 'DatabaseUnavailableError', isOutcomeUnknown: true })
    expect(runs).toBe(1)
    expect(await findPlayer(database.queries, ada)).toBeUndefined()
  })

  test('two transactions that deadlock both succeed', async () => {
    const database = await openForTest(await freshOptions('postgres'))
    await database.transaction((tx) => ensurePlayers(tx, [ada, bob]))
    const met = Promise.withResolvers<void>()
    let runs = 0
    const both = (first: string, second: string) =>
      database.transaction(async (tx) => {
        await setSettings(tx, first, { library_visibility: 'groups' })
        if (++runs === 2) met.resolve()
        await met.promise
        await setSettings(tx, second, { library_visibility: 'groups' })
      })

    await Promise.all([both(ada, bob), both(bob, ada)])
    // Four if the retry overtakes the transaction that its rollback woke.
    expect(runs).toBeGreaterThanOrEqual(3)
    expect(
      [...(await readPlayers(database.queries, [ada, bob])).values()].map((row) => row.library_visibility),
    ).toEqual(['groups', 'groups'])
  })
})
