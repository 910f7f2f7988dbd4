/** The queries of sessions and one-time tokens, on both engines. */
import { expect, test } from 'vitest'
import { describeOnEachEngine } from '../../../tests/support/databases.ts'
import { ensurePlayers } from './players.ts'
import { createSession, deleteExpiredSessions, findSession, touchSessions } from './sessions.ts'
import type { Database } from '../database/database.ts'
import { expiredRows } from './expired.ts'
import { useOnce } from './used-once.ts'

const ada = '76561197960265729'

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
