/** The queries of sessions and one-time tokens, on both engines. */
import { expect, test } from 'vitest'
import { describeOnEachEngine } from '../../../tests/support/databases.ts'
import { ensurePlayers } from './players.ts'
import {
  createSession,
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  endLeastUsedSessions,
  findHandover,
  findSession,
  listSessions,
  recordUse,
  swapHandover,
  touchSessions,
} from './sessions.ts'
import type { Database } from '../database/database.ts'
import { expiredRows } from './expired.ts'
import { useOnce } from './used-once.ts'

const [ada, bob] = ['76561197960265729', '76561197960265730'] as const

function session(database: Database, steamId: string, tokenHash: string, expiresAt: number, now = 1) {
  return database.transaction((tx) =>
    createSession(tx, { steamId, tokenHash, kind: 'lasting', now, expiresAt, userAgent: 'Firefox' }),
  )
}

describeOnEachEngine('sessions', (fresh) => {
  test('a session is found until its end, which every use postpones', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePlayers(tx, [ada]))
    await session(database, ada, 'h', 100)
    const { session_id } = (await findSession(queries, 'h', 99))!
    expect(await findSession(queries, 'h', 100)).toBeUndefined()

    await database.transaction((tx) => touchSessions(tx, [session_id], 99, 200))
    expect(await findSession(queries, 'h', 150)).toMatchObject({
      steam_id: ada,
      last_used_at: 99,
      user_agent: 'Firefox',
    })
  })

  test('a hand-over token can be swapped only before its end, by its own browser, until the lasting token is used', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePlayers(tx, [ada]))
    await session(database, ada, 'lasting', 1000)
    await database.transaction((tx) =>
      createSession(tx, {
        steamId: ada,
        kind: 'handover',
        tokenHash: 'handover',
        browserHash: 'browser',
        now: 1,
        expiresAt: 60,
        userAgent: '',
      }),
    )
    const swap = (handoverHash: string, browserHash: string, tokenHash: string, now: number) =>
      database.transaction((tx) =>
        swapHandover(database, tx, { handoverHash, browserHash, tokenHash, now, expiresAt: 1000 }),
      )
    expect(await swap('lasting', 'browser', 'a', 2)).toBe(false)
    expect(await swap('handover', 'another', 'b', 2)).toBe(false)
    expect(await swap('handover', 'browser', 'c', 60)).toBe(false)
    expect(await swap('handover', 'browser', 'd', 58)).toBe(true)
    expect(await findSession(queries, 'handover', 58)).toBeUndefined()
    expect(await swap('handover', 'browser', 'e', 59)).toBe(true)
    expect(await findSession(queries, 'd', 59)).toBeUndefined()
    expect(await findHandover(database, 'handover', 59)).toMatchObject({ token_hash: 'e', kind: 'lasting' })
    expect(await findHandover(database, 'handover', 60)).toBeUndefined()

    const { session_id } = (await findSession(queries, 'e', 59))!
    expect(await database.transaction((tx) => recordUse(tx, { session_id, token_hash: 'd' }, 59, 1000))).toBe(
      false,
    )
    expect(await database.transaction((tx) => recordUse(tx, { session_id, token_hash: 'e' }, 59, 1000))).toBe(
      true,
    )
    expect(await swap('handover', 'browser', 'f', 59)).toBe(false)
    expect(await findHandover(database, 'handover', 59)).toBeUndefined()
  })

  test('of too many sessions the user’s least recently used ones end', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePlayers(tx, [ada, bob]))
    for (const [hash, usedAt] of [
      ['used first', 1],
      ['used last', 9],
      ['used next', 5],
    ] as const)
      await session(database, ada, hash, 100, usedAt)
    await session(database, ada, 'ended, but used last', 20, 10)
    await session(database, bob, 'bob', 100, 1)
    await database.transaction((tx) => endLeastUsedSessions(tx, ada, 2, 50))
    expect((await listSessions(queries, ada, 0)).map((row) => row.token_hash)).toEqual([
      'used last',
      'used next',
    ])
    expect(await listSessions(queries, bob, 0)).toHaveLength(1)
  })

  test('a user can end one or all of their own sessions, and no others', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePlayers(tx, [ada, bob]))
    for (const hash of ['1', '2', '3', '4']) await session(database, ada, hash, 100, Number(hash))
    await session(database, bob, 'bob', 100)
    const [latest, next] = await listSessions(queries, ada, 50)
    expect(latest?.token_hash).toBe('4')

    expect(await database.transaction((tx) => deleteSession(tx, bob, latest!.session_id))).toBe(false)
    expect(await database.transaction((tx) => deleteSession(tx, ada, latest!.session_id))).toBe(true)
    expect(await database.transaction((tx) => deleteSession(tx, ada, next!.session_id))).toBe(true)
    expect((await listSessions(queries, ada, 50)).map((row) => row.token_hash)).toEqual(['2', '1'])
    await database.transaction((tx) => deleteSessionsOf(tx, ada))
    expect(await listSessions(queries, ada, 50)).toEqual([])
    expect(await listSessions(queries, bob, 50)).toHaveLength(1)
  })

  test('expired rows are deleted, others stay', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePlayers(tx, [ada]))
    await session(database, ada, 'ended', 100)
    await session(database, ada, 'running', 101)
    expect(await database.transaction((tx) => deleteExpiredSessions(tx, 100))).toBe(1)
    expect(await findSession(queries, 'running', 100)).toBeDefined()

    await useOnce(queries, 'nonce', 'n', 100)
    expect(await useOnce(queries, 'nonce', 'n', 300)).toBe(false)
    await expiredRows(queries, 99)['used once']!()
    expect(await useOnce(queries, 'nonce', 'n', 300)).toBe(false)
    await expiredRows(queries, 100)['used once']!()
    expect(await useOnce(queries, 'nonce', 'n', 300)).toBe(true)
  })
})
