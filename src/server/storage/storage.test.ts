/** Guarantees of the storage layer, on both engines. */
import { expect, test } from 'vitest'
import { describeOnEachEngine } from '../../../tests/support/databases.ts'
import { ensurePlayers, findPlayer } from './players/players.ts'
import { ABANDONED_AFTER_MS, failAbandonedSyncs, finishSync, startSync, syncsLeft } from './players/syncs.ts'

const ada = '76561197960265729'

describeOnEachEngine('storage', (fresh) => {
  test('a failed transaction changes nothing, and readers never see part of one', async () => {
    const database = await fresh()
    const attempt = database.transaction(async (tx) => {
      await ensurePlayers(tx, [ada])
      expect(await findPlayer(tx, ada)).toBeDefined()
      expect(await findPlayer(database.queries, ada)).toBeUndefined()
      throw new Error('no')
    })
    await expect(attempt).rejects.toThrow('no')
    expect(await findPlayer(database.queries, ada)).toBeUndefined()
  })

  test.each([true, false])('OPS-35: a sync that counts as abandoned stays so (%s)', async (isMarked) => {
    const database = await fresh()
    await database.transaction((tx) => ensurePlayers(tx, [ada]))
    const sync = { steamId: ada, kind: 'games', target: ada } as const
    const start = (now: number) => database.transaction((tx) => startSync(database, tx, { ...sync, now }))
    const late = await start(0)
    const now = ABANDONED_AFTER_MS + 1
    const end = { result: 'ok', itemCount: 1, counted: true, at: now } as const
    const finish = (syncId: number) => database.transaction((tx) => finishSync(tx, { syncId, by: ada }, end))
    for (let nth = 0; nth < 10; nth++) await finish(await start(now))
    if (isMarked) await database.transaction((tx) => failAbandonedSyncs(tx, now))
    await finish(late)
    const syncs = await database.queries.selectFrom('syncs').selectAll().orderBy('sync_id', 'desc').execute()
    expect(syncs.filter((row) => row.counted === 1 && row.result === 'ok')).toHaveLength(10)
    expect(await syncsLeft(database.queries, ada, now)).toMatchObject({ left: 0 })
  })
})
