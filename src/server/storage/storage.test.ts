/** Guarantees of the storage layer, on both engines. */
import { expect, test } from 'vitest'
import { describeOnEachEngine } from '../../../tests/support/databases.ts'
import { listFriendIds, listFriends, replaceFriends } from './friends.ts'
import { markLibraryPrivate, readLibrary, writeLibrary } from './libraries.ts'
import { ensurePlayers, findPlayer } from './players.ts'
import { ABANDONED_AFTER_MS, failAbandonedSyncs, finishSync, reserveSync } from './syncs.ts'

const [ada, bob, cal] = ['76561197960265729', '76561197960265730', '76561197960265731'] as const
const packed = new Uint8Array([1, 2, 3, 250])

describeOnEachEngine('storage', (fresh) => {
  test('DATA-2: a library is replaced as a whole, its version rises, and the games stay when it becomes private', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePlayers(tx, [ada]))
    await database.transaction((tx) =>
      writeLibrary(tx, ada, { packed, gameCount: 3, totalMinutes: 2 ** 40, at: 1000 }),
    )
    await database.transaction((tx) => markLibraryPrivate(tx, ada, 2000))

    expect(await readLibrary(queries, ada)).toEqual({
      steam_id: ada,
      version: 2,
      status: 'private',
      packed,
      game_count: 3,
      total_minutes: 2 ** 40,
      synced_at: 1000,
      checked_at: 2000,
      tracked_since: null,
    })
  })

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

  test('PLAT-18: a friend list of 2,000 is replaced: missing friends are deleted, the others stay', async () => {
    const database = await fresh()
    const friends = Array.from({ length: 2000 }, (_, n) => ({
      steamId: String(76561197960300000n + BigInt(n)),
      since: n,
    }))
    await database.transaction(async (tx) => {
      await ensurePlayers(tx, [ada, ...friends.map((friend) => friend.steamId)])
      await replaceFriends(tx, ada, friends, 1)
      await replaceFriends(tx, ada, friends.slice(500), 2)
    })
    const left = friends.slice(500)
    expect(await listFriends(database.queries, ada)).toEqual(
      left.map(({ steamId, since }) => ({ steam_id: steamId, display_name: null, since })),
    )
    expect(await listFriendIds(database.queries, ada)).toEqual(left.map((friend) => friend.steamId))
  })

  test('since when two are friends stays known when Steam does not say it any more', async () => {
    const database = await fresh()
    const since = async () => (await listFriends(database.queries, ada)).map((friend) => friend.since)
    const store = (one: number | null, other: number | null) =>
      database.transaction(async (tx) => {
        await ensurePlayers(tx, [ada, bob, cal])
        await replaceFriends(
          tx,
          ada,
          [
            { steamId: bob, since: one },
            { steamId: cal, since: other },
          ],
          1,
        )
      })
    await store(1000, null)
    await store(null, 2000)
    expect(await since()).toEqual([1000, 2000])
    await store(3000, null)
    expect(await since()).toEqual([3000, 2000])
  })

  test.each([true, false])(
    'OPS-35: a sync that counts as abandoned stays so, even if its server goes on later (%s)',
    async (isMarked) => {
      const database = await fresh()
      await database.transaction((tx) => ensurePlayers(tx, [ada]))
      const sync = { steamId: ada, kind: 'games', target: ada } as const
      const reserve = async (now: number) => {
        const reserved = await reserveSync(database, { ...sync, now })
        return reserved.ok ? reserved.syncId : undefined
      }
      const late = (await reserve(0))!
      const now = ABANDONED_AFTER_MS + 1
      const end = { result: 'ok', itemCount: 1, counted: true, at: now } as const
      const finish = (syncId: number) =>
        database.transaction((tx) => finishSync(tx, { syncId, by: ada }, end))
      for (let nth = 0; nth < 10; nth++) await finish((await reserve(now))!)
      if (isMarked) await database.transaction((tx) => failAbandonedSyncs(tx, now))
      await finish(late)
      const syncs = await database.queries
        .selectFrom('syncs')
        .selectAll()
        .orderBy('sync_id', 'desc')
        .execute()
      expect(syncs.filter((row) => row.counted === 1 && row.result === 'ok')).toHaveLength(10)
      expect(await reserve(now)).toBeUndefined()
    },
  )
})
