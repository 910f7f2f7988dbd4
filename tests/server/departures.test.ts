/** Leaving groups, being removed, and coming back: MEM-7 to MEM-13. */
import { describe, expect, test } from 'vitest'
import { api, engines, startTestApp, type TestPlayer } from '../support/app.ts'
import { fridayIn } from '../support/groups.ts'

const ids = (people: { steam_id: string }[]) => people.map((person) => person.steam_id)
const listOf = (player: TestPlayer) => player.call(api.groups.list, player.user)
const leftOf = async (player: TestPlayer) => (await listOf(player)).left
const add = (player: TestPlayer, id: number, ...target: TestPlayer[]) =>
  player.attempt(api.groups.addMembers, { id }, { steam_ids: ids(target) })
const remove = (player: TestPlayer, id: number, target: TestPlayer) =>
  player.attempt(api.groups.removeMember, { id, steamId: target.steam_id })
const join = (player: TestPlayer, id: number) => player.attempt(api.groups.join, { id })
const setMayReturn = (player: TestPlayer, id: number, target: TestPlayer, may_return: boolean) =>
  player.attempt(api.groups.setMayReturn, { id, steamId: target.steam_id }, { may_return })
const former = (player: TestPlayer, id: number) => player.call(api.groups.formerMembers, { id })

describe.each(engines)('on %s', (engine) => {
  const friday = async () => {
    const all = await fridayIn(await startTestApp({ engine }))
    // Who may not add Cal again is no stranger to him.
    all.app.simulator.befriend(all.bob.steam_id, all.cal.steam_id)
    await all.app.deps.sync.syncFriends(all.bob.steam_id)
    return all
  }

  test('MEM-12: a person’s list has the groups they left or declined and may rejoin, latest first', async () => {
    const { app, ada, bob, cal, id } = await friday()
    const other = (await app.group({ owner: ada, members: [bob], name: 'Saturday' })).group_id
    expect(await listOf(bob)).toMatchObject({ groups: [{ group_id: other }, { group_id: id }], left: [] })
    await bob.call(api.groups.leave, { id })
    await cal.call(api.groups.leave, { id })
    await bob.call(api.groups.leave, { id: other })
    expect(await listOf(bob)).toEqual({
      groups: [],
      left: [
        { group_id: other, name: 'Saturday' },
        { group_id: id, name: 'Friday' },
      ],
    })
    expect(await leftOf(cal)).toEqual([{ group_id: id, name: 'Friday' }])
    expect(await leftOf(ada)).toEqual([])

    expect((await join(bob, id)).status).toBe(200)
    expect(await leftOf(bob)).toEqual([{ group_id: other, name: 'Saturday' }])
    await ada.call(api.groups.remove, { id: other })
    expect(await leftOf(bob)).toEqual([])
  })

  test('MEM-13: the owner can bar a person who left from rejoining, and can allow it again', async () => {
    const { ada, bob, id } = await friday()
    await bob.call(api.groups.leave, { id })
    expect(await former(ada, id)).toMatchObject([
      { steam_id: bob.steam_id, display_name: 'Bob', removed: false, may_return: true },
    ])
    expect((await setMayReturn(ada, id, bob, false)).status).toBe(204)
    expect(await leftOf(bob)).toEqual([])
    const absent = await join(bob, id + 1000)
    const barred = await join(bob, id)
    expect([barred.status, await barred.text()]).toEqual([404, await absent.text()])
    expect(await former(ada, id)).toMatchObject([{ steam_id: bob.steam_id, may_return: false }])
    // Barring a person does not allow the owner to add them again.
    expect(await ada.refused(api.groups.addMembers, { id }, { steam_ids: ids([bob]) })).toMatchObject({
      status: 409,
      error: 'Bob has left this group.',
      code: 'has_left_group',
      reason: 'has_left',
      values: { name: 'Bob' },
    })

    expect((await setMayReturn(ada, id, bob, true)).status).toBe(204)
    expect(await leftOf(bob)).toHaveLength(1)
    expect((await join(bob, id)).status).toBe(200)
    expect(await former(ada, id)).toEqual([])
  })

  test('MEM-13: only the owner can bar people, and only people who left', async () => {
    const { app, ada, bob, cal, id } = await friday()
    const stranger = await app.player()
    await cal.call(api.groups.leave, { id })
    for (const [player, status] of [
      [bob, 403],
      [cal, 404],
      [stranger, 404],
    ] as const) {
      expect((await setMayReturn(player, id, cal, false)).status).toBe(status)
      expect((await player.attempt(api.groups.formerMembers, { id })).status).toBe(status)
    }
    for (const target of [bob, ada, stranger])
      expect((await setMayReturn(ada, id, target, false)).status).toBe(404)
    expect((await join(cal, id)).status).toBe(200)
    // A person who has left is not a member who could be removed.
    await cal.call(api.groups.leave, { id })
    expect((await remove(ada, id, cal)).status).toBe(404)
  })

  test('MEM-7: a person whom the owner removed can be added again only by the owner', async () => {
    const { ada, bob, cal, id } = await friday()
    expect((await remove(ada, id, cal)).status).toBe(200)
    expect(await leftOf(cal)).toEqual([])
    expect((await join(cal, id)).status).toBe(404)
    expect(await former(ada, id)).toMatchObject([
      { steam_id: cal.steam_id, removed: true, may_return: false },
    ])
    expect(await bob.refused(api.groups.addMembers, { id }, { steam_ids: ids([cal]) })).toMatchObject({
      status: 409,
      code: 'removed_from_group',
      error: 'Cal was removed from this group. Only its owner can add them again.',
    })
    expect((await add(ada, id, cal)).status).toBe(200)
    expect(await former(ada, id)).toEqual([])
    expect((await listOf(cal)).groups).toMatchObject([{ group_id: id, joined: false }])
  })
})
