/** Memberships that were not joined: how many there may be, and what they allow (MEM-17, MEM-18, LIM-10, LIM-36). */
import { describe, expect, test } from 'vitest'
import { groupsContract } from '#shared/contract/groups.ts'
import { syncContract } from '#shared/contract/sync.ts'
import { INVITATIONS_FROM_ONE_MAX, INVITATIONS_MAX } from '#shared/limits.ts'
import { engines } from '../support/databases.ts'
import { ownGroups, putIntoGroups } from '../support/groups.ts'
import { startTestApp, type TestPlayer } from '../support/app.ts'

const ids = (people: { steam_id: string }[]) => people.map((person) => person.steam_id)
const groupsOf = async (who: TestPlayer) =>
  (await who.call(groupsContract.list, { steamId: who.steam_id })).groups
const add = (who: TestPlayer, id: number, ...whom: TestPlayer[]) =>
  who.attempt(groupsContract.addMembers, { id }, { steam_ids: ids(whom) })
const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length

describe.each(engines)('on %s', (engine) => {
  const startApp = () => startTestApp({ engine, requestLimits: { perAddress: 1e6, perToken: 1e6 } })

  test('of one person nobody has more than 20 open, however many they add at once', async () => {
    const app = await startApp()
    const vera = await app.player({ name: 'Vera' })
    const ana = await app.player({ friends: [vera] })
    const made = await ownGroups(app, ana, INVITATIONS_FROM_ONE_MAX + 5)
    const statuses = await Promise.all(made.map(async (id) => (await add(ana, id, vera)).status))
    expect([count(statuses, 200), count(statuses, 409)]).toEqual([INVITATIONS_FROM_ONE_MAX, 5])
    const refused = made[statuses.indexOf(409)]!
    const dan = await app.player({ friends: [ana] })
    expect(
      await ana.refused(groupsContract.addMembers, { id: refused }, { steam_ids: ids([dan, vera]) }),
    ).toMatchObject({
      status: 409,
      code: 'too_many_invitations',
      error: 'Vera has not answered 20 of your invitations yet.',
    })
    expect(await ana.call(groupsContract.members, { id: refused })).toHaveLength(1)

    // An answer makes room, whichever it is.
    const [first, second] = await groupsOf(vera)
    await vera.call(groupsContract.join, { id: first!.group_id })
    await vera.call(groupsContract.leave, { id: second!.group_id })
    const [one, two, three] = made.filter((_, n) => statuses[n] === 409)
    expect((await add(ana, one!, vera)).status).toBe(200)
    expect((await add(ana, two!, vera)).status).toBe(200)
    expect((await add(ana, three!, vera)).status).toBe(409)
  })

  test('nobody has more than 100 open, and they leave room for groups of one’s own', async () => {
    const app = await startApp()
    const vera = await app.player({ name: 'Vera' })
    const ana = await app.player({ friends: [vera] })
    await putIntoGroups(app, vera, INVITATIONS_MAX - 1, { joined: false })
    const [one, two] = [await app.group({ owner: ana }), await app.group({ owner: ana })]
    const statuses = await Promise.all(
      [one, two].map(async ({ group_id }) => (await add(ana, group_id, vera)).status),
    )
    expect(statuses.toSorted()).toEqual([200, 409])
    const refused = [one, two][statuses.indexOf(409)]!
    expect(
      await ana.refused(groupsContract.addMembers, { id: refused.group_id }, { steam_ids: ids([vera]) }),
    ).toMatchObject({
      status: 409,
      code: 'too_many_invitations',
      error: 'Vera has too many open invitations already.',
    })

    // Of the 500, what others added her to takes nothing: she joins and creates until she is in 500.
    await putIntoGroups(app, vera, 498, { joined: true })
    const body = { name: 'mine', owner_steam_id: vera.steam_id }
    expect((await vera.attempt(groupsContract.create, {}, body)).status).toBe(201)
    const [open, other] = (await groupsOf(vera)).filter((group) => !group.joined)
    expect((await vera.attempt(groupsContract.join, { id: open!.group_id })).status).toBe(200)
    for (const refusal of [
      await vera.refused(groupsContract.join, { id: other!.group_id }),
      await vera.refused(groupsContract.create, {}, body),
    ])
      expect(refusal).toMatchObject({ status: 409, code: 'too_many_groups' })
    // Who is in 500 groups is not added to more.
    expect(
      await ana.refused(groupsContract.addMembers, { id: refused.group_id }, { steam_ids: ids([vera]) }),
    ).toMatchObject({ code: 'too_many_groups', error: 'Vera is in too many groups already.' })
    // To say so once more of a group one has joined is no further one.
    expect((await vera.attempt(groupsContract.join, { id: open!.group_id })).status).toBe(200)
  })

  test('those of a person whose account is deleted go with it', async () => {
    const app = await startApp()
    const [vera, friend] = [await app.player(), await app.player()]
    const ana = await app.player({ friends: [vera, friend] })
    const [made] = await ownGroups(app, ana, 1)
    await add(ana, made!, friend)
    await friend.call(groupsContract.join, { id: made! })
    await add(ana, made!, vera)
    expect(await groupsOf(vera)).toHaveLength(1)
    await ana.request(`/api/users/${ana.steam_id}`, { method: 'DELETE' })
    expect(await groupsOf(vera)).toEqual([])
    expect(await groupsOf(friend)).toHaveLength(1)
  })

  test('all that are open can be declined at once; what was joined stays', async () => {
    const app = await startApp()
    const vera = await app.player({ name: 'Vera' })
    const bob = await app.player()
    const ana = await app.player({ friends: [vera, bob] })
    const joined = await app.group({ owner: ana, members: [vera], name: 'Joined' })
    const own = await app.group({ owner: vera, name: 'Own' })
    const open = [
      await app.group({ owner: ana, members: [vera, bob], joined: false, name: 'One' }),
      await app.group({ owner: ana, members: [vera], joined: false, name: 'Two' }),
    ]
    const declineAll = (who: TestPlayer, whose: TestPlayer) =>
      who.attempt(groupsContract.declineAll, { steamId: whose.steam_id })
    expect((await declineAll(ana, vera)).status).toBe(403)
    expect((await declineAll(vera, vera)).status).toBe(204)
    const { groups, left } = await vera.call(groupsContract.list, { steamId: vera.steam_id })
    expect(groups.map((group) => group.group_id)).toEqual([own.group_id, joined.group_id])
    expect(left.map((group) => group.name).toSorted()).toEqual(['One', 'Two'])
    expect((await add(ana, open[0]!.group_id, vera)).status).toBe(409)
    expect(await groupsOf(bob)).toMatchObject([{ group_id: open[0]!.group_id, joined: false }])
    expect((await vera.attempt(groupsContract.join, { id: open[1]!.group_id })).status).toBe(200)
    expect((await declineAll(vera, vera)).status).toBe(204)
  })

  test('who has not joined changes nothing of the group for others', async () => {
    const app = await startApp()
    const vera = await app.player({ name: 'Vera' })
    const dan = await app.player({ friends: [vera] })
    const ana = await app.player({ friends: [vera] })
    await app.deps.sync.syncFriends(vera.steam_id)
    const { group_id: id } = await app.group({ owner: ana, members: [vera], joined: false })
    const refusals = [
      await vera.refused(groupsContract.addMembers, { id }, { steam_ids: ids([dan]) }),
      await vera.refused(groupsContract.setPicture, { id }, { picture_url: 'https://example.org/x.png' }),
    ]
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        status: 403,
        code: 'not_joined',
        error: 'Join this group first.',
      })
    const form = new FormData()
    form.append('picture', new Blob(['no picture'], { type: 'image/png' }), 'x.png')
    const upload = await vera.request(`/api/groups/${id}/picture`, { method: 'POST', body: form })
    expect(upload.status).toBe(403)
    expect(await ana.call(groupsContract.members, { id })).toHaveLength(2)
    expect((await ana.call(groupsContract.read, { id })).picture_url).toBeNull()

    await vera.call(groupsContract.join, { id })
    expect((await add(vera, id, dan)).status).toBe(200)
  })

  test('a sync by who has not joined is no sync of the group', async () => {
    const app = await startApp()
    const vera = await app.player({ games: { Portal: 1 } })
    const ana = await app.player({ games: { Portal: 1 }, friends: [vera] })
    const { group_id: id } = await app.group({ owner: ana, members: [vera], joined: false })
    const sync = () => vera.call(groupsContract.syncGames, {}, { steam_ids: ids([ana, vera]) })
    const activity = async () =>
      (await ana.call(syncContract.activity, { steamId: ana.steam_id })).map((entry) => entry.kind)
    await sync()
    expect(await activity()).toEqual([])
    await vera.call(groupsContract.join, { id })
    await sync()
    expect(await activity()).toEqual(['group_synced'])
  })

  test('a member who owns 100 groups already is passed over; where nobody is left the group is deleted', async () => {
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
    expect((await bob.attempt(groupsContract.read, { id: made[2]! })).status).toBe(404)
  })

  test('groups of several owners who leave at once, or delete their accounts, do not exceed the 100', async () => {
    const app = await startApp()
    const bob = await app.player({ name: 'Bob' })
    await ownGroups(app, bob, 97)
    const owners = await Promise.all(Array.from({ length: 6 }, () => app.player({ friends: [bob] })))
    const made = await Promise.all(owners.map((owner) => app.group({ owner, members: [bob] })))
    const answers = await Promise.all([
      ...owners.map((owner, n) =>
        n % 2 === 0
          ? owner.attempt(groupsContract.leave, { id: made[n]!.group_id })
          : owner.request(`/api/users/${owner.steam_id}`, { method: 'DELETE' }),
      ),
      bob.attempt(groupsContract.create, {}, { name: 'mine', owner_steam_id: bob.steam_id }),
    ])
    for (const answer of answers.slice(0, 6)) expect(answer.status).toBe(204)
    const mine = await groupsOf(bob)
    expect(mine).toHaveLength(100)
    expect(new Set(mine.map((group) => group.owner_steam_id))).toEqual(new Set([bob.steam_id]))
  })
})
