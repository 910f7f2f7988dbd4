/** A group's webhook belongs to its owner: it ends when the group gets another one (NIGHT-113). */
import { describe, expect, test } from 'vitest'
import { claimMessages } from '../../src/server/storage/notifications/outbox.ts'
import { api, engines, nextSteamId, startTestApp, type TestApp } from '../support/app.ts'
import { startReceiver } from '../support/hooks.ts'
import { friendsWithGames } from '../support/nights.ts'

const OPERATOR = nextSteamId()

/** Ada's group, whose webhook she has set; Bob is next in line. A night was announced, and the message waits. */
async function begin(engine: (typeof engines)[number]) {
  const receiver = await startReceiver()
  const app = await startTestApp({ engine, web: receiver.web, env: { OPERATORS: OPERATOR } })
  const { host: ada, others, groupId } = await friendsWithGames(app, 3)
  const of = { id: groupId }
  const hook = await ada.call(api.webhooks.set, of, { url: receiver.url, format: 'json' })
  await ada.call(api.nights.start, {}, { group_id: groupId, title: 'Before' })
  return { app, receiver, ada, bob: others[0]!, of, hook }
}
type Situation = Awaited<ReturnType<typeof begin>>

const rowsOf = async ({ database: { queries } }: TestApp) => ({
  webhooks: await queries.selectFrom('webhooks').select('created_by').execute(),
  messages: (await queries.selectFrom('messages').select('message_id').execute()).length,
})

/** Ways in which the group gets another owner. */
const ways: Record<string, (at: Situation) => Promise<unknown>> = {
  'hands the group over': ({ ada, bob, of }) => ada.call(api.groups.handOver, of, { steam_id: bob.steam_id }),
  'leaves the group': ({ ada, of }) => ada.call(api.groups.leave, of),
  'deletes the account': ({ ada }) => ada.call(api.privacy.deleteAccount, ada.user),
  'loses the group to an operator’s decision': async ({ app, ada, bob, of }) => {
    const operator = await app.player({ steamId: OPERATOR })
    await bob.call(api.groups.report, of, { about: 'name', reason: 'rude' })
    const reason = 'left for good'
    await operator.call(api.operator.changeGroup, of, {
      action: 'hand_over',
      steam_id: bob.steam_id,
      reason,
    })
    expect((await bob.call(api.groups.read, of)).owner_steam_id).toBe(bob.steam_id)
    expect(await ada.call(api.groups.read, of)).toBeDefined()
  },
}

describe.each(engines)('NIGHT-113: the webhook of an owner (%s)', (engine) => {
  test.each(Object.keys(ways))('NIGHT-113: who %s ends, the new owner sets another', async (way) => {
    const at = await begin(engine)
    const { app, receiver, bob, of, hook } = at
    // A server has claimed the message, and is killed.
    await claimMessages(app.database, 'messages', { now: Date.now(), leaseMs: 0, limit: 8 })
    await ways[way]!(at)
    expect(await rowsOf(app)).toEqual({ webhooks: [], messages: 0 })
    expect(await bob.call(api.webhooks.read, of)).toBeNull()
    await bob.call(api.nights.start, {}, { group_id: of.id, title: 'Secret plan after they left' })
    await app.deps.messages.runOnce()
    expect(receiver.received).toEqual([])

    const own = await bob.call(api.webhooks.set, of, { url: receiver.url, format: 'json' })
    expect(own.secret).not.toBe(hook.secret)
    await bob.call(api.nights.start, {}, { group_id: of.id, title: 'Announced' })
    await app.deps.messages.runOnce()
    expect(receiver.bodies()).toMatchObject([{ night: { title: 'Announced' } }])
  })

  test('NIGHT-113: stays when the owner hands the group over to themselves, and when others leave', async () => {
    const { app, ada, bob, of } = await begin(engine)
    await ada.call(api.groups.handOver, of, { steam_id: ada.steam_id })
    await bob.call(api.groups.leave, of)
    expect(await rowsOf(app)).toEqual({ webhooks: [{ created_by: ada.steam_id }], messages: 1 })
  })
})
