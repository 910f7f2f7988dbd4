import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeOnEachEngine, freshOptions } from '../../../tests/support/databases.ts'
import { watchingChanges } from '../../../tests/support/told-changes.ts'
import { createGroup } from '../storage/groups/groups.ts'
import { ensurePlayers, setSettings } from '../storage/players/players.ts'
import type { Changes, Database } from './database.ts'
import { openDatabase } from './open.ts'
import { changed, changedEverything, EVERYTHING, type Kind } from './cache-tags.ts'

const [ada, bob] = ['76561197960265729', '76561197960265730'] as const

/** A server that polls: each call returns what has changed since the last one. */
async function poller(database: Database): Promise<() => Promise<string[]>> {
  let { position }: Changes = await database.changesSince(undefined)
  return async () => {
    const found = await database.changesSince(position)
    position = found.position
    // On Citus each change is stored again before the write is acknowledged (docs/develop/caching.md).
    const changes = database.isDistributed ? [...new Set(found.changes)] : found.changes
    return changes.toSorted()
  }
}

describeOnEachEngine('changes', (fresh, engine) => {
  test('every server gets what a transaction changed, once', async () => {
    const database = await fresh()
    const [here, there] = [await poller(database), await poller(database)]
    await database.transaction(async (tx) => {
      await ensurePlayers(tx, [ada, bob])
      await createGroup(tx, { name: 'Friday', owner: ada, at: 1 })
    })
    const changes = ['group:1', `groups:${ada}`, `person:${ada}`, `person:${bob}`]
    for (const poll of [here, there]) expect([await poll(), await poll()]).toEqual([changes, []])
  })

  test('without a position everything has changed', async () => {
    const { changes } = await (await fresh()).changesSince(undefined)
    expect(changes).toEqual([EVERYTHING])
  })

  test('a transaction that fails or changes nothing stores nothing', async () => {
    const database = await fresh()
    const poll = await poller(database)
    await database.transaction((tx) => setSettings(tx, ada, { library_visibility: 'nobody' }))
    const failing = database.transaction(async (tx) => {
      await ensurePlayers(tx, [ada])
      throw new Error('the disk is full')
    })
    await expect(failing).rejects.toThrow('the disk is full')
    expect(await poll()).toEqual([])
  })

  test('a transaction with too many changes stores one row', async () => {
    const database = await fresh()
    const poll = await poller(database)
    const ids = Array.from({ length: 2500 }, (_, nth) => nth)
    await database.transaction(async (tx) => changed(tx, 'app', ids))
    expect(await poll()).toEqual([EVERYTHING])
  })

  // The triggers are SQLite's.
  if (engine === 'sqlite')
    test('the tests notice a write that does not tell what it changed', async () => {
      const failures: string[] = []
      const database = await watchingChanges(
        await openDatabase(await freshOptions(engine)),
        (error) => void failures.push(error.message),
      )
      const write = (statement: string, told: [Kind, string][] = []) =>
        database.transaction(async (tx) => {
          for (const [kind, id] of told) changed(tx, kind, [id])
          await sql.raw(statement).execute(tx)
        })
      await database.transaction((tx) => ensurePlayers(tx, [ada, bob]))
      await write('UPDATE people SET profile_at = 1, personastate = 0')
      await write('UPDATE people SET friends_at = 1', [['person', bob]])
      const ofAda = `WHERE steam_id = '${ada}'`
      const untold = [
        [`person:${ada}`],
        [`profile:${ada}`, `UPDATE people SET display_name = 'Ada' ${ofAda}`],
        [`library:${ada}`, `UPDATE people SET hidden_appids = '440' ${ofAda}`],
        [
          `sync:${bob}`,
          `INSERT INTO refreshes (steam_id, requested_by, requested_at, games_due, friends_due, priority, attempts,
             next_attempt_at, lease_until) VALUES ('${ada}', '${bob}', 1, 1, 0, 1, 0, 1, 0)`,
        ],
        [`refresh:${ada}`, `DELETE FROM refreshes`],
      ] as const
      for (const [, statement] of untold) if (statement) await write(statement, [['person', ada]])
      await database.close()
      const text = 'a transaction did not tell what it changed'
      expect(failures).toEqual(untold.map(([tag]) => `${text}: ${tag}`))
    })

  test('after a gap everything has changed', async () => {
    const database = await fresh()
    const poll = await poller(database)
    for (let nth = 0; nth < 7; nth++)
      await database.transaction(async (tx) => {
        const ids = Array.from({ length: 1990 }, (_, item) => nth * 10_000 + item)
        changed(tx, 'app', ids)
      })
    await database.deleteOldChanges()
    expect(await poll()).toEqual([EVERYTHING])
    await database.transaction(async (tx) => changed(tx, 'app', [440]))
    expect(await poll()).toEqual(['app:440'])
  })

  // With one transaction at a time there is nothing to test on SQLite.
  if (engine === 'postgres')
    test('transactions that become visible in another order than they began are all found', async () => {
      const database = await fresh()
      const poll = await poller(database)
      const begun = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      const early = database.transaction(async (tx) => {
        await ensurePlayers(tx, [ada])
        begun.resolve()
        await goOn.promise
      })
      await begun.promise
      await database.transaction((tx) => ensurePlayers(tx, [bob]))
      expect(await poll()).toEqual([`person:${bob}`])
      goOn.resolve()
      await early
      expect(await poll()).toEqual([`person:${ada}`])
      await database.transaction(async (tx) => changedEverything(tx))
      expect(await poll()).toEqual([EVERYTHING])
    })
})
