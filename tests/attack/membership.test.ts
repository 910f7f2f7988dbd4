/**
 * Nobody becomes connected with somebody, sees their library, or gets something to own by putting them into a group
 * (MEM-2 to MEM-9, LIM-10).
 */
import { describe, expect, test } from 'vitest'
import { comparisonContract } from '#shared/contract/comparison.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import { libraryContract } from '#shared/contract/library.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { engines } from '../support/databases.ts'
import { startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'

/** A call by its address, so that these tests say what happens on the wire. */
const send = (player: TestPlayer, method: string, path: string, body?: unknown) =>
  player.request(path, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
const add = (player: TestPlayer, id: number, ...whom: TestPlayer[]) =>
  send(player, 'POST', `/api/groups/${id}/members`, { steam_ids: whom.map((one) => one.steam_id) })
const join = (player: TestPlayer, id: number) => send(player, 'POST', `/api/groups/${id}/join`)
const newGroup = async (owner: TestPlayer, name = 'Friday') =>
  (await owner.call(groupsContract.create, {}, { name, owner_steam_id: owner.steam_id })).group_id
const memberships = async (player: TestPlayer) =>
  (await player.call(groupsContract.list, { steamId: player.steam_id })).groups

describe.each(engines)('on %s', (engine) => {
  const startApp = () => startTestApp({ engine, requestLimits: { perAddress: 1e6, perToken: 1e6 } })

  /** A friend of Vera, who shows her library to members of her groups only. */
  async function friendOfVera() {
    const app = await startApp()
    const vera = await app.player({ name: 'Vera', games: { Portal: 60, Dota: 5 } })
    const ana = await app.player({ name: 'Ana', games: { Portal: 1 }, friends: [vera] })
    await setVisibility(vera, 'groups')
    return { app, vera, ana }
  }

  test('a group that one made and added somebody to does not open their library', async () => {
    const { app, vera, ana } = await friendOfVera()
    const id = await newGroup(ana)
    expect((await add(ana, id, vera)).status).toBe(200)

    await expectNothingSeen(app, ana, vera, id)
    const list = await ana.call(groupsContract.members, { id })
    expect(list.find((one) => one.steam_id === vera.steam_id)).toMatchObject({
      joined: false,
      library_status: 'hidden',
      library_synced_at: null,
    })

    // Only her own word opens it.
    expect((await join(vera, id)).status).toBe(200)
    expect(await gamesSeen(ana, vera)).toBe(2)
    expect(await sharedWith(ana, id)).toContain(vera.steam_id)
  })

  test('a common friend who puts two strangers into one group does not connect them', async () => {
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
    // One who has joined gains nothing while the other has not.
    await join(carl, shared)
    expect((await add(carl, mine, vera)).status).toBe(403)
    await expectNothingSeen(app, carl, vera, shared)
  })

  test('who has left is not put back, and is not seen through a group they never joined', async () => {
    const app = await startApp()
    const [vera, carl] = [await app.player({ name: 'Vera', games: { Portal: 60 } }), await app.player()]
    const fred = await app.player({ name: 'Fred', friends: [vera, carl] })
    const shared = await newGroup(fred)
    await add(fred, shared, vera, carl)
    await join(vera, shared)
    await join(carl, shared)
    const trap = await newGroup(carl)
    expect((await add(carl, trap, vera)).status).toBe(200)

    await send(vera, 'DELETE', `/api/groups/${shared}/members/${vera.steam_id}`)
    expect(await gamesStatus(carl, vera)).toBe(403)
    const again = await add(fred, shared, vera)
    expect(again.status).toBe(409)
    expect(await again.json()).toEqual({ error: 'Vera has left this group.', code: 'has_left_group' })
    expect((await vera.attempt(groupsContract.read, { id: shared })).status).toBe(404)
  })

  test('nobody fills the groups of somebody else without bound', async () => {
    const app = await startApp()
    const vera = await app.player({ name: 'Vera' })
    const ana = await app.player({ friends: [vera] })
    const statuses: number[] = []
    for (let n = 0; n < 101; n++)
      statuses.push(
        (await send(ana, 'POST', '/api/groups', { name: `${n}`, owner_steam_id: ana.steam_id })).status,
      )
    expect(statuses).toEqual([...Array<number>(100).fill(201), 409])
  })

  test(
    'a person who is in tens of thousands of groups can delete their account',
    { timeout: 120_000 },
    async () => {
      const app = await startApp()
      const vera = await app.player({ name: 'Vera' })
      const ana = await app.player({ friends: [vera] })
      await putIntoGroups(app, ana, vera, 60_000)
      const gone = await vera.attempt(privacyContract.deleteAccount, { steamId: vera.steam_id })
      expect(gone.status).toBe(204)
    },
  )

  test('an owner who deletes their account leaves nobody a group who did not join it', async () => {
    const app = await startApp()
    const [vera, carl] = [await app.player(), await app.player()]
    const ana = await app.player({ friends: [vera, carl] })
    const [lonely, kept] = [await newGroup(ana), await newGroup(ana)]
    for (const id of [lonely, kept]) await add(ana, id, vera)
    await add(ana, kept, carl)
    await join(carl, kept)
    await ana.call(privacyContract.deleteAccount, { steamId: ana.steam_id })

    const left = await memberships(vera)
    expect(left.map((group) => [group.group_id, group.owner_steam_id])).toEqual([[kept, carl.steam_id]])
    // And whoever does own one gets rid of it.
    expect((await send(carl, 'POST', `/api/groups/${kept}/leave`)).status).toBe(204)
    expect(await memberships(carl)).toEqual([])
  })
})

const setVisibility = (player: TestPlayer, library_visibility: 'connected' | 'groups') =>
  player.call(privacyContract.changeSettings, { steamId: player.steam_id }, { library_visibility })

const gamesStatus = async (player: TestPlayer, whom: TestPlayer) =>
  (await player.attempt(libraryContract.games, { steamId: whom.steam_id })).status

async function gamesSeen(player: TestPlayer, whom: TestPlayer): Promise<number> {
  const response = await player.attempt(libraryContract.games, { steamId: whom.steam_id })
  return response.ok ? ((await response.json()) as { games: unknown[] }).games.length : 0
}

async function sharedWith(player: TestPlayer, id: number): Promise<string[]> {
  const games = await player.call(groupsContract.sharedGames, { id })
  return Object.keys(games[0]?.playtimes ?? {})
}

/** Through no call does `who` learn anything of the library of `whom`, and the platform is not asked for it. */
async function expectNothingSeen(app: TestApp, player: TestPlayer, whom: TestPlayer, id: number): Promise<void> {
  expect(await gamesSeen(player, whom)).toBe(0)
  expect(await sharedWith(player, id)).not.toContain(whom.steam_id)
  const compared = await player.attempt(comparisonContract.compare, {
    mySteamId: player.steam_id,
    friendSteamId: whom.steam_id,
  })
  expect(compared.ok ? await compared.json() : []).toEqual([])
  const asked = () => app.simulator.callsTo('GetOwnedGames', whom.steam_id).length
  const before = asked()
  expect((await player.attempt(libraryContract.fetchGames, { steamId: whom.steam_id })).status).toBe(403)
  const { synced } = await player.call(groupsContract.syncGames, {}, { steam_ids: [whom.steam_id] })
  expect(synced).toMatchObject([{ steam_id: whom.steam_id, success: false }])
  expect(asked()).toBe(before)
}

/** As many groups as could be made before there was a limit. */
async function putIntoGroups(
  app: TestApp,
  owner: TestPlayer,
  member: TestPlayer,
  count: number,
): Promise<void> {
  await app.database.transaction(async (tx) => {
    for (let from = 0; from < count; from += 500) {
      const size = Math.min(500, count - from)
      const made = await tx
        .insertInto('groups')
        .values(
          Array.from({ length: size }, (_, n) => ({
            name: `${from + n}`,
            owner_steam_id: owner.steam_id,
            picture_url: null,
            picture_key: null,
            created_at: 0,
            synced_at: null,
          })),
        )
        .returning('group_id')
        .execute()
      await tx
        .insertInto('group_members')
        .values(
          made.flatMap(({ group_id }) => [
            { group_id, steam_id: owner.steam_id, added_at: 0, joined_at: 0, added_by: null },
            { group_id, steam_id: member.steam_id, added_at: 1, joined_at: null, added_by: owner.steam_id },
          ]),
        )
        .execute()
    }
  })
}
