/** Who leads a game night: its host and the owner of its group; and who its next host is (NIGHT-8, NIGHT-11). */
import { describe, expect, test } from 'vitest'
import { NIGHTS_HOSTED_MAX } from '#shared/limits.ts'
import { api, engines, startTestApp, type TestPlayer } from '../support/app.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'

describe.each(engines)('a night of a group (%s)', (engine) => {
  /** A night that a member hosts; `guest` came by its link and is in. */
  async function situation() {
    const app = await startTestApp({ engine })
    const { host: owner, ada: host, ben: ada, eve: ben, groupId, appids } = await friendsWithGames(app, 4)
    const guest = await app.player({ name: 'Guest', games: { Portal: 60, Factorio: 60, Overcooked: 60 } })
    const night = await host.call(api.nights.start, {}, { group_id: groupId })
    const id = { id: night.night_id }
    const { token } = await host.call(api.invites.renewOfNight, id)
    await guest.call(api.invites.accept, { token })
    await inNight(night, guest).answer('in')
    return { owner, host, ada, ben, guest, groupId, appids, night, id }
  }

  test('NIGHT-11: is changed, closed, drawn and cancelled by the owner of its group as by its host', async () => {
    const { owner, ada, guest, appids, night, id } = await situation()
    expect((await inNight(night, owner).read()).my.leads).toBe(true)
    for (const other of [ada, guest]) {
      expect((await inNight(night, other).read()).my.leads).toBe(false)
      expect(await other.refusedWith(api.nights.cancel, id)).toBe('not_night_host')
    }
    expect((await owner.call(api.nights.change, id, { title: 'Calm', forbids: true })).title).toBe('Calm')
    await inNight(night, owner).answer('in')
    await inNight(night, owner).vote([{ appid: appids[0]!, mark: 'want' }])
    await inNight(night, owner).close('draw')
    const drawn = await inNight(night, owner).draw()
    expect(drawn.pick).toMatchObject({ appid: appids[0], drawn_by: owner.steam_id })
    expect((await inNight(night, owner).redraw('another')).draws).toHaveLength(2)
    expect((await inNight(night, owner).cancel()).status).toBe('cancelled')
  })

  test('NIGHT-11: has people removed by the owner of its group, its host too, but nobody removes that owner', async () => {
    const { owner, host, ada, guest, night, id } = await situation()
    expect(await host.refusedWith(api.nights.removePlayer, { ...id, steamId: owner.steam_id })).toBe(
      'owner_cannot_be_removed',
    )
    expect(await ada.refusedWith(api.nights.removePlayer, { ...id, steamId: owner.steam_id })).toBe(
      'not_night_host',
    )
    await inNight(night, owner).remove(guest)
    await inNight(night, ada).answer('maybe')
    await inNight(night, owner).remove(host)
    expect((await inNight(night, owner).read()).host_steam_id).toBe(ada.steam_id)
    expect(await host.refusedWith(api.nights.read, id)).toBe('night_not_found')
  })

  test('is led by the new owner once the group is handed over, and no longer by the former one', async () => {
    const { owner, ada, groupId, night, id } = await situation()
    await owner.call(api.groups.handOver, { id: groupId }, { steam_id: ada.steam_id })
    expect(await owner.refusedWith(api.nights.cancel, id)).toBe('not_night_host')
    expect((await inNight(night, ada).cancel()).status).toBe('cancelled')
  })

  test('NIGHT-8: passes to a member who has joined its group and comes, and is cancelled where there is none', async () => {
    const { host, ada, ben, guest, groupId, night, id } = await situation()
    await inNight(night, ben).answer('out')
    await inNight(night, ada).answer('maybe')
    await host.call(api.nights.removePlayer, { ...id, steamId: host.steam_id })
    // The guest was in for longest.
    expect((await inNight(night, guest).read()).host_steam_id).toBe(ada.steam_id)
    await ada.call(api.groups.leave, { id: groupId })
    expect(await inNight(night, ben).read()).toMatchObject({ status: 'cancelled', host_steam_id: null })
  })

  test('NIGHT-8, LIM-46, MEM-1: passes to nobody who has not joined the group, or who hosts as many nights as they may', async () => {
    const { owner, host, ada, ben, guest, night, id } = await situation()
    await inNight(night, ben).answer('in')
    for (let count = 0; count < NIGHTS_HOSTED_MAX; count++)
      await ben.call(api.nights.start, {}, { steam_ids: [] })
    await inNight(night, ada).answer('maybe')
    await host.call(api.nights.removePlayer, { ...id, steamId: host.steam_id })
    expect((await inNight(night, guest).read()).host_steam_id).toBe(ada.steam_id)
    await ada.call(api.nights.removePlayer, { ...id, steamId: ada.steam_id })
    expect(await inNight(night, ben).read()).toMatchObject({ status: 'cancelled', host_steam_id: null })
    // In another group, whose host adds somebody who neither joins nor answers.
    const other = await owner.call(api.groups.create, {}, { name: 'X', owner_steam_id: owner.steam_id })
    await owner.call(api.groups.addMembers, { id: other.group_id }, { steam_ids: [ada.steam_id] })
    const next = await owner.call(api.nights.start, {}, { group_id: other.group_id })
    const { token } = await owner.call(api.invites.renewOfNight, { id: next.night_id })
    await guest.call(api.invites.accept, { token }, { answer: 'in' })
    await inNight(next, ada).answer('in')
    await inNight(next, owner).remove(owner)
    expect(await inNight(next, ada).read()).toMatchObject({ status: 'cancelled', host_steam_id: null })
  })
})

test.each(engines)('NIGHT-8: one without a group passes to nobody unknown (%s)', async (engine) => {
  const app = await startTestApp({ engine })
  const [friend, asked, stranger] = [await app.player(), await app.player(), await app.player()]
  const host = await app.player({ friends: [friend, asked] })
  const night = await host.call(api.nights.start, {}, { steam_ids: [asked.steam_id] })
  const id = { id: night.night_id }
  const { token } = await host.call(api.invites.renewOfNight, id)
  for (const guest of [stranger, friend]) await guest.call(api.invites.accept, { token }, { answer: 'in' })
  await inNight(night, asked).answer('maybe')
  const leave = (player: TestPlayer) => inNight(night, player).remove(player)
  const hostOf = async () => (await inNight(night, stranger).read()).host_steam_id

  await leave(host)
  expect(await hostOf()).toBe(friend.steam_id)
  await leave(friend)
  expect(await hostOf()).toBe(asked.steam_id)
  await leave(asked)
  expect(await inNight(night, stranger).read()).toMatchObject({ status: 'cancelled', host_steam_id: null })
})
