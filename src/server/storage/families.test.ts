/** The queries of players, libraries, friends and groups, on both engines. */
import { expect, test } from 'vitest'
import { describeOnEachEngine } from '../../../tests/support/databases.ts'
import { listFriendIds, listFriends, markFriendsPrivate, replaceFriends } from './friends.ts'
import { createGroup, lastSyncedGroups, changeGroup } from './groups.ts'
import {
  addLibraryChanges,
  markLibraryPrivate,
  readLibrary,
  readLibraryVersions,
  recentLibraryChanges,
  writeLibrary,
} from './libraries.ts'
import { deleteAccount } from '../features/departures.ts'
import { openAccount } from './accounts.ts'
import {
  ensurePlayers,
  findPlayer,
  listNotReadSince,
  readPlayers,
  saveProfiles,
  setSettings,
} from './players.ts'
import { enqueueRefreshes, countWaitingForGames } from './refreshes.ts'
import { expiredRows } from './expired.ts'
import { createSession } from './sessions.ts'

const [ada, bob, cal] = ['76561197960265729', '76561197960265730', '76561197960265731'] as const
const MONTH_MS = 30 * 24 * 60 * 60_000
const nobody = '76561197960299999'
const many = Array.from({ length: 2000 }, (_, n) => String(76561197960300000n + BigInt(n)))
const library = { packed: new Uint8Array([7]), gameCount: 1, totalMinutes: 60, at: 1000 }

function profile(steamId: string, displayName: string | null, personastate = 0) {
  return { steamId, displayName, avatarUrl: null, personastate, playing: null, playingAppid: null }
}

describeOnEachEngine('people', (fresh) => {
  test('the time of the first sign-in stays after later ones', async () => {
    const database = await fresh()
    const signIn = (at: number) =>
      database.transaction((tx) => openAccount(database, tx, { steamId: ada, profile: undefined, at }))
    expect([(await signIn(100)).hasFirstRead, (await signIn(200)).hasFirstRead]).toEqual([true, false])
    expect(await findPlayer(database.queries, ada)).toMatchObject({
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
    const players = await readPlayers(queries, [ada, bob, nobody])
    expect([...players.values()].map((row) => row.display_name).sort()).toEqual(['Bob', 'New'])
  })

  test('ensurePlayers changes nothing about existing players', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => saveProfiles(tx, [profile(ada, 'Ada', 1)], 5))
    await database.transaction((tx) => setSettings(tx, ada, { library_visibility: 'groups' }))
    await database.transaction((tx) => ensurePlayers(tx, [bob, ada, bob]))
    expect(await findPlayer(queries, ada)).toMatchObject({
      display_name: 'Ada',
      profile_at: 5,
      library_visibility: 'groups',
    })
    expect(await findPlayer(queries, bob)).toMatchObject({ display_name: null, friends_status: 'never' })
  })

  test('a private friend list keeps the time of the last one that was read', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePlayers(tx, [ada]))
    await database.transaction((tx) => replaceFriends(tx, ada, [], 100))
    await database.transaction((tx) => markFriendsPrivate(tx, ada, 200))
    expect(await findPlayer(queries, ada)).toMatchObject({
      friends_status: 'private',
      friends_at: 100,
      friends_checked_at: 200,
    })
  })

  test('thousands of players, libraries and friends can be queried at once', async () => {
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
    expect((await readPlayers(queries, many)).size).toBe(2000)
    expect([...(await readLibraryVersions(queries, many)).keys()]).toEqual([many[1999]])
    expect(await readPlayers(queries, [])).toEqual(new Map())
  })

  test('a deleted player leaves no row', async () => {
    const database = await fresh()
    await database.transaction(async (tx) => {
      await ensurePlayers(tx, [ada, bob])
      await replaceFriends(tx, ada, [{ steamId: bob, since: 1 }], 1)
      await writeLibrary(tx, ada, library)
      await addLibraryChanges(tx, ada, 1, [{ appid: 10, minutes: 0 }])
      await createSession(tx, {
        steamId: ada,
        tokenHash: 'h',
        kind: 'lasting',
        now: 1,
        expiresAt: 100,
        userAgent: 'Firefox',
      })
      await deleteAccount(database, tx, ada, 2)
    })
    expect(await findPlayer(database.queries, ada)).toBeUndefined()
    expect(await listFriendIds(database.queries, ada)).toEqual([])
    expect(await findPlayer(database.queries, bob)).toBeDefined()
  })
})

describeOnEachEngine('libraries', (fresh) => {
  test('a library that was always private has no games, and becomes readable', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePlayers(tx, [ada]))
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

  test('library changes are listed newest first, up to a limit', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePlayers(tx, [ada, bob, cal]))
    await addLibraryChanges(queries, ada, 10, [{ appid: 1, minutes: 0 }])
    await addLibraryChanges(queries, ada, 20, [{ appid: 1, minutes: 30 }])
    await addLibraryChanges(queries, bob, 30, [{ appid: 2, minutes: 5 }])
    await addLibraryChanges(queries, cal, 40, [{ appid: 3, minutes: 5 }])
    // The same change found by two servers is stored once.
    await addLibraryChanges(queries, bob, 30, [{ appid: 2, minutes: 5 }])
    await addLibraryChanges(queries, bob, 31, [])

    const times = async (options: Parameters<typeof recentLibraryChanges>[2]) =>
      (await recentLibraryChanges(queries, [ada, bob], options)).map((change) => change.at)
    expect(await times({ since: 0, limit: 10 })).toEqual([30, 20, 10])
    expect(await times({ since: 20, limit: 10 })).toEqual([30, 20])
    expect(await times({ since: 0, limit: 1 })).toEqual([30])

    for (const step of Object.values(expiredRows(queries, MONTH_MS + 20))) await step()
    expect(await times({ since: 0, limit: 10 })).toEqual([30, 20])
  })
})

describeOnEachEngine('friends and groups', (fresh) => {
  test('friends are listed by id with their names, and those whose profiles were read long ago', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => saveProfiles(tx, [profile(ada, 'Ada'), profile(cal, 'Cal')], 10))
    await database.transaction((tx) => saveProfiles(tx, [profile(bob, 'Bob')], 20))
    await database.transaction((tx) => ensurePlayers(tx, [many[0]!]))
    // The last one has no row, as a deleted account.
    const friends = [nobody, many[0]!, cal, bob].map((steamId) => ({ steamId, since: 5 }))
    await database.transaction((tx) => replaceFriends(tx, ada, friends, 1))

    expect(await listFriends(queries, ada)).toEqual(
      [
        [bob, 'Bob'],
        [cal, 'Cal'],
        [nobody, null],
        [many[0], null],
      ].map(([steam_id, display_name]) => ({ steam_id, display_name, since: 5 })),
    )
    const ids = await listFriendIds(queries, ada)
    expect((await listNotReadSince(queries, ids, 10)).sort()).toEqual([cal, many[0]])
  })

  test('libraries that wait to be read are counted', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction(async (tx) => {
      await ensurePlayers(tx, [ada, bob, ...many])
      await enqueueRefreshes(tx, [many[0]!, many[1999]!, nobody], { by: ada, priority: 1, at: 1 })
    })
    expect(await countWaitingForGames(queries, [bob, ...many])).toBe(2)
    expect(await countWaitingForGames(queries, [bob])).toBe(0)
    expect(await countWaitingForGames(queries, [])).toBe(0)
  })

  test('an empty friend list empties the stored one', async () => {
    const database = await fresh()
    await database.transaction((tx) => ensurePlayers(tx, [ada, bob]))
    await database.transaction((tx) => replaceFriends(tx, ada, [{ steamId: bob, since: null }], 1))
    await database.transaction((tx) => replaceFriends(tx, ada, [], 1))
    expect(await listFriendIds(database.queries, ada)).toEqual([])
  })

  test('groups that were synced are listed latest first, then those that never were, up to a limit', async () => {
    const database = await fresh()
    await database.transaction(async (tx) => {
      await ensurePlayers(tx, [ada])
      for (const [name, at] of [
        ['first', 50],
        ['last', 60],
        ['never', undefined],
      ] as const) {
        const group = await createGroup(tx, { name, owner: ada, at: 1 })
        if (at !== undefined) await changeGroup(tx, group, { synced_at: at })
      }
    })
    const synced = async (limit: number) =>
      (await lastSyncedGroups(database.queries, ada, limit)).map((row) => [row.name, row.synced_at])
    expect(await synced(5)).toEqual([
      ['last', 60],
      ['first', 50],
      ['never', null],
    ])
    expect(await synced(1)).toEqual([['last', 60]])
  })
})
