/** The queries of each table file, on both engines, and that no query of a page scans a whole table. */
import { CompiledQuery, type KyselyPlugin } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { describeOnEachEngine, freshDatabaseOptions } from '../../../tests/support/databases.ts'
import {
  connectedAmong,
  fellowMembersAmong,
  groupmatesAmong,
  listFriendIds,
  listFriends,
  listFriendsNotReadSince,
  replaceFriends,
} from './friends.ts'
import {
  countOwned,
  createGroup,
  findGroup,
  listGroupsOf,
  markGroupsSynced,
  recentlySyncedGroups,
  setPicture,
} from './groups.ts'
import {
  addLibraryChanges,
  deleteOldLibraryChanges,
  markLibraryPrivate,
  readLibraries,
  readLibrary,
  readLibraryVersions,
  recentLibraryChanges,
  writeLibrary,
  readPackedLibraries,
  readPackedLibrary,
} from './libraries.ts'
import { deleteAccount, openAccount } from './accounts.ts'
import {
  departuresAmong,
  forgetLeftGroup,
  listFormerMembers,
  listLeftGroups,
  mayReturn,
} from './departures.ts'
import {
  addMembers,
  countMembers,
  countMemberships,
  endMembership,
  joinGroup,
  listMemberIds,
  listMembers,
} from './memberships.ts'
import { openDatabase } from '../database/open.ts'
import {
  ensurePeople,
  findPerson,
  readPeople,
  saveProfiles,
  setFriendsSynced,
  setLibraryVisibility,
  readPeopleWithLibraries,
} from './people.ts'
import { enqueueRefreshes, readingProgress } from './refreshes.ts'
import { deleteUnusedPictures, findPicture, insertPicture } from './pictures.ts'
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
import { writeRows } from '../../../tests/support/rows.ts'
import { storingChanges } from '../database/subjects.ts'
import type { Tx } from '../database/schema.ts'
import { deleteExpiredUses, useOnce } from './used-once.ts'

const [ada, bob, cal] = ['76561197960265729', '76561197960265730', '76561197960265731'] as const
const nobody = '76561197960299999'
const many = Array.from({ length: 2000 }, (_, n) => String(76561197960300000n + BigInt(n)))
const library = { packed: new Uint8Array([7]), gameCount: 1, totalMinutes: 60, at: 1000 }

function profile(steamId: string, displayName: string | null, personastate = 0) {
  return { steamId, displayName, avatarUrl: null, personastate, playing: null, playingAppid: null }
}

function session(database: Database, steamId: string, tokenHash: string, expiresAt: number, now = 1) {
  return database.transaction((tx) => openSession(tx, steamId, tokenHash, expiresAt, now))
}

function openSession(tx: Tx, steamId: string, tokenHash: string, expiresAt: number, now = 1) {
  return createSession(tx, { steamId, tokenHash, kind: 'lasting', now, expiresAt, userAgent: 'Firefox' })
}

describeOnEachEngine('people', (fresh) => {
  test('the time of the first sign-in stays after later ones', async () => {
    const database = await fresh()
    const signIn = (at: number) =>
      database.transaction((tx) => openAccount(database, tx, { steamId: ada, profile: undefined, at }))
    expect([(await signIn(100)).hasFirstRead, (await signIn(200)).hasFirstRead]).toEqual([true, false])
    expect(await findPerson(database.queries, ada)).toMatchObject({
      signed_in_at: 100,
      library_visibility: 'connected',
    })
  })

  test('of duplicate profiles in one response the last is stored', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) =>
      saveProfiles(tx, [profile(ada, 'Old'), profile(bob, 'Bob'), profile(ada, 'New')], 1),
    )
    const people = await readPeople(queries, [ada, bob, nobody])
    expect([...people.values()].map((row) => row.display_name).sort()).toEqual(['Bob', 'New'])
  })

  test('ensurePeople changes nothing about existing people', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => saveProfiles(tx, [profile(ada, 'Ada', 1)], 5))
    await database.transaction((tx) => setLibraryVisibility(tx, ada, 'groups'))
    await database.transaction((tx) => ensurePeople(tx, [bob, ada, bob]))
    expect(await findPerson(queries, ada)).toMatchObject({
      display_name: 'Ada',
      profile_at: 5,
      library_visibility: 'groups',
    })
    expect(await findPerson(queries, bob)).toMatchObject({ display_name: null, friends_status: 'never' })
  })

  test('a private friend list keeps the time of the last one that was read', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePeople(tx, [ada]))
    await database.transaction((tx) => setFriendsSynced(tx, ada, 'ok', 100))
    await database.transaction((tx) => setFriendsSynced(tx, ada, 'private', null))
    expect(await findPerson(queries, ada)).toMatchObject({ friends_status: 'private', friends_at: 100 })
  })

  test('thousands of people, libraries and friends can be queried at once', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) =>
      saveProfiles(
        tx,
        many.map((id) => profile(id, `Player ${id}`)),
        1,
      ),
    )
    await database.transaction((tx) => writeLibrary(tx, many[1999]!, library))
    expect((await readPeople(queries, many)).size).toBe(2000)
    expect([...(await readLibraries(queries, many)).keys()]).toEqual([many[1999]])
    expect([...(await readLibraryVersions(queries, many)).keys()]).toEqual([many[1999]])
    expect(await readPeople(queries, [])).toEqual(new Map())
  })

  test('a deleted person leaves no row', async () => {
    const database = await fresh()
    await database.transaction(async (tx) => {
      await ensurePeople(tx, [ada, bob])
      await replaceFriends(tx, ada, [{ steamId: bob, since: 1 }])
      await writeLibrary(tx, ada, library)
      await addLibraryChanges(tx, ada, 1, [{ appid: 10, kind: 'added', minutes: 0 }])
      await openSession(tx, ada, 'h', 100)
      await deleteAccount(database, tx, ada, 2)
    })
    expect(await findPerson(database.queries, ada)).toBeUndefined()
    expect(await listFriendIds(database.queries, ada)).toEqual([])
    expect(await findPerson(database.queries, bob)).toBeDefined()
  })
})

describeOnEachEngine('sessions', (fresh) => {
  test('a session is found until its end, which every use postpones', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePeople(tx, [ada]))
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
    await database.transaction((tx) => ensurePeople(tx, [ada]))
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

  test('of too many sessions the person’s least recently used ones end', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePeople(tx, [ada, bob]))
    for (const [hash, usedAt] of [
      ['used first', 1],
      ['used last', 9],
      ['used next', 5],
    ] as const)
      await session(database, ada, hash, 100, usedAt)
    await session(database, ada, 'ended, though used last', 20, 10)
    await session(database, bob, 'bob', 100, 1)
    await database.transaction((tx) => endLeastUsedSessions(tx, ada, 2, 50))
    expect((await listSessions(queries, ada, 0)).map((row) => row.token_hash)).toEqual([
      'used last',
      'used next',
    ])
    expect(await listSessions(queries, bob, 0)).toHaveLength(1)
  })

  test('a person can end one or all of their own sessions, and no others', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePeople(tx, [ada, bob]))
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
    await database.transaction((tx) => ensurePeople(tx, [ada]))
    await session(database, ada, 'ended', 100)
    await session(database, ada, 'running', 101)
    expect(await database.transaction((tx) => deleteExpiredSessions(tx, 100))).toBe(1)
    expect(await findSession(queries, 'running', 100)).toBeDefined()

    await useOnce(queries, 'nonce', 'n', 100)
    expect(await useOnce(queries, 'nonce', 'n', 300)).toBe(false)
    expect(await deleteExpiredUses(queries, 99)).toBe(0)
    expect(await deleteExpiredUses(queries, 100)).toBe(1)
    expect(await useOnce(queries, 'nonce', 'n', 300)).toBe(true)
  })
})

describeOnEachEngine('libraries', (fresh) => {
  test('a library that was always private has no games, and becomes readable', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePeople(tx, [ada]))
    await database.transaction((tx) => markLibraryPrivate(tx, ada, 5))
    expect(await readLibrary(queries, ada)).toMatchObject({
      status: 'private',
      packed: null,
      synced_at: null,
    })
    await database.transaction((tx) => writeLibrary(tx, ada, library))
    expect((await readLibraryVersions(queries, [ada])).get(ada)).toEqual({
      steam_id: ada,
      version: 2,
      status: 'ok',
      synced_at: 1000,
      checked_at: 1000,
    })
  })

  test('library changes are listed newest first, by time and kind, up to a limit', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePeople(tx, [ada, bob, cal]))
    await addLibraryChanges(queries, ada, 10, [{ appid: 1, kind: 'added', minutes: 0 }])
    await addLibraryChanges(queries, ada, 20, [{ appid: 1, kind: 'started', minutes: 30 }])
    await addLibraryChanges(queries, bob, 30, [{ appid: 2, kind: 'started', minutes: 5 }])
    await addLibraryChanges(queries, cal, 40, [{ appid: 3, kind: 'started', minutes: 5 }])
    // The same change found by two servers is stored once.
    await addLibraryChanges(queries, bob, 30, [{ appid: 2, kind: 'started', minutes: 5 }])
    await addLibraryChanges(queries, bob, 31, [])

    const times = async (options: Parameters<typeof recentLibraryChanges>[2]) =>
      (await recentLibraryChanges(queries, [ada, bob], options)).map((change) => change.at)
    expect(await times({ since: 0, limit: 10 })).toEqual([30, 20, 10])
    expect(await times({ since: 20, limit: 10 })).toEqual([30, 20])
    expect(await times({ since: 0, limit: 1 })).toEqual([30])
    expect(await times({ since: 0, limit: 10, kind: 'added' })).toEqual([10])

    expect(await deleteOldLibraryChanges(queries, 20)).toBe(1)
    expect(await times({ since: 0, limit: 10 })).toEqual([30, 20])
  })
})

describeOnEachEngine('friends and groups', (fresh) => {
  test('friends are listed by id with their names, and those whose profiles were read long ago', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => saveProfiles(tx, [profile(ada, 'Ada'), profile(cal, 'Cal')], 10))
    await database.transaction((tx) => saveProfiles(tx, [profile(bob, 'Bob')], 20))
    await database.transaction((tx) => ensurePeople(tx, [many[0]!]))
    // The last one has no row, as a deleted account.
    const friends = [nobody, many[0]!, cal, bob].map((steamId) => ({ steamId, since: 5 }))
    await database.transaction((tx) => replaceFriends(tx, ada, friends))

    expect(await listFriends(queries, ada)).toEqual(
      [
        [bob, 'Bob'],
        [cal, 'Cal'],
        [nobody, null],
        [many[0], null],
      ].map(([steam_id, display_name]) => ({ steam_id, display_name, since: 5 })),
    )
    expect((await listFriendsNotReadSince(queries, ada, 10)).sort()).toEqual([cal, many[0]])
    expect(await listFriendsNotReadSince(queries, bob, 10)).toEqual([])
  })

  test('the progress of reading counts friends, their libraries and what waits', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction(async (tx) => {
      await ensurePeople(tx, [ada, bob, ...many])
      await replaceFriends(
        tx,
        ada,
        [bob, ...many].map((steamId) => ({ steamId, since: null })),
      )
      await writeLibrary(tx, bob, library)
      await markLibraryPrivate(tx, many[1999]!, 1)
      await enqueueRefreshes(tx, [many[0]!, many[1]!, nobody], { by: ada, priority: 1, at: 1 })
    })
    expect(await readingProgress(queries, ada)).toEqual({ total: 2001, read: 2, waiting: 2 })
    expect(await readingProgress(queries, bob)).toEqual({ total: 0, read: 0, waiting: 0 })
  })

  test('an empty friend list empties the stored one', async () => {
    const database = await fresh()
    await database.transaction((tx) => ensurePeople(tx, [ada, bob]))
    await database.transaction((tx) => replaceFriends(tx, ada, [{ steamId: bob, since: null }]))
    await database.transaction((tx) => replaceFriends(tx, ada, []))
    expect(await listFriendIds(database.queries, ada)).toEqual([])
  })

  test('groups are listed newest first with their member counts, and can be left one by one', async () => {
    const database = await fresh()
    const { queries } = database
    const [first, second] = await database.transaction(async (tx) => {
      await ensurePeople(tx, [ada, bob])
      const groups = [
        await createGroup(tx, { name: 'first', owner: ada, at: 1 }),
        await createGroup(tx, { name: 'second', owner: bob, at: 2 }),
      ] as const
      await addMembers(tx, groups[0], [bob], { by: ada, at: 3 })
      return groups
    })
    const listed = await listGroupsOf(queries, bob)
    expect(listed.map((row) => [row.name, row.member_count])).toEqual([
      ['second', 1],
      ['first', 2],
    ])
    expect(listed.map((row) => [row.joined_at, row.adder_steam_id])).toEqual([
      [2, null],
      [null, ada],
    ])
    expect(await fellowMembersAmong(queries, ada, [bob, cal])).toEqual(new Set([bob]))
    expect(await groupmatesAmong(queries, ada, [bob, cal])).toEqual(new Set())
    await database.transaction((tx) => joinGroup(tx, first, bob, 4))
    expect(await groupmatesAmong(queries, ada, [bob, cal])).toEqual(new Set([bob]))

    const end = () => database.transaction((tx) => endMembership(tx, first, bob, { removed: true, at: 5 }))
    expect([await end(), await end()]).toEqual([true, false])
    expect(await listMemberIds(queries, first)).toEqual([ada])
    expect(await countMembers(queries, first)).toBe(1)
    expect((await listGroupsOf(queries, bob)).map((row) => row.group_id)).toEqual([second])
  })

  test('a group counts as synced when all synced people are in it', async () => {
    const database = await fresh()
    await database.transaction(async (tx) => {
      await ensurePeople(tx, [ada, bob, cal])
      for (const [name, members] of [
        ['both', [bob]],
        ['three', [bob, cal]],
        ['alone', []],
      ] as const) {
        const group = await createGroup(tx, { name, owner: ada, at: 1 })
        if (members.length > 0) await addMembers(tx, group, members, { by: ada, at: 1 })
      }
      await markGroupsSynced(tx, ada, [ada, bob, bob], 50)
      await markGroupsSynced(tx, ada, [ada, bob, cal], 60)
      await markGroupsSynced(tx, ada, [nobody], 70)
    })
    const synced = async (since: number, limit: number) =>
      (await recentlySyncedGroups(database.queries, ada, since, limit)).map((row) => [
        row.name,
        row.synced_at,
      ])
    expect(await synced(0, 5)).toEqual([
      ['three', 60],
      ['both', 50],
    ])
    expect(await synced(55, 5)).toEqual([['three', 60]])
    expect(await synced(0, 1)).toEqual([['three', 60]])
  })

  test('a picture is stored as long as a group shows it', async () => {
    const database = await fresh()
    const { queries } = database
    const bytes = Uint8Array.from({ length: 70_000 }, (_, n) => n % 256)
    const picture = { content_type: 'image/webp', bytes, source_url: null, fetched_at: 1, created_at: 1 }
    await insertPicture(queries, { ...picture, picture_key: 'shown' })
    await insertPicture(queries, { ...picture, picture_key: 'unused' })
    await database.transaction((tx) => ensurePeople(tx, [ada]))
    const group = await database.transaction((tx) => createGroup(tx, { name: 'G', owner: ada, at: 1 }))
    await database.transaction((tx) => setPicture(tx, group, { url: '/media/shown', key: 'shown' }))

    expect(await deleteUnusedPictures(queries, 1)).toBe(0)
    expect(await deleteUnusedPictures(queries, 2)).toBe(1)
    expect(await findPicture(queries, 'unused')).toBeUndefined()
    expect(await findPicture(queries, 'shown')).toEqual({ ...picture, picture_key: 'shown' })
    expect(await findGroup(queries, group, ada)).toMatchObject({
      picture_url: '/media/shown',
      picture_key: 'shown',
    })
  })
})

test('no query of a page scans a whole table', async () => {
  const { drop, ...place } = await freshDatabaseOptions('sqlite')
  const database = await openDatabase(place)
  const { queries } = database
  onTestFinished(async () => {
    await database.close()
    await drop()
  })
  const asked: CompiledQuery[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      asked.push(queries.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const watched = queries.withPlugin(plugin)
  await findPerson(watched, ada)
  await readPeople(watched, [ada, bob])
  await findSession(watched, 'h', 1)
  await findHandover({ ...database, queries: watched }, 'h', 1)
  await listSessions(watched, ada, 1)
  await deleteExpiredUses(watched, 1)
  await readLibrary(watched, ada)
  await readPackedLibrary(watched, ada)
  await readLibraries(watched, [ada, bob])
  await readLibraryVersions(watched, [ada, bob])
  await recentLibraryChanges(watched, [ada, bob], { since: 1, limit: 1, kind: 'started' })
  await deleteOldLibraryChanges(watched, 1)
  await listFriends(watched, ada)
  await listFriendsNotReadSince(watched, ada, 1)
  await readingProgress(watched, ada)
  await listFriendIds(watched, ada)
  await connectedAmong(watched, ada, [bob, cal])
  await findGroup(watched, 1, ada)
  await listGroupsOf(watched, ada)
  await recentlySyncedGroups(watched, ada, 1, 2)
  await departuresAmong(watched, 1, [ada])
  await mayReturn(watched, 1, ada)
  await listFormerMembers(watched, 1, 5)
  await listLeftGroups(watched, ada, 5)
  await countMemberships(watched, [ada, bob], cal)
  await countOwned(watched, [ada, bob])
  await listMemberIds(watched, 1)
  await readPeopleWithLibraries(watched, [ada, bob, cal])
  await readPackedLibraries(watched, [ada, bob, cal])
  await connectedAmong(watched, ada, [bob])
  await listMembers(watched, 1)
  await countMembers(watched, 1)
  await findPicture(watched, 'key')
  const writes = async (tx: Tx) => {
    await swapHandover(database, tx, {
      handoverHash: 'h',
      browserHash: 'b',
      tokenHash: 'i',
      now: 1,
      expiresAt: 2,
    })
    await recordUse(tx, { session_id: 1, token_hash: 'h' }, 1, 2)
    await endLeastUsedSessions(tx, ada, 49, 1)
    await deleteExpiredSessions(tx, 1)
    await forgetLeftGroup(tx, ada, 1)
  }
  await writeRows(database, (tx) => storingChanges(tx.withPlugin(plugin), writes))

  for (const { sql, parameters } of asked) {
    if (sql.startsWith('insert into "changes"')) continue
    const plan = await queries.executeQuery<{ detail: string }>(
      // Prepared statements have no values yet, and the query plan does not need them.
      CompiledQuery.raw(
        `EXPLAIN QUERY PLAN ${sql}`,
        parameters.map((value) => (typeof value === 'object' ? null : value)),
      ),
    )
    const steps = plan.rows.map((row) => row.detail)
    expect(steps.length, sql).toBeGreaterThan(0)
    expect(
      steps.filter((step) => /^SCAN (?!CONSTANT)/.test(step)),
      sql,
    ).toEqual([])
  }
})
