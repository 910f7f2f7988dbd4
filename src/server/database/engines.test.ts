/** The guarantees of both engines: opening, durability, transactions and locks. */
import { describe, expect, test } from 'vitest'
import {
  describeOnEachEngine,
  engines,
  freshOptions,
  openForTest as open,
} from '../../../tests/support/databases.ts'
import { profileOf } from '../../../tests/support/rows.ts'
import { createGroup } from '../storage/groups/groups.ts'
import { addMembers } from '../storage/groups/memberships.ts'
import { readLibrary, writeLibrary } from '../storage/players/libraries.ts'
import { ensurePlayers, readPlayers, saveProfiles } from '../storage/players/players.ts'
import { useOnce } from '../storage/accounts/used-once.ts'

const [ada, bob] = ['76561197960265729', '76561197960265730'] as const

describe.each(engines)('OPS-1: opening on %s', (engine) => {
  test('servers that start at once on an empty database all serve it', async () => {
    const options = await freshOptions(engine)
    const [first, second, third] = await Promise.all([open(options), open(options), open(options)])

    await first.transaction((tx) => ensurePlayers(tx, [ada]))
    await second.transaction((tx) =>
      writeLibrary(tx, ada, {
        packed: new Uint8Array([9]),
        gameCount: 1,
        totalMinutes: 2,
        at: 3,
      }),
    )

    expect(await readLibrary(third.queries, ada)).toMatchObject({ version: 1, total_minutes: 2 })
  })

  test('two servers of one database add to the same rows without losing an update', async () => {
    const options = await freshOptions(engine)
    const servers = await Promise.all([open(options), open(options)])
    await servers[0].transaction((tx) => ensurePlayers(tx, [ada]))
    const library = { packed: new Uint8Array(1), gameCount: 1, totalMinutes: 1, at: 1 }

    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        servers[n % 2]!.transaction((tx) => writeLibrary(tx, ada, library)),
      ),
    )

    expect((await readLibrary(servers[1].queries, ada))?.version).toBe(40)
  })

  test('SIGN-7: a one-time value can be used on only one of two servers', async () => {
    const options = await freshOptions(engine)
    const servers = await Promise.all([open(options), open(options)])
    const uses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => useOnce(servers[n % 2]!.queries, 'state', 's', 100)),
    )
    expect(uses.filter(Boolean)).toHaveLength(1)
  })
})

describeOnEachEngine('transactions', (fresh) => {
  test('transactions under one lock that read and then write do not interleave', async () => {
    const database = await fresh()
    await database.transaction((tx) =>
      ensurePlayers(
        tx,
        Array.from({ length: 30 }, (_, n) => String(76561197960300000n + BigInt(n))),
      ),
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

  test('a single write made during a transaction that fails is stored', async () => {
    const database = await fresh()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: written, resolve: finish } = Promise.withResolvers<void>()
    const failing = database.transaction(async (tx) => {
      await ensurePlayers(tx, [ada])
      begin()
      await written
      throw new Error('no')
    })
    await begun
    const single = database.transaction((tx) => ensurePlayers(tx, [bob]))
    finish()

    await expect(failing).rejects.toThrow('no')
    await single
    expect([...(await readPlayers(database.queries, [ada, bob])).keys()]).toEqual([bob])
  })

  test('overlapping sets of players can be written concurrently in any order', async () => {
    const database = await fresh()
    const profiles = Array.from({ length: 400 }, (_, n) =>
      profileOf(String(76561197960300000n + BigInt(n)), `P${n}`),
    )
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        database.transaction((tx) => saveProfiles(tx, n % 2 ? profiles : profiles.toReversed(), n)),
      ),
    )
    const ids = profiles.map(({ steamId }) => steamId)
    expect((await readPlayers(database.queries, ids)).size).toBe(400)
  })
})
