/**
 * Adding a person to a group does not connect anyone with them, show their library, or make them an owner (MEM-3,
 * PERM-14).
 */
import { describe, expect, test } from 'vitest'
import { api, engines, setVisibility, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'

const add = (player: TestPlayer, id: number, ...targets: TestPlayer[]) =>
  player.attempt(api.groups.addMembers, { id }, { steam_ids: targets.map((one) => one.steam_id) })
const join = (player: TestPlayer, id: number) => player.attempt(api.groups.join, { id })
const newGroup = async (owner: TestPlayer) =>
  (await owner.call(api.groups.create, {}, { name: 'Friday', owner_steam_id: owner.steam_id })).group_id
const memberships = async (player: TestPlayer) => (await player.call(api.groups.list, player.user)).groups

describe.each(engines)('on %s', (engine) => {
  const startApp = () => startTestApp({ engine, requestLimits: { perAddress: 1e6, perToken: 1e6 } })

  /** Ana and her friend Vera, whose library is visible only to members of her groups. */
  async function friendOfVera() {
    const app = await startApp()
    const vera = await app.player({ name: 'Vera', games: { Portal: 60, Dota: 5 } })
    const ana = await app.player({ name: 'Ana', games: { Portal: 1 }, friends: [vera] })
    await setVisibility(vera, 'groups')
    return { app, vera, ana }
  }

  test('MEM-3: adding a person to one’s own group does not show their library', async () => {
    const { app, vera, ana } = await friendOfVera()
    const id = await newGroup(ana)
    expect((await add(ana, id, vera)).status).toBe(200)

    await expectNothingSeen(app, ana, vera, id)
    const list = await ana.call(api.groups.members, { id })
    expect(list.find((one) => one.steam_id === vera.steam_id)).toMatchObject({
      joined: false,
      library_status: 'hidden',
      library_synced_at: null,
    })

    // It is shown only after she has joined.
    expect((await join(vera, id)).status).toBe(200)
    expect(await gamesSeen(ana, vera)).toBe(2)
    expect(await sharedWith(ana, id)).toContain(vera.steam_id)
  })

  test('MEM-3, MEM-7: two strangers whom a common friend adds to one group are not connected', async () => {
    const app = await startApp()
    const [vera, carl] = [
      await app.player({ games: { Portal: 60 } }),
      await app.player({ games: { Portal: 5 } }),
    ]
    const fred = await app.player({ name: 'Fred', friends: [vera, carl] })
    const shared = await newGroup(fred)
    await add(fred, shared, vera, carl)
    const mine = await newGroup(carl)

    expect((await add(carl, mine, vera)).status).toBe(403)
    for (const visibility of ['connected', 'groups'] as const) {
      await setVisibility(vera, visibility)
      await expectNothingSeen(app, carl, vera, shared)
    }
    // Nor when only one of them has joined.
    await join(carl, shared)
    expect((await add(carl, mine, vera)).status).toBe(403)
    await expectNothingSeen(app, carl, vera, shared)

    // Both have, until she leaves; that he has added her to a group of his own shows nothing.
    await join(vera, shared)
    expect((await add(carl, mine, vera)).status).toBe(200)
    expect(await gamesSeen(carl, vera)).toBe(1)
    await vera.call(api.groups.leave, { id: shared })
    expect(await gamesSeen(carl, vera)).toBe(0)
  })

  test('PERM-14: when an owner deletes their account, only a member who joined becomes owner', async () => {
    const app = await startApp()
    const [vera, carl] = [await app.player(), await app.player()]
    const ana = await app.player({ friends: [vera, carl] })
    const [lonely, kept] = [await newGroup(ana), await newGroup(ana)]
    for (const id of [lonely, kept]) await add(ana, id, vera)
    await add(ana, kept, carl)
    await join(carl, kept)
    await ana.call(api.privacy.deleteAccount, ana.user)

    const left = await memberships(vera)
    expect(left.map((group) => [group.group_id, group.owner_steam_id])).toEqual([[kept, carl.steam_id]])
    // The new owner can leave it.
    await carl.call(api.groups.leave, { id: kept })
    expect(await memberships(carl)).toEqual([])
  })
})

async function gamesSeen(player: TestPlayer, target: TestPlayer): Promise<number> {
  const response = await player.attempt(api.library.games, target.user)
  return response.ok ? ((await response.json()) as { games: unknown[] }).games.length : 0
}

async function sharedWith(player: TestPlayer, id: number): Promise<string[]> {
  const games = await player.call(api.groups.sharedGames, { id })
  return Object.keys(games[0]?.playtimes ?? {})
}

/** Expects that no request shows `player` the library of `target` or reads it from Steam. */
async function expectNothingSeen(
  app: TestApp,
  player: TestPlayer,
  target: TestPlayer,
  id: number,
): Promise<void> {
  expect(await gamesSeen(player, target)).toBe(0)
  expect(await sharedWith(player, id)).not.toContain(target.steam_id)
  const compared = await player.attempt(api.comparison.compare, {
    mySteamId: player.steam_id,
    friendSteamId: target.steam_id,
  })
  expect(compared.ok ? await compared.json() : []).toEqual([])
  const calls = () => app.simulator.callsTo('GetOwnedGames', target.steam_id).length
  const before = calls()
  expect((await player.attempt(api.library.fetchGames, target.user)).status).toBe(403)
  const { synced } = await player.call(api.groups.syncGames, {}, { steam_ids: [target.steam_id] })
  expect(synced).toMatchObject([{ steam_id: target.steam_id, success: false }])
  expect(calls()).toBe(before)
}
