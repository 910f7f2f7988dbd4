/** Leaving a night and coming back must not undo a removal, nor bring back a vote that was withdrawn. */
import { describe, expect, test } from 'vitest'
import { api, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'

type Situation = {
  app: TestApp
  host: TestPlayer
  ada: TestPlayer
  bob: TestPlayer
  groupId: number
  nightId: number
}

const leaveNight = ({ bob, nightId }: Situation) =>
  bob.call(api.nights.removePlayer, { id: nightId, steamId: bob.steam_id })

const waysBack: Record<string, (at: Situation) => Promise<unknown>> = {
  'leaving the night and pressing Join in the group, which one has joined': async (at) => {
    await leaveNight(at)
    await at.bob.call(api.groups.join, { id: at.groupId })
  },
  'leaving the group and joining it again': async ({ bob, groupId }) => {
    await bob.call(api.groups.leave, { id: groupId })
    await bob.call(api.groups.join, { id: groupId })
  },
  'leaving the night and accepting its link': async (at) => {
    await leaveNight(at)
    const { token } = await at.ada.call(api.invites.renewOfNight, { id: at.nightId })
    await at.bob.call(api.invites.accept, { token })
  },
}

async function situation(): Promise<Situation & { appids: number[] }> {
  const app = await startTestApp()
  const { host, ada, ben: bob, groupId, appids } = await friendsWithGames(app, 4)
  const night = await host.call(api.nights.start, {}, { group_id: groupId })
  return { app, host, ada, bob, groupId, nightId: night.night_id, appids }
}

describe('NIGHT-15: a vote leaves the night with its player', () => {
  test.each(Object.keys(waysBack))('%s', async (way) => {
    const at = await situation()
    const night = { night_id: at.nightId }
    await inNight(night, at.ada).answer('in')
    await inNight(night, at.bob).answer('in')
    await inNight(night, at.ada).vote([{ appid: at.appids[0]!, mark: 'want' }])
    await inNight(night, at.bob).vote([{ appid: at.appids[0]!, mark: 'no' }])

    await waysBack[way]!(at)
    const back = await inNight(night, at.bob).answer('in')
    expect(back.my).toMatchObject({ voted: false, has_voted: false, marks: null })
    // Who has not voted does not see the marks of others.
    expect(back.people.map(({ marks }) => marks)).toEqual(back.people.map(() => null))
    expect((await inNight(night, at.host).close()).scores![0]).toMatchObject({ score: 2 })
  })
})

test('NIGHT-11: for who was removed the night does not exist, also after they join or leave the group', async () => {
  const at = await situation()
  await inNight({ night_id: at.nightId }, at.host).remove(at.bob)
  expect((await at.bob.attempt(api.nights.read, { id: at.nightId })).status).toBe(404)
  await at.bob.call(api.groups.join, { id: at.groupId })
  expect((await at.bob.attempt(api.nights.read, { id: at.nightId })).status).toBe(404)
  await at.bob.call(api.groups.leave, { id: at.groupId })
  await at.bob.call(api.groups.join, { id: at.groupId })
  expect((await at.bob.attempt(api.nights.read, { id: at.nightId })).status).toBe(404)
})

describe('NIGHT-16: the vote ends when everyone has answered and everyone who is in has voted', () => {
  const last: Record<string, (at: Situation, person: TestPlayer) => Promise<unknown>> = {
    'leaves the night': ({ nightId }, person) =>
      person.call(api.nights.removePlayer, { id: nightId, steamId: person.steam_id }),
    'leaves the group': ({ groupId }, person) => person.call(api.groups.leave, { id: groupId }),
    'is removed from the group': ({ host, groupId }, person) =>
      host.call(api.groups.removeMember, { id: groupId, steamId: person.steam_id }),
    'deletes the account': (_, person) => person.call(api.privacy.deleteAccount, person.user),
  }
  test.each(Object.keys(last))('NIGHT-16: also when the last who has not answered %s', async (what) => {
    const app = await startTestApp()
    const { host, ada, ben: bob, groupId, appids } = await friendsWithGames(app, 3)
    const night = await host.call(api.nights.start, {}, { group_id: groupId })
    await inNight(night, ada).answer('in')
    for (const person of [host, ada]) await inNight(night, person).vote([{ appid: appids[0]!, mark: 'want' }])
    await last[what]!({ app, host, ada, bob, groupId, nightId: night.night_id }, bob)
    await app.deps.messages.runOnce()
    expect((await inNight(night, host).read()).status).toBe('decided')
  })
})

test('MEM-13, NIGHT-55: a member barred from the group is not in its nights either', async () => {
  const at = await situation()
  await inNight({ night_id: at.nightId }, at.ada).answer('in')
  await at.bob.call(api.groups.leave, { id: at.groupId })
  const { token } = await at.ada.call(api.invites.renewOfNight, { id: at.nightId })
  await at.bob.call(api.invites.accept, { token })
  await inNight({ night_id: at.nightId }, at.bob).answer('in')
  await at.host.call(
    api.groups.setMayReturn,
    { id: at.groupId, steamId: at.bob.steam_id },
    { may_return: false },
  )
  expect((await at.bob.attempt(api.invites.accept, { token })).status).toBe(404)
  expect((await at.bob.attempt(api.nights.read, { id: at.nightId })).status).toBe(404)
  expect((await at.bob.attempt(api.invites.renewOfNight, { id: at.nightId })).status).toBe(404)
})

test('NIGHT-16: a ballot that has counted stays shown after the end, also when its person answers out', async () => {
  const at = await situation()
  const night = { night_id: at.nightId }
  await inNight(night, at.ada).answer('in')
  await inNight(night, at.ada).vote([{ appid: at.appids[0]!, mark: 'no' }])
  const ended = await inNight(night, at.host).close('draw')
  expect(ended.scores!.find((score) => score.appid === at.appids[0])?.score).toBe(-3)
  await inNight(night, at.ada).answer('out')
  const { people, scores } = await inNight(night, at.host).read()
  expect(scores).toEqual(ended.scores)
  expect(people.find((one) => one.steam_id === at.ada.steam_id)?.marks).toEqual([
    { appid: at.appids[0], mark: 'no' },
  ])
})
