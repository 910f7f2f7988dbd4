/** Syncing a group by its id (API-30, PERM-8), and its time in Recent Activity. */
import { describe, expect, test } from 'vitest'
import { api, engines, startTestApp, type TestPlayer } from '../support/app.ts'
import { quick, status, syncGroup } from '../support/sync-calls.ts'

describe.each(engines)('a group’s sync on %s', (engine) => {
  /** Two groups of the same people, who have all joined. */
  async function twoGroups() {
    const app = await startTestApp({ engine, steamTiming: quick })
    const bob = await app.player({ name: 'Bob', games: { Portal: 60 } })
    const cal = await app.player({ name: 'Cal', games: { Portal: 5 } })
    const ada = await app.player({ name: 'Ada', friends: [bob, cal] })
    const { group_id } = await app.group({ owner: ada, members: [bob, cal], name: 'Friday' })
    await app.group({ owner: ada, members: [bob, cal], name: 'Saturday' })
    app.simulator.clearCalls()
    return { app, ada, bob, cal, group_id }
  }
  const sync = (player: TestPlayer, body: { group_id?: number; steam_ids?: string[] }) =>
    player.attempt(api.groups.syncGames, {}, body)
  /** By their own time; Recent Activity also goes by their members' libraries. */
  const groupsSynced = async ({ database }: Awaited<ReturnType<typeof twoGroups>>['app']) =>
    (
      await database.queries.selectFrom('groups').select('name').where('synced_at', 'is not', null).execute()
    ).map(({ name }) => name)

  test('API-30: by its id reads its members, counts once, and sets its own time alone', async () => {
    const { app, ada, bob, cal, group_id } = await twoGroups()
    app.simulator.updatePlayer(cal.steam_id, { gamesPrivate: true })
    expect(await (await sync(bob, { group_id })).json()).toEqual({
      synced: [
        { steam_id: ada.steam_id, success: true, message: '0 games', code: 'synced', count: 0 },
        { steam_id: bob.steam_id, success: true, message: '1 game', code: 'synced', count: 1 },
        {
          steam_id: cal.steam_id,
          success: false,
          message: "Cal's game details are private.",
          code: 'private',
        },
      ],
    })
    expect((await status(bob)).left).toBe(9)
    expect(await groupsSynced(app)).toEqual(['Friday'])
  })

  test('API-30: by steam ids marks no group, whoever is in it', async () => {
    const { app, ada, bob, cal } = await twoGroups()
    expect((await syncGroup(ada, ada, bob, cal)).status).toBe(200)
    expect(await groupsSynced(app)).toEqual([])
  })

  test('API-30: sets no time when one of them could not be read', async () => {
    const { app, ada, bob, group_id } = await twoGroups()
    app.simulator.fail({ endpoint: 'GetOwnedGames', steamId: bob.steam_id, kind: 'status', status: 500 })
    const response = await sync(ada, { group_id })
    expect(await response.json()).toMatchObject({
      synced: [{ success: true }, { steam_id: bob.steam_id, success: false }, { success: true }],
    })
    expect(await groupsSynced(app)).toEqual([])
    app.simulator.clearFaults()
    await sync(ada, { group_id })
    expect(await groupsSynced(app)).toEqual(['Friday'])
  })

  test('REF-12: accounts that always fail keep nobody else of the group waiting', async () => {
    const { app, ada, bob, cal } = await twoGroups()
    const dead = await app.strangersConnectedWith(ada, 5)
    for (const steamId of dead)
      app.simulator.fail({ endpoint: 'GetOwnedGames', steamId, kind: 'status', status: 500 })
    const steam_ids = [...dead, bob.steam_id, cal.steam_id]
    const response = await sync(ada, { steam_ids })
    const { synced } = api.groups.syncGames.response.parse(await response.json())
    expect(synced.map(({ code }) => code)).toEqual([
      ...dead.map(() => 'steam_unavailable'),
      'synced',
      'synced',
    ])
    expect(synced[0]!.message).toMatch(/^Steam did not return .*'s games\.$/)
  })

  test('PERM-15: leaves out, by name and without a request, who does not show their library or has not joined yet', async () => {
    const { app, ada, bob, cal, group_id } = await twoGroups()
    const dan = await app.player({ name: 'Dan', games: { Portal: 1 }, friends: [ada] })
    await app.deps.sync.syncFriends(ada.steam_id)
    await ada.call(api.groups.addMembers, { id: group_id }, { steam_ids: [dan.steam_id] })
    await cal.request(`/api/users/${cal.steam_id}/settings`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ library_visibility: 'nobody' }),
    })
    const results = [
      { steam_id: ada.steam_id, success: true },
      { steam_id: bob.steam_id, success: true },
      {
        steam_id: cal.steam_id,
        success: false,
        message: 'Cal does not show their library here.',
        code: 'hidden',
      },
      { steam_id: dan.steam_id, success: false, message: 'Dan has not joined yet.', code: 'not_joined' },
    ]
    for (const body of [{ group_id }, { steam_ids: results.map((one) => one.steam_id) }]) {
      app.simulator.clearCalls()
      // Bob is no friend of Dan's.
      expect(await (await sync(bob, body)).json()).toMatchObject({ synced: results })
      for (const one of [cal, dan]) expect(app.simulator.callsTo('GetOwnedGames', one.steam_id)).toEqual([])
    }
    // All whom Bob may sync were read.
    expect(await groupsSynced(app)).toEqual(['Friday'])
    // Ada may see Dan's library anyway.
    expect(await (await sync(ada, { group_id })).json()).toMatchObject({
      synced: [{}, {}, { success: false }, { steam_id: dan.steam_id, success: true }],
    })
  })

  test('API-30: by both reads the named members alone, and sets the time only where all of them are named', async () => {
    const { app, ada, bob, cal, group_id } = await twoGroups()
    const stranger = await app.player()
    app.simulator.clearCalls()
    const synced = async (steam_ids: string[]) => {
      const { synced } = await ada.call(api.groups.syncGames, {}, { group_id, steam_ids })
      return synced.map(({ steam_id }) => steam_id)
    }
    expect(await synced([cal.steam_id, stranger.steam_id, ada.steam_id])).toEqual([
      ada.steam_id,
      cal.steam_id,
    ])
    expect(app.simulator.callsTo('GetOwnedGames', stranger.steam_id)).toEqual([])
    expect(await groupsSynced(app)).toEqual([])
    const everybody = [ada.steam_id, bob.steam_id, cal.steam_id]
    expect(await synced(everybody)).toEqual(everybody)
    expect(await groupsSynced(app)).toEqual(['Friday'])
  })

  test('API-30, PERM-8: takes the id or steam ids, is for its members, and refused is not counted', async () => {
    const { app, ada, bob, cal, group_id } = await twoGroups()
    const stranger = await app.player()
    const refusal = await ada.refused(api.groups.syncGames, {}, {})
    expect([refusal.status, refusal.field]).toEqual([400, 'steam_ids'])
    const refusals = [await sync(stranger, { group_id }), await sync(stranger, { group_id: 999_999 })]
    expect(refusals.map((response) => response.status)).toEqual([404, 404])
    expect(await refusals[0]!.text()).toBe(await refusals[1]!.text())
    expect([(await status(ada)).left, (await status(stranger)).left]).toEqual([10, 10])
    for (const one of [ada, bob, cal])
      expect(app.simulator.callsTo('GetOwnedGames', one.steam_id)).toEqual([])
  })
})
