/** Memberships that have not been joined: their limits (LIM-10). */
import { describe, expect, test } from 'vitest'
import { groupsContract } from '#shared/contract/groups.ts'
import { GROUPS_OWNED_MAX } from '#shared/limits.ts'
import { engines } from '../support/databases.ts'
import { ownGroups, putIntoGroups } from '../support/groups.ts'
import { startTestApp, type TestPlayer } from '../support/app.ts'

const ids = (people: { steam_id: string }[]) => people.map((person) => person.steam_id)
const groupsOf = async (player: TestPlayer) =>
  (await player.call(groupsContract.list, { steamId: player.steam_id })).groups
const add = (player: TestPlayer, id: number, ...target: TestPlayer[]) =>
  player.attempt(groupsContract.addMembers, { id }, { steam_ids: ids(target) })
const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length

describe.each(engines)('on %s', (engine) => {
  const startApp = () => startTestApp({ engine, requestLimits: { perAddress: 1e6, perToken: 1e6 } })

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
    const before = await ana.call(groupsContract.members, { id: refused[0]! })
    expect(
      await ana.refused(groupsContract.addMembers, { id: refused[0]! }, { steam_ids: ids([dan, vera]) }),
    ).toMatchObject({
      status: 409,
      code: 'too_many_invitations',
      error: 'Vera has not answered 100 of your invitations yet.',
    })
    expect(await ana.call(groupsContract.members, { id: refused[0]! })).toHaveLength(before.length)

    // Joining as well as declining makes a new invitation possible.
    const [first, second] = await groupsOf(vera)
    await vera.call(groupsContract.join, { id: first!.group_id })
    await vera.call(groupsContract.leave, { id: second!.group_id })
    expect((await add(ana, refused[0]!, vera)).status).toBe(200)
    expect((await add(ana, refused[1]!, vera)).status).toBe(200)
    expect((await add(ana, refused[2]!, vera)).status).toBe(409)
  })

  test('LIM-10: a person whose 500 memberships were filled by others creates a group once one is declined', async () => {
    const app = await startApp()
    const vera = await app.player({ name: 'Vera' })
    await putIntoGroups(app, vera, 500)
    const body = { name: 'mine', owner_steam_id: vera.steam_id }
    expect(await vera.refused(groupsContract.create, {}, body)).toMatchObject({
      code: 'too_many_groups',
      error: 'You are already in 500 groups, which is the maximum. Leave or decline one first.',
    })
    await vera.call(groupsContract.leave, { id: (await groupsOf(vera))[0]!.group_id })
    expect((await vera.attempt(groupsContract.create, {}, body)).status).toBe(201)
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
    for (const id of made) await ada.call(groupsContract.leave, { id })
    const owners = new Map((await groupsOf(bob)).map((group) => [group.group_id, group.owner_steam_id]))
    expect(made.map((id) => owners.get(id))).toEqual([bob.steam_id, cal.steam_id, undefined])
    // He still cannot create one himself.
    const own = await bob.refused(groupsContract.create, {}, { name: 'x', owner_steam_id: bob.steam_id })
    expect(own).toMatchObject({ status: 409, code: 'too_many_groups' })
  })
})
