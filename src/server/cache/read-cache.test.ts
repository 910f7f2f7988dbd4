import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeOnEachEngine } from '../../../tests/support/databases.ts'
import { connectedWith, profileOf, writeRows } from '../../../tests/support/rows.ts'
import type { Database } from '../database/database.ts'
import { PackedError } from '../library/packed.ts'
import { preventDeletions } from '../storage/accounts/accounts.ts'
import { connectedAmong, markFriendsPrivate, replaceFriends } from '../storage/players/friends.ts'
import { createGroup } from '../storage/groups/groups.ts'
import { addMembers } from '../storage/groups/memberships.ts'
import { ensurePlayers, saveProfiles } from '../storage/players/players.ts'
import { createReadCache } from './read-cache.ts'
import { createPolls } from './tag-cache.ts'

const [ada, bob, cleo, dora] = [
  '76561197960265729',
  '76561197960265730',
  '76561197960265731',
  '76561197960265732',
] as const
const MEGABYTE = 2 ** 20

describeOnEachEngine('friends in the read cache', (fresh) => {
  /** A cache of `database`, of which the next read of players returns what it has found only after `during`. */
  async function setUp() {
    const database = await fresh()
    const players: number[] = []
    let during: (() => Promise<unknown>) | undefined
    const reads = new WeakSet<object>()
    const queries = database.queries.withPlugin({
      transformQuery: ({ node, queryId }) => {
        const { sql, parameters } = database.queries.getExecutor().compileQuery(node, queryId)
        if (!sql.includes('library_visibility')) return node
        reads.add(queryId)
        const [ids] = parameters
        const list = (typeof ids === 'string' ? JSON.parse(ids) : ids) as string[]
        players.push(new Set(list).size)
        return node
      },
      transformResult: async ({ result, queryId }) => {
        const first = reads.has(queryId) ? during : undefined
        if (first) during = undefined
        await first?.()
        return result
      },
    })
    const polls = createPolls(database)
    const cache = createReadCache({ ...database, queries }, polls, MEGABYTE)
    await database.transaction((tx) => ensurePlayers(tx, [ada]))
    await befriend(database, [bob, cleo])
    await polls.refresh()
    return {
      database,
      /** How many people each query has read. */
      people: players,
      whileReading: (change: () => Promise<unknown>) => {
        during = change
      },
      refresh: () => polls.refresh(),
      names: async () => (await cache.friends(ada)).map((player) => player.display_name),
    }
  }

  const befriend = (database: Database, friends: readonly string[]) =>
    database.transaction((tx) => replaceFriends(tx, ada, friends, 1))

  let time = 1
  const rename = (database: Database, steamId: string, displayName: string) =>
    database.transaction(async (tx) => {
      await preventDeletions(database, tx)
      await saveProfiles(tx, [profileOf(steamId, displayName)], time++)
    })

  test('DEL-2: an account reopened while the list is read is in the next one', async () => {
    const { database, whileReading, refresh, names } = await setUp()
    await rename(database, cleo, 'Cleo')
    await refresh()
    whileReading(async () => {
      await rename(database, bob, 'Bob')
      await refresh()
    })
    expect(await names()).toEqual([null, 'Cleo'])
    await refresh()
    expect(await names()).toEqual(['Bob', 'Cleo'])
  })

  test('PERM-2: friends are those of a naive oracle, for any lists, times and answers, cached or not', async () => {
    const database = await fresh()
    const polls = createPolls(database)
    const cache = createReadCache(database, polls, MEGABYTE)
    const players: string[] = [ada, bob, cleo, dora]
    await database.transaction(async (tx) => {
      await ensurePlayers(tx, players)
      // Dora and Cleo are connected whatever their lists say; Bob has not joined.
      const group = await createGroup(tx, { name: 'Friday', owner: dora, at: 1 })
      await addMembers(tx, group, [cleo, bob], { by: dora, at: 2 })
      await addMembers(tx, group, [cleo], { by: null, at: 3 })
    })
    /** The lists that were read, each with its time; never reset, like a database. */
    const lists = new Map<string, { at: number; ids: string[] }>()
    const areFriends = (one: string, other: string) => {
      const [mine, theirs] = [lists.get(one), lists.get(other)]
      const says = [mine?.ids.includes(other) ?? false, theirs?.ids.includes(one) ?? false]
      if (!mine || !theirs || mine.at === theirs.at) return says[0]! || says[1]!
      return mine.at > theirs.at ? says[0]! : says[1]!
    }
    const inGroup = (one: string, other: string) => [one, other].every((id) => id === cleo || id === dora)
    const arbitraryRead = fc.record({
      by: fc.constantFrom(...players),
      at: fc.integer({ min: 1, max: 4 }),
      ids: fc.option(fc.subarray(players), { freq: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryRead, { minLength: 1, maxLength: 4 }), async (reads) => {
        for (const { by, at, ids: all } of reads) {
          const ids = all?.filter((id) => id !== by)
          await database.transaction((tx) =>
            ids ? replaceFriends(tx, by, ids, at) : markFriendsPrivate(tx, by, at),
          )
          if (ids) lists.set(by, { at, ids })
        }
        await polls.refresh()
        for (const one of players) {
          const others = players.filter((id) => id !== one)
          const friends = new Set(others.filter((other) => areFriends(one, other)))
          const connected = new Set(others.filter((other) => friends.has(other) || inGroup(one, other)))
          const rows = (await cache.players(others)).map((player) => player!)
          expect(await connectedAmong(cache, one, rows)).toEqual(connected)
          expect(await connectedWith(database.queries, one, others)).toEqual(connected)
          for (const shown of await cache.friends(one))
            expect([shown.steam_id, shown.isFormerFriend]).toEqual([
              shown.steam_id,
              !connected.has(shown.steam_id),
            ])
        }
      }),
      { numRuns: 60 },
    )
  })

  test('PERM-21: a damaged friend list names nobody, and fails only what is read of its own player', async () => {
    const database = await fresh()
    const polls = createPolls(database)
    const cache = createReadCache(database, polls, MEGABYTE)
    await database.transaction(async (tx) => {
      await ensurePlayers(tx, [ada, bob])
      await replaceFriends(tx, ada, [bob], 1)
      await replaceFriends(tx, bob, [ada], 2)
    })
    await writeRows(database, (tx) =>
      tx
        .updateTable('friend_lists')
        .set({ packed: new Uint8Array([1, 2, 3, 4, 5, 6]) })
        .where('steam_id', '=', bob)
        .execute(),
    )
    expect(await cache.friends(ada)).toMatchObject([{ steam_id: bob, isFormerFriend: true }])
    expect(await connectedWith(database.queries, ada, [bob])).toEqual(new Set())
    await expect(cache.friends(bob)).rejects.toThrow(PackedError)
  })
})
