import { expect, test } from 'vitest'
import { describeOnEachEngine } from '../../../tests/support/databases.ts'
import type { Database } from '../database/database.ts'
import { runPreparedBy } from '../database/prepared.ts'
import { preventDeletions } from '../storage/accounts.ts'
import { replaceFriends } from '../storage/friends.ts'
import { ensurePeople, saveProfiles } from '../storage/people.ts'
import { createReadCache } from './read-cache.ts'
import { createValidity } from './validity.ts'

const [ada, bob, cleo, dora] = [
  '76561197960265729',
  '76561197960265730',
  '76561197960265731',
  '76561197960265732',
] as const
const MEGABYTE = 2 ** 20

describeOnEachEngine('friends in the read cache', (fresh) => {
  /** A cache of `database`, of which the next read of people returns what it has found only after `meanwhile`. */
  async function setUp() {
    const database = await fresh()
    const people: number[] = []
    let meanwhile: (() => Promise<unknown>) | undefined
    // A query builder of its own, with another runner of prepared reads.
    const queries = database.queries.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => result,
    })
    runPreparedBy(queries, async (query) => {
      const { rows } = await database.queries.executeQuery(query)
      if (!query.sql.includes('library_visibility')) return rows
      people.push(new Set(query.parameters).size)
      const during = meanwhile
      meanwhile = undefined
      await during?.()
      return rows
    })
    const validity = createValidity(database, MEGABYTE)
    const cache = createReadCache({ ...database, queries }, validity, MEGABYTE)
    await database.transaction((tx) => ensurePeople(tx, [ada]))
    await befriend(database, [bob, cleo])
    await validity.refreshNow()
    return {
      database,
      /** How many people each query has read. */
      people,
      whileReading: (change: () => Promise<unknown>) => {
        meanwhile = change
      },
      refresh: () => validity.refreshNow(),
      names: async () => (await cache.friends(ada)).map((person) => person.display_name),
    }
  }

  const befriend = (database: Database, friends: readonly string[]) =>
    database.transaction((tx) =>
      replaceFriends(
        tx,
        ada,
        friends.map((steamId) => ({ steamId, since: null })),
      ),
    )

  let time = 1
  const rename = (database: Database, steamId: string, displayName: string) =>
    database.transaction(async (tx) => {
      await preventDeletions(database, tx)
      const rest = { avatarUrl: null, personastate: 0, playing: null, playingAppid: null }
      await saveProfiles(tx, [{ steamId, displayName, ...rest }], time++)
    })

  test('of a list of which one friend has changed, only that one is read again', async () => {
    const { database, people, refresh, names } = await setUp()
    await rename(database, bob, 'Bob')
    await rename(database, cleo, 'Cleo')
    await refresh()
    expect(await names()).toEqual(['Bob', 'Cleo'])
    await rename(database, cleo, 'Cleopatra')
    await refresh()
    expect(await names()).toEqual(['Bob', 'Cleopatra'])
    expect(people).toEqual([2, 1])
    await rename(database, dora, 'Dora')
    await befriend(database, [bob, cleo, dora])
    await refresh()
    expect(await names()).toEqual(['Bob', 'Cleopatra', 'Dora'])
    await befriend(database, [cleo, dora])
    await refresh()
    expect(await names()).toEqual(['Cleopatra', 'Dora'])
    expect(people).toEqual([2, 1, 1])
  })

  test('DEL-2: who comes back while the list is read is in it the next time', async () => {
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
})
