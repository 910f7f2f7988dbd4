/**
 * DEL-1 to DEL-5: until a person with a deleted account signs in again, nothing about them is stored, read from the
 * platform or shown, except their id in other people's friend lists; requests in progress included.
 */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { unpackFriends } from '../../src/server/library/packed.ts'
import { api, engines, setVisibility, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { insertRefresh } from '../support/rows.ts'
import { status, syncFriends, syncGames, syncGroup } from '../support/sync-calls.ts'

const NAME = 'Gone With The Wind'

const remove = (player: TestPlayer) => player.attempt(api.privacy.deleteAccount, player.user)

/** Delays Steam's response about a person until the returned function is called. */
function hold(
  app: TestApp,
  endpoint: 'GetOwnedGames' | 'GetPlayerSummaries',
  { steam_id }: TestPlayer,
): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  app.simulator.fail({ endpoint, steamId: steam_id, kind: 'held', until: promise })
  return resolve
}

/** Every column that contains one of the texts in any row, as `table.column`; packed friend lists as their ids. */
async function tracesOf({ database }: TestApp, ...needles: string[]): Promise<string[]> {
  const tables = await database.queries.introspection.getTables()
  const found: string[] = []
  for (const { name, columns, isView } of tables) {
    if (isView) continue
    const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(name)}`.execute(
      database.queries,
    )
    for (const row of rows)
      for (const column of columns) {
        const value = row[column.name]
        const text =
          name === 'friend_lists' && value instanceof Uint8Array ? unpackFriends(value).ids() : value
        if (needles.some((needle) => String(text).includes(needle))) found.push(`${name}.${column.name}`)
      }
  }
  return [...new Set(found)].sort()
}

describe.each(engines)('on %s', (engine) => {
  /** Bob, with games and a friend, Ada; both are in Ada's group and have synced each other. */
  async function cast(options: Parameters<typeof startTestApp>[0] = {}) {
    const app = await startTestApp({ engine, ...options })
    const ada = await app.player({ name: 'Ada', games: { Portal: 60 } })
    const bob = await app.player({ name: NAME, games: { Portal: 30 }, friends: [ada] })
    await app.deps.sync.syncFriends(ada.steam_id)
    const group = await app.group({ owner: ada, members: [bob] })
    for (const sync of [syncGames(ada, bob), syncGroup(ada, ada, bob), syncGames(bob, ada)])
      expect((await sync).status).toBe(200)
    await app.write((tx) =>
      tx
        .insertInto('group_departures')
        .values({ group_id: group.group_id, steam_id: bob.steam_id, left_at: 1 })
        .execute(),
    )
    await app.write((tx) => insertRefresh(tx, { steam_id: ada.steam_id, requested_by: bob.steam_id }))
    return { app, ada, bob, group }
  }

  const idOnly = ['friend_lists.packed']

  test('DEL-2: only the id is left, in the friend lists of others', async () => {
    const { app, ada, bob } = await cast()
    expect((await remove(bob)).status).toBe(204)
    expect(await tracesOf(app, bob.steam_id, NAME)).toEqual(idOnly)

    app.simulator.unfriend(ada.steam_id, bob.steam_id)
    await app.deps.sync.syncFriends(ada.steam_id)
    expect(await tracesOf(app, bob.steam_id, NAME)).toEqual([])
  })

  test('DEL-2: nothing about them is shown, stored or read from Steam on any request', async () => {
    const { app, ada, bob, group } = await cast()
    const cal = await app.player({ name: 'Cal' })
    await remove(bob)
    app.simulator.befriend(cal.steam_id, bob.steam_id)
    app.simulator.updatePlayer(bob.steam_id, { personastate: 1, playing: app.appidOf('Portal') })
    app.simulator.clearCalls()
    const steamId = bob.steam_id

    const mine = { mySteamId: ada.steam_id, friendSteamId: steamId }
    expect(await ada.call(api.library.games, { steamId })).toMatchObject({ games: [], status: 'hidden' })
    expect(await ada.refused(api.library.fetchGames, { steamId })).toMatchObject({ status: 403 })
    expect(await ada.call(api.comparison.compare, mine)).toEqual([])
    const sync = await ada.call(api.groups.syncGames, {}, { steam_ids: [ada.steam_id, steamId] })
    expect(sync.synced.map(({ success }) => success)).toEqual([true, false])
    const add = { steam_ids: [cal.steam_id, steamId] }
    app.simulator.befriend(ada.steam_id, cal.steam_id)
    await app.deps.sync.syncFriends(ada.steam_id)
    expect(await ada.refusedWith(api.groups.addMembers, { id: group.group_id }, add)).toBe('not_connected')
    expect(await ada.call(api.groups.members, { id: group.group_id })).toHaveLength(1)
    // Cal's list contains Bob for the first time; Ada's page requests presence.
    await app.deps.sync.syncFriends(cal.steam_id)
    for (const player of [ada, cal]) {
      await app.write((tx) => tx.updateTable('people').set({ profile_at: 0 }).execute())
      const { friends } = await player.call(api.friends.friends, player.user)
      expect(friends.find((friend) => friend.steam_id === steamId)).toEqual({
        steam_id: steamId,
        display_name: null,
        avatar_url: null,
        personastate: 0,
        playing: null,
        playing_appid: null,
        library_status: 'hidden',
        joined_here: false,
      })
    }
    expect(await tracesOf(app, steamId, NAME)).toEqual(idOnly)
    const about = app.simulator.calls.filter((call) => call.steamIds.includes(steamId))
    expect(about).toEqual([])
    const { waiting } = (await status(cal)).libraries
    expect(waiting).toBe(0)
  })

  describe('DEL-2: a request in progress when the account is deleted stores nothing:', () => {
    type Cast = Awaited<ReturnType<typeof cast>>
    test.each<[string, Parameters<typeof hold>[1], (of: Cast) => Promise<unknown>, unknown]>([
      [
        'a friend syncs the library, which is refused and not counted',
        'GetOwnedGames',
        async ({ ada, bob }) => {
          const { left } = await status(ada)
          const { status: code } = await syncGames(ada, bob)
          return [code, (await status(ada)).left - left]
        },
        [403, 0],
      ],
      [
        'a group sync reads the library',
        'GetOwnedGames',
        async ({ ada, bob }) => {
          const { synced } = await ada.call(api.groups.syncGames, {}, { steam_ids: [bob.steam_id] })
          return synced.map(({ success }) => success)
        },
        [false],
      ],
      [
        'a friend syncs a friend list with the person',
        'GetPlayerSummaries',
        async ({ ada }) => (await syncFriends(ada)).status,
        200,
      ],
      [
        'a page reads presence',
        'GetPlayerSummaries',
        async ({ app, ada }) => {
          await app.write((tx) => tx.updateTable('people').set({ profile_at: 0 }).execute())
          const { friends } = await ada.call(api.friends.friends, ada.user)
          return friends.map(({ display_name, personastate }) => [display_name, personastate])
        },
        [[null, 0]],
      ],
    ])('%s', async (_name, endpoint, request, answer) => {
      const of = await cast()
      const { app, bob } = of
      app.simulator.clearCalls()
      const release = hold(app, endpoint, bob)
      const answered = request(of)
      await expect.poll(() => app.simulator.callsTo(endpoint, bob.steam_id).length).toBe(1)
      expect((await remove(bob)).status).toBe(204)
      release()
      expect(await answered).toEqual(answer)
      expect(await tracesOf(app, bob.steam_id, NAME)).toEqual(idOnly)
    })

    test('the refresh list reads the library', async () => {
      const { app, bob } = await cast({ background: true })
      app.simulator.clearCalls()
      const release = hold(app, 'GetOwnedGames', bob)
      await app.write((tx) => tx.deleteFrom('libraries').where('steam_id', '=', bob.steam_id).execute())
      // Syncing friends puts their unread libraries on the list.
      const cal = await app.player({ friends: [bob] })
      await expect.poll(() => app.simulator.callsTo('GetOwnedGames', bob.steam_id).length).toBe(1)
      await remove(bob)
      release()
      await expect.poll(async () => (await status(cal)).libraries.waiting).toBe(0)
      await app.deps.sync.stop()
      expect(await tracesOf(app, bob.steam_id, NAME)).toEqual(idOnly)
    })

    test('the person’s own requests on another server', async () => {
      const { app, bob } = await cast()
      const other = await startTestApp({ engine, besides: app })
      const there: TestPlayer = { ...bob, ...other.callsOf(bob.token) }
      const calls = Array.from({ length: 12 }, (_, nth) => {
        if (nth === 4) return remove(bob)
        if (nth % 3 === 0) return syncGames(there)
        if (nth % 3 === 1)
          return there.attempt(api.groups.create, {}, { name: NAME, owner_steam_id: bob.steam_id })
        return there.attempt(api.privacy.changeSettings, bob.user, { library_visibility: 'connected' })
      })
      const statuses = (await Promise.all(calls)).map((response) => response.status)
      expect(statuses.filter((code) => code >= 500)).toEqual([])
      expect(await tracesOf(app, bob.steam_id, NAME)).toEqual(idOnly)
    })
  })

  test('DEL-1: signing in again opens a new account', async () => {
    const { app, ada, bob } = await cast()
    await setVisibility(bob, 'groups')
    await remove(bob)
    const back = app.callsOf(await app.signIn(bob.steam_id))
    expect((await back.call(api.privacy.settings, bob.user)).library_visibility).toBe('connected')
    const { friends } = await ada.call(api.friends.friendsCached, ada.user)
    expect(friends).toMatchObject([{ steam_id: bob.steam_id, display_name: NAME }])
    expect((await syncGames(ada, bob)).status).toBe(200)
    expect((await ada.call(api.library.games, bob.user)).games).toHaveLength(1)
  })

  test('DEL-2: deleting and coming back while others sync their lists never fails, and leaves either the id alone or the whole account', async () => {
    const app = await startTestApp({ engine })
    const other = await startTestApp({ engine, besides: app })
    const bob = await app.player({ name: NAME, games: { Portal: 30 } })
    const friends = await Promise.all(Array.from({ length: 3 }, () => app.player({ friends: [bob] })))
    let token = bob.token
    const states: unknown[] = []
    for (let round = 0; round < 6; round++) {
      const isLeaving = round % 2 === 0
      // This is not about limits of sign-ins and syncs.
      await app.db.deleteFrom('used_once').execute()
      await app.write((tx) => tx.deleteFrom('syncs').execute())
      const [statuses] = await Promise.all([
        Promise.all(
          friends.flatMap((friend, nth) => {
            const server = nth % 2 === 0 ? app : other
            const calls = server.callsOf(friend.token)
            const steamId = friend.steam_id
            return [
              calls.attempt(api.friends.syncFriends, { steamId }),
              calls.attempt(api.library.fetchGames, bob.user),
              calls.attempt(api.friends.friends, { steamId }),
            ].map(async (response) => (await response).status)
          }),
        ),
        isLeaving
          ? app.callsOf(token).attempt(api.privacy.deleteAccount, bob.user)
          : app.signIn(bob.steam_id).then((fresh) => (token = fresh)),
      ])
      expect(statuses.filter((code) => code !== 200 && code !== 403)).toEqual([])
      if (isLeaving) expect(await tracesOf(app, bob.steam_id, NAME)).toEqual(idOnly)
      for (const server of [app, other]) {
        const calls = server.callsOf(friends[0]!.token)
        const { friends: listed } = await calls.call(api.friends.friendsCached, friends[0]!.user)
        states.push(listed.map(({ display_name, joined_here }) => [display_name, joined_here]))
      }
    }
    const gone = [[null, false]]
    const back = [[NAME, true]]
    expect(states).toEqual([gone, gone, back, back, gone, gone, back, back, gone, gone, back, back])
  })
})
