/** Joining, leaving and handing over groups, and their maximum number: MEM-1 to MEM-7, LIM-10. */
import { describe, expect, test } from 'vitest'
import { groupsContract } from '#shared/contract/groups.ts'
import { syncContract } from '#shared/contract/sync.ts'
import { engines } from '../support/databases.ts'
import { ownGroups } from '../support/groups.ts'
import { startTestApp, type TestPlayer, setVisibility } from '../support/app.ts'

const ids = (people: { steam_id: string }[]) => people.map((person) => person.steam_id)
const groupsOf = async (player: TestPlayer) =>
  (await player.call(groupsContract.list, { steamId: player.steam_id })).groups
const add = (player: TestPlayer, id: number, ...target: TestPlayer[]) =>
  player.attempt(groupsContract.addMembers, { id }, { steam_ids: ids(target) })
const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length

describe.each(engines)('on %s', (engine) => {
  const startApp = () => startTestApp({ engine, requestLimits: { perAddress: 1e6, perToken: 1e6 } })

  /** Ada with her friends Bob and Cal, and her group, which Bob has joined and Cal was added to. */
  async function friday() {
    const app = await startApp()
    const bob = await app.player({ name: 'Bob', games: { Portal: 30 } })
    const cal = await app.player({ name: 'Cal', games: { Portal: 0, Rust: 9 } })
    const ada = await app.player({ name: 'Ada', games: { Portal: 60 }, friends: [bob, cal] })
    const { group_id: id } = await app.group({ owner: ada, members: [bob] })
    await ada.call(groupsContract.addMembers, { id }, { steam_ids: [cal.steam_id] })
    return { app, ada, bob, cal, id }
  }

  test('MEM-1, MEM-6: a person added by another is a member who has not joined, and sees who added them', async () => {
    const { ada, bob, cal, id } = await friday()
    expect(await groupsOf(cal)).toMatchObject([
      {
        group_id: id,
        member_count: 3,
        joined: false,
        added_by: { steam_id: ada.steam_id, display_name: 'Ada' },
      },
    ])
    expect(await groupsOf(ada)).toMatchObject([{ joined: true, added_by: null }])
    const joined = async () =>
      (await bob.call(groupsContract.members, { id })).map((one) => [one.display_name, one.joined])
    expect(await joined()).toEqual([
      ['Ada', true],
      ['Bob', true],
      ['Cal', false],
    ])

    const after = await cal.call(groupsContract.join, { id })
    expect(after.map((one) => [one.display_name, one.joined, one.library_status])).toEqual([
      ['Ada', true, 'ok'],
      ['Bob', true, 'ok'],
      ['Cal', true, 'ok'],
    ])
    expect(await groupsOf(cal)).toMatchObject([{ joined: true }])
    // Joining again changes nothing.
    expect(await cal.call(groupsContract.join, { id })).toEqual(after)
  })

  test('MEM-6: a member who has not joined counts only for people who may see their library anyway', async () => {
    const { ada, bob, cal, id } = await friday()
    const counted = async (player: TestPlayer) =>
      Object.keys((await player.call(groupsContract.sharedGames, { id }))[0]!.playtimes).sort()
    const all = ids([ada, bob, cal]).sort()
    // Ada is a friend of both; Bob and Cal share only this group.
    expect(await counted(ada)).toEqual(all)
    expect(await counted(bob)).toEqual(ids([ada, bob]).sort())
    expect(await counted(cal)).toEqual(ids([ada, cal]).sort())
    const status = async (player: TestPlayer, of: TestPlayer) =>
      (await player.call(groupsContract.members, { id })).find((one) => one.steam_id === of.steam_id)
    expect(await status(ada, cal)).toMatchObject({ library_status: 'ok' })
    expect(await status(bob, cal)).toMatchObject({ library_status: 'hidden', library_synced_at: null })

    await cal.call(groupsContract.join, { id })
    expect(await counted(bob)).toEqual(all)
    expect(await counted(cal)).toEqual(all)
  })

  test('API-31, MEM-10: a group that a person has not joined and its members are not in their Recent Activity', async () => {
    const { app, ada, cal, id } = await friday()
    await setVisibility(cal, 'groups')
    app.simulator.updatePlayer(cal.steam_id, {
      games: [{ appid: app.appidOf('Portal'), minutes: 90, recentMinutes: 90, lastPlayed: 0 }],
    })
    await app.deps.sync.syncGames(cal.steam_id, cal.steam_id)
    await ada.call(groupsContract.syncGames, {}, { group_id: id })
    const activity = async (player: TestPlayer) =>
      (await player.call(syncContract.activity, { steamId: player.steam_id })).map((entry) => entry.kind)
    expect(await activity(ada)).toEqual(['group_synced'])
    expect(await activity(cal)).toEqual([])
    await cal.call(groupsContract.join, { id })
    expect((await activity(ada)).sort()).toEqual(['friend_played', 'group_synced'])
    expect(await activity(cal)).toEqual(['group_synced'])
  })

  test('API-31, MEM-7: people who left or declined can only come back on their own; people who were removed cannot', async () => {
    const { app, ada, bob, cal, id } = await friday()
    const dan = await app.player({ friends: [ada] })
    await bob.call(groupsContract.leave, { id })
    await cal.call(groupsContract.leave, { id })
    for (const gone of [bob, cal]) {
      const refusal = await ada.refused(groupsContract.addMembers, { id }, { steam_ids: ids([dan, gone]) })
      expect(refusal).toMatchObject({ status: 409, code: 'has_left_group' })
      for (const call of [groupsContract.read, groupsContract.members, groupsContract.leave])
        expect((await gone.attempt(call, { id })).status).toBe(404)
    }
    expect(ids(await ada.call(groupsContract.members, { id }))).toEqual([ada.steam_id])

    expect(ids(await cal.call(groupsContract.join, { id }))).toEqual(ids([ada, cal]))
    expect(await groupsOf(cal)).toMatchObject([{ joined: true, added_by: null }])
    // Earlier departures no longer count: the owner may remove and add them again.
    await ada.call(groupsContract.removeMember, { id, steamId: cal.steam_id })
    expect((await cal.attempt(groupsContract.join, { id })).status).toBe(404)
    expect((await add(ada, id, cal)).status).toBe(200)
  })

  test('API-31: renaming a group follows the rules for new names', async () => {
    const { ada, id } = await friday()
    expect(await ada.call(groupsContract.rename, { id }, { name: '  Saturday ' })).toMatchObject({
      group_id: id,
      name: 'Saturday',
      member_count: 3,
    })
    expect(await ada.refused(groupsContract.rename, { id }, { name: ' ' })).toMatchObject({
      status: 400,
      error: 'Group name required.',
    })
    expect((await ada.call(groupsContract.read, { id })).name).toBe('Saturday')
  })

  test('API-31, PERM-13: the owner can hand over only to a member who has joined', async () => {
    const { app, ada, bob, cal, id } = await friday()
    const stranger = await app.player()
    const handOver = (player: TestPlayer, to: TestPlayer) =>
      player.refused(groupsContract.handOver, { id }, { steam_id: to.steam_id })
    expect(await handOver(ada, cal)).toMatchObject({
      status: 409,
      code: 'member_has_not_joined',
      error: 'Cal has not joined this group yet.',
    })
    expect(await handOver(ada, stranger)).toMatchObject({ status: 404, code: 'member_not_found' })
    expect(await ada.call(groupsContract.handOver, { id }, { steam_id: ada.steam_id })).toMatchObject({
      owner_steam_id: ada.steam_id,
    })
    expect(await ada.call(groupsContract.handOver, { id }, { steam_id: bob.steam_id })).toMatchObject({
      owner_id: bob.steam_id,
      owner_steam_id: bob.steam_id,
    })
    expect(await handOver(ada, ada)).toMatchObject({ status: 403, code: 'not_group_owner' })
    expect(ids(await ada.call(groupsContract.members, { id }))[0]).toBe(bob.steam_id)
  })

  test('API-31: a deleted group does not exist for any of its members', async () => {
    const { ada, bob, cal, id } = await friday()
    await bob.call(groupsContract.leave, { id })
    await ada.call(groupsContract.remove, { id })
    for (const player of [ada, bob, cal]) {
      expect((await player.attempt(groupsContract.read, { id })).status).toBe(404)
      expect((await player.attempt(groupsContract.join, { id })).status).toBe(404)
      expect(await groupsOf(player)).toEqual([])
    }
  })

  test('PERM-14: when the owner leaves, the longest-standing joined member becomes owner; the last one deletes the group', async () => {
    const { app, ada, bob, cal, id } = await friday()
    const dan = await app.player({ friends: [ada] })
    // Cal was added before Dan and has not joined.
    await ada.call(groupsContract.addMembers, { id }, { steam_ids: [dan.steam_id] })
    await dan.call(groupsContract.join, { id })
    const owner = async (player: TestPlayer) =>
      (await player.call(groupsContract.read, { id })).owner_steam_id
    await ada.call(groupsContract.leave, { id })
    expect(await owner(cal)).toBe(bob.steam_id)
    await bob.call(groupsContract.leave, { id })
    expect(await owner(cal)).toBe(dan.steam_id)
    await dan.call(groupsContract.leave, { id })
    expect((await cal.attempt(groupsContract.read, { id })).status).toBe(404)
    expect((await ada.attempt(groupsContract.join, { id })).status).toBe(404)
  })

  test('a member who leaves while the owner hands over to them never stays the owner', async () => {
    const { ada, bob, cal, id } = await friday()
    for (let round = 0; round < 10; round++) {
      const statuses = await Promise.all([
        ada.attempt(groupsContract.handOver, { id }, { steam_id: bob.steam_id }),
        bob.attempt(groupsContract.leave, { id }),
        cal.attempt(groupsContract.join, { id }),
      ]).then((responses) => responses.map((response) => response.status))
      expect(statuses[1]).toBe(204)
      expect(statuses[2]).toBe(200)
      const members = await cal.call(groupsContract.members, { id })
      const { owner_steam_id } = await cal.call(groupsContract.read, { id })
      expect(ids(members)).toContain(owner_steam_id)
      expect(members.find((one) => one.steam_id === owner_steam_id)?.joined).toBe(true)
      expect(ids(members)).not.toContain(bob.steam_id)
      // Restores the initial state.
      if (owner_steam_id === cal.steam_id)
        await cal.call(groupsContract.handOver, { id }, { steam_id: ada.steam_id })
      await bob.call(groupsContract.join, { id })
    }
  })

  test('LIM-10: nobody owns more than 100 groups, even by concurrent requests', async () => {
    const { app, ada, bob, id } = await friday()
    await ownGroups(app, bob, 99)
    await ownGroups(app, ada, 95)
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const body = { name: `${n}`, owner_steam_id: ada.steam_id }
        return (await ada.attempt(groupsContract.create, {}, body)).status
      }),
    )
    // The 96th is the group from friday().
    expect([count(statuses, 201), count(statuses, 409)]).toEqual([4, 8])
    const refusal = await ada.refused(groupsContract.create, {}, { name: 'x', owner_steam_id: ada.steam_id })
    expect(refusal).toMatchObject({ status: 409, code: 'too_many_groups' })
    expect(refusal.error).toMatch(/^You own 100 groups/)

    // Bob can own one more: either his own or the one handed over.
    const [made, handed] = await Promise.all([
      bob.attempt(groupsContract.create, {}, { name: 'mine', owner_steam_id: bob.steam_id }),
      ada.attempt(groupsContract.handOver, { id }, { steam_id: bob.steam_id }),
    ])
    expect([made.status, handed.status]).toSatisfy(
      ([one, other]: number[]) => (one === 201 && other === 409) || (one === 409 && other === 200),
    )
    const owned = (await groupsOf(bob)).filter((group) => group.owner_steam_id === bob.steam_id)
    expect(owned).toHaveLength(100)
  })
})
