/** Joining, leaving and handing over groups, and their maximum number: MEM-1 to MEM-7, LIM-10. */
import { describe, expect, test } from 'vitest'
import { GROUPS_OWNED_MAX } from '#shared/limits.ts'
import { fridayIn, ownGroups, putIntoGroups } from '../support/groups.ts'
import { api, engines, setVisibility, startTestApp, type TestPlayer } from '../support/app.ts'

const ids = (people: { steam_id: string }[]) => people.map((person) => person.steam_id)
const groupsOf = async (player: TestPlayer) => (await player.call(api.groups.list, player.user)).groups
const add = (player: TestPlayer, id: number, ...target: TestPlayer[]) =>
  player.attempt(api.groups.addMembers, { id }, { steam_ids: ids(target) })
const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length

describe.each(engines)('on %s', (engine) => {
  const startApp = () => startTestApp({ engine, requestLimits: { perAddress: 1e6, perToken: 1e6 } })

  const friday = async () => fridayIn(await startApp())

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
      (await bob.call(api.groups.members, { id })).map((one) => [one.display_name, one.joined])
    expect(await joined()).toEqual([
      ['Ada', true],
      ['Bob', true],
      ['Cal', false],
    ])

    const after = await cal.call(api.groups.join, { id })
    expect(after.map((one) => [one.display_name, one.joined, one.library_status])).toEqual([
      ['Ada', true, 'ok'],
      ['Bob', true, 'ok'],
      ['Cal', true, 'ok'],
    ])
    expect(await groupsOf(cal)).toMatchObject([{ joined: true }])
    // Joining again changes nothing.
    expect(await cal.call(api.groups.join, { id })).toEqual(after)
  })

  test('MEM-6: a member who has not joined counts only for people who may see their library anyway', async () => {
    const { ada, bob, cal, id } = await friday()
    const counted = async (player: TestPlayer) =>
      Object.keys((await player.call(api.groups.sharedGames, { id }))[0]!.playtimes).sort()
    const all = ids([ada, bob, cal]).sort()
    // Ada is a friend of both; Bob and Cal share only this group.
    expect(await counted(ada)).toEqual(all)
    expect(await counted(bob)).toEqual(ids([ada, bob]).sort())
    expect(await counted(cal)).toEqual(ids([ada, cal]).sort())
    const status = async (player: TestPlayer, of: TestPlayer) =>
      (await player.call(api.groups.members, { id })).find((one) => one.steam_id === of.steam_id)
    expect(await status(ada, cal)).toMatchObject({ library_status: 'ok' })
    expect(await status(bob, cal)).toMatchObject({ library_status: 'hidden', library_synced_at: null })

    await cal.call(api.groups.join, { id })
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
    await ada.call(api.groups.syncGames, {}, { group_id: id })
    const activity = async (player: TestPlayer) =>
      (await player.call(api.sync.activity, player.user)).map((entry) => entry.kind)
    expect(await activity(ada)).toEqual(['group_synced'])
    expect(await activity(cal)).toEqual([])
    await cal.call(api.groups.join, { id })
    expect((await activity(ada)).sort()).toEqual(['friend_played', 'group_synced'])
    expect(await activity(cal)).toEqual(['group_synced'])
  })

  test('API-31: renaming a group follows the rules for new names', async () => {
    const { ada, id } = await friday()
    expect(await ada.call(api.groups.rename, { id }, { name: '  Saturday ' })).toMatchObject({
      group_id: id,
      name: 'Saturday',
      member_count: 3,
    })
    expect((await ada.refused(api.groups.rename, { id }, { name: ' ' })).error).toBe('Group name required.')
    expect((await ada.call(api.groups.read, { id })).name).toBe('Saturday')
  })

  test('API-31, PERM-13: the owner can hand over only to a member who has joined', async () => {
    const { app, ada, bob, cal, id } = await friday()
    const stranger = await app.player()
    const handOver = (player: TestPlayer, to: TestPlayer) =>
      player.refused(api.groups.handOver, { id }, { steam_id: to.steam_id })
    expect(await handOver(ada, cal)).toMatchObject({
      status: 409,
      code: 'member_has_not_joined',
      error: 'Cal has not joined this group yet.',
    })
    expect(await handOver(ada, stranger)).toMatchObject({ status: 404, code: 'member_not_found' })
    expect(await ada.call(api.groups.handOver, { id }, { steam_id: ada.steam_id })).toMatchObject({
      owner_steam_id: ada.steam_id,
    })
    expect(await ada.call(api.groups.handOver, { id }, { steam_id: bob.steam_id })).toMatchObject({
      owner_id: bob.steam_id,
      owner_steam_id: bob.steam_id,
    })
    expect(await handOver(ada, ada)).toMatchObject({ status: 403, code: 'not_group_owner' })
    expect(ids(await ada.call(api.groups.members, { id }))[0]).toBe(bob.steam_id)
  })

  test('API-31: a deleted group does not exist for any of its members', async () => {
    const { ada, bob, cal, id } = await friday()
    await bob.call(api.groups.leave, { id })
    await ada.call(api.groups.remove, { id })
    for (const player of [ada, bob, cal]) {
      expect((await player.attempt(api.groups.read, { id })).status).toBe(404)
      expect((await player.attempt(api.groups.join, { id })).status).toBe(404)
      expect(await groupsOf(player)).toEqual([])
    }
  })

  test('PERM-14: when the owner leaves, the longest-standing joined member becomes owner; the last one deletes the group', async () => {
    const { app, ada, bob, cal, id } = await friday()
    const dan = await app.player({ friends: [ada] })
    // Cal was added before Dan and has not joined.
    await ada.call(api.groups.addMembers, { id }, { steam_ids: [dan.steam_id] })
    await dan.call(api.groups.join, { id })
    const owner = async (player: TestPlayer) => (await player.call(api.groups.read, { id })).owner_steam_id
    await ada.call(api.groups.leave, { id })
    expect(await owner(cal)).toBe(bob.steam_id)
    await bob.call(api.groups.leave, { id })
    expect(await owner(cal)).toBe(dan.steam_id)
    await dan.call(api.groups.leave, { id })
    expect((await cal.attempt(api.groups.read, { id })).status).toBe(404)
    expect((await ada.attempt(api.groups.join, { id })).status).toBe(404)
  })

  test('a member who leaves while the owner hands over to them never stays the owner', async () => {
    const { ada, bob, cal, id } = await friday()
    for (let round = 0; round < 10; round++) {
      const statuses = await Promise.all([
        ada.attempt(api.groups.handOver, { id }, { steam_id: bob.steam_id }),
        bob.attempt(api.groups.leave, { id }),
        cal.attempt(api.groups.join, { id }),
      ]).then((responses) => responses.map((response) => response.status))
      expect(statuses[1]).toBe(204)
      expect(statuses[2]).toBe(200)
      const members = await cal.call(api.groups.members, { id })
      const { owner_steam_id } = await cal.call(api.groups.read, { id })
      expect(ids(members)).toContain(owner_steam_id)
      expect(members.find((one) => one.steam_id === owner_steam_id)?.joined).toBe(true)
      expect(ids(members)).not.toContain(bob.steam_id)
      // Restores the initial state.
      if (owner_steam_id === cal.steam_id)
        await cal.call(api.groups.handOver, { id }, { steam_id: ada.steam_id })
      await bob.call(api.groups.join, { id })
    }
  })

  test('LIM-10: nobody owns more than 100 groups, even by concurrent requests', async () => {
    const { app, ada, bob, id } = await friday()
    await ownGroups(app, bob, 99)
    await ownGroups(app, ada, 95)
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const body = { name: `${n}`, owner_steam_id: ada.steam_id }
        return (await ada.attempt(api.groups.create, {}, body)).status
      }),
    )
    // The 96th is the group from friday().
    expect([count(statuses, 201), count(statuses, 409)]).toEqual([4, 8])
    const refusal = await ada.refused(api.groups.create, {}, { name: 'x', owner_steam_id: ada.steam_id })
    expect(refusal).toMatchObject({ status: 409, code: 'too_many_groups' })
    expect(refusal.error).toMatch(/^You own 100 groups/)

    // Bob can own one more: either his own or the one handed over.
    const [made, handed] = await Promise.all([
      bob.attempt(api.groups.create, {}, { name: 'mine', owner_steam_id: bob.steam_id }),
      ada.attempt(api.groups.handOver, { id }, { steam_id: bob.steam_id }),
    ])
    expect([made.status, handed.status]).toSatisfy(
      ([one, other]: number[]) => (one === 201 && other === 409) || (one === 409 && other === 200),
    )
    const owned = (await groupsOf(bob)).filter((group) => group.owner_steam_id === bob.steam_id)
    expect(owned).toHaveLength(100)
  })

  test('LIM-10: nobody has more than 100 open invitations from one person, even from concurrent requests', async () => {
    const app = await startApp()
    const vera = await app.player({ name: 'Vera' })
    const ana = await app.player({ friends: [vera] })
    const bob = await app.player({ friends: [ana] })
    const made = [
      ...(await ownGroups(app, ana, GROUPS_OWNED_MAX)),
      ...(await Promise.all(
        Array.from({ length: 5 }, async () => (await app.group({ owner: bob, members: [ana] })).group_id),
      )),
    ]
    for (const id of made.slice(0, 90)) expect((await add(ana, id, vera)).status).toBe(200)
    const last = made.slice(90)
    const statuses = await Promise.all(last.map(async (id) => (await add(ana, id, vera)).status))
    expect([count(statuses, 200), count(statuses, 409)]).toEqual([10, 5])
    const refused = last.filter((_, n) => statuses[n] === 409)
    const dan = await app.player({ friends: [ana] })
    const before = await ana.call(api.groups.members, { id: refused[0]! })
    expect(
      await ana.refused(api.groups.addMembers, { id: refused[0]! }, { steam_ids: ids([dan, vera]) }),
    ).toMatchObject({
      status: 409,
      code: 'too_many_invitations',
      error: 'Vera has not answered 100 of your invitations yet.',
    })
    expect(await ana.call(api.groups.members, { id: refused[0]! })).toHaveLength(before.length)

    // Joining as well as declining makes a new invitation possible.
    const [first, second] = await groupsOf(vera)
    await vera.call(api.groups.join, { id: first!.group_id })
    await vera.call(api.groups.leave, { id: second!.group_id })
    expect((await add(ana, refused[0]!, vera)).status).toBe(200)
    expect((await add(ana, refused[1]!, vera)).status).toBe(200)
    expect((await add(ana, refused[2]!, vera)).status).toBe(409)
  })

  test('LIM-10: a person whose 500 memberships were filled by others creates a group once one is declined', async () => {
    const app = await startApp()
    const vera = await app.player({ name: 'Vera' })
    await putIntoGroups(app, vera, 500)
    const body = { name: 'mine', owner_steam_id: vera.steam_id }
    expect(await vera.refused(api.groups.create, {}, body)).toMatchObject({
      code: 'too_many_groups',
      error: 'You are already in 500 groups, which is the maximum. Leave or decline one first.',
    })
    await vera.call(api.groups.leave, { id: (await groupsOf(vera))[0]!.group_id })
    expect((await vera.attempt(api.groups.create, {}, body)).status).toBe(201)
  })

  test('PERM-14: a group passes to the longest-standing member who owns fewer than 100 groups, or else is deleted', async () => {
    const app = await startApp()
    const bob = await app.player({ name: 'Bob' })
    const cal = await app.player({ name: 'Cal' })
    const ada = await app.player({ friends: [bob, cal] })
    await ownGroups(app, bob, 99)
    const made = [
      await app.group({ owner: ada, members: [bob] }),
      await app.group({ owner: ada, members: [bob, cal] }),
      await app.group({ owner: ada, members: [bob] }),
    ].map((group) => group.group_id)
    for (const id of made) await ada.call(api.groups.leave, { id })
    const owners = new Map((await groupsOf(bob)).map((group) => [group.group_id, group.owner_steam_id]))
    expect(made.map((id) => owners.get(id))).toEqual([bob.steam_id, cal.steam_id, undefined])
    // He still cannot create one himself.
    const own = await bob.refused(api.groups.create, {}, { name: 'x', owner_steam_id: bob.steam_id })
    expect(own).toMatchObject({ status: 409, code: 'too_many_groups' })
  })
})
