/** How many can play a game: in every list, and as the members of a group correct it (API-53, API-54, LIM-50). */
import { describe, expect, test } from 'vitest'
import { CORRECTIONS_PER_GROUP } from '#shared/limits.ts'
import { api, engines, startTestApp } from '../support/app.ts'

/** Games of the list: for two players, and for any number. */
const PORTAL_2 = 620
const ELDER_SCROLLS_ONLINE = 306130
/** In no list. */
const UNKNOWN = 777_001
const games = { [PORTAL_2]: 60, [ELDER_SCROLLS_ONLINE]: 5, [UNKNOWN]: 1 }

describe.each(engines)('on %s', (engine) => {
  /** Ada, Bob and Cal own the same games, Dan none; Eve was added, has not joined, and nobody knows her games. */
  async function cast() {
    const app = await startTestApp({ engine })
    for (const appid of [PORTAL_2, ELDER_SCROLLS_ONLINE, UNKNOWN])
      app.simulator.addApp({ appid, name: `Game ${appid}`, iconHash: '', kind: 0, categories: [38] })
    const [bob, cal] = [await app.player({ name: 'Bob', games }), await app.player({ games })]
    const [dan, eve] = [await app.player({ games: {} }), await app.player({ synced: false })]
    const ada = await app.player({ name: 'Ada', games, friends: [bob, cal, dan, eve] })
    while ((await app.deps.catalogue.readStoreDetails()) > 0);
    const { group_id: id } = await app.group({ owner: ada, members: [bob, cal], asked: [eve] })
    return { app, ada, bob, cal, dan, eve, id }
  }
  const limits = (list: { appid: number; players_max: number | null }[]) =>
    Object.fromEntries(list.map(({ appid, players_max }) => [appid, players_max]))
  const asListed = { [PORTAL_2]: 2, [ELDER_SCROLLS_ONLINE]: 999, [UNKNOWN]: null }

  test('API-53, API-54: a group corrects it for itself, says who did and when, and any of its members takes it back', async () => {
    const { app, ada, bob, cal, dan, id } = await cast()
    const other = await app.group({ owner: ada, members: [bob, dan] })
    const portal = { id, gameId: PORTAL_2 }
    const compared = { mySteamId: ada.steam_id, friendSteamId: bob.steam_id }
    expect(limits(await ada.call(api.comparison.compare, compared))).toEqual(asListed)
    const read = () => cal.call(api.players.read, portal)
    expect(await read()).toMatchObject({ players_max: 2, players: { online: 2 }, correction: null })

    const corrected = await bob.call(api.players.correct, portal, { players_max: 4 })
    expect(corrected).toMatchObject({
      appid: PORTAL_2,
      players_max: 4,
      players: { online: 2 },
      correction: { by: { steam_id: bob.steam_id, display_name: 'Bob' } },
    })
    expect(Math.abs(Date.parse(corrected.correction!.at) - Date.now())).toBeLessThan(3_600_000)
    expect(await read()).toEqual(corrected)
    await ada.call(api.players.correct, { id, gameId: UNKNOWN }, { players_max: 3 })
    const here = { ...asListed, [PORTAL_2]: 4, [UNKNOWN]: 3 }
    for (const member of [ada, bob, cal])
      expect(limits(await member.call(api.groups.sharedGames, { id }))).toEqual(here)
    // Only this group.
    expect(limits(await ada.call(api.groups.nearMisses, { id: other.group_id }))).toEqual(asListed)
    await ada.call(api.players.correct, { id: other.group_id, gameId: PORTAL_2 }, { players_max: 5 })
    expect(limits(await ada.call(api.groups.nearMisses, { id: other.group_id }))).toEqual({
      ...asListed,
      [PORTAL_2]: 5,
    })
    expect(limits(await ada.call(api.groups.sharedGames, { id }))).toEqual(here)

    expect(await cal.call(api.players.correct, portal, { players_max: null })).toMatchObject({
      players_max: 2,
      correction: null,
    })
    await cal.call(api.players.correct, { id, gameId: UNKNOWN }, { players_max: null })
    expect(limits(await ada.call(api.groups.sharedGames, { id }))).toEqual(asListed)
    // Again, and by somebody else, is possible at any time.
    await cal.call(api.players.correct, portal, { players_max: null })
    await ada.call(api.players.correct, portal, { players_max: 6 })
    expect(await bob.call(api.players.correct, portal, { players_max: 7 })).toMatchObject({
      players_max: 7,
      correction: { by: { steam_id: bob.steam_id } },
    })
  })

  test('API-54, LIM-50: only who has joined corrects, whole numbers from 1 to 999, of games that are known here', async () => {
    const { app, ada, eve, id } = await cast()
    const portal = { id, gameId: PORTAL_2 }
    expect((await eve.refused(api.players.correct, portal, { players_max: 4 })).error).toBe(
      'Join the group first.',
    )
    expect(await eve.call(api.players.read, portal)).toMatchObject({ players_max: 2 })
    for (const players_max of [0, -1, 1000, 2.5, '4' as never, undefined as never])
      expect((await ada.refused(api.players.correct, portal, { players_max })).field).toBe('players_max')
    const unknown = { id, gameId: 4_000_000 }
    const missing = { status: 404, code: 'game_not_found' }
    expect(await ada.refused(api.players.correct, unknown, { players_max: 4 })).toMatchObject(missing)
    expect(await ada.refused(api.players.read, unknown)).toMatchObject(missing)

    await app.write((tx) =>
      tx
        .insertInto('group_game_players')
        .values(
          Array.from({ length: CORRECTIONS_PER_GROUP }, (_, n) => ({
            group_id: id,
            appid: 5_000_000 + n,
            players_max: 2,
            corrected_by: null,
            at: 1,
          })),
        )
        .execute(),
    )
    expect(await ada.refusedWith(api.players.correct, portal, { players_max: 4 })).toBe(
      'too_many_corrections',
    )
    await app.write((tx) =>
      tx.updateTable('group_game_players').set({ appid: PORTAL_2 }).where('appid', '=', 5_000_000).execute(),
    )
    // One that is there is changed and taken back.
    expect((await ada.call(api.players.correct, portal, { players_max: 4 })).players_max).toBe(4)
    expect((await ada.call(api.players.correct, portal, { players_max: null })).players_max).toBe(2)
  })

  test('API-54: a correction stays without a name when who made it leaves or deletes the account; the group’s goes with it', async () => {
    const { app, ada, bob, cal, id } = await cast()
    const portal = { id, gameId: PORTAL_2 }
    await bob.call(api.players.correct, portal, { players_max: 4 })
    await cal.call(api.players.correct, { id, gameId: UNKNOWN }, { players_max: 3 })
    const exported = await cal.call(api.privacy.exportAll, cal.user)
    expect(exported['player_corrections']).toEqual([
      { group_id: id, appid: UNKNOWN, players_max: 3, at: expect.any(String) as string },
    ])

    await bob.call(api.groups.leave, { id })
    await cal.call(api.privacy.deleteAccount, cal.user)
    const anonymous = { by: null, at: expect.any(String) as string }
    expect(await ada.call(api.players.read, portal)).toMatchObject({
      players_max: 4,
      correction: anonymous,
    })
    expect(await ada.call(api.players.read, { id, gameId: UNKNOWN })).toMatchObject({
      players_max: 3,
      correction: anonymous,
    })
    expect(
      await app.db
        .selectFrom('group_game_players')
        .select('appid')
        .where('corrected_by', '=', cal.steam_id)
        .execute(),
    ).toEqual([])

    await ada.call(api.groups.remove, { id })
    expect(
      await app.db.selectFrom('group_game_players').selectAll().where('group_id', '=', id).execute(),
    ).toEqual([])
  })
})
