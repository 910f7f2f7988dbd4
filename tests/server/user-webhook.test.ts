/** A user's own webhook, for the game nights without a group that they host (NIGHT-147). */
import { describe, expect, test } from 'vitest'
import { nightsContract } from '#shared/contract/nights.ts'
import { operatorContract } from '#shared/contract/operator.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { type Webhook, webhooksContract } from '#shared/contract/webhooks.ts'
import { nextSteamId, startTestApp, type TestPlayer } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { findingDate } from '../support/dates.ts'
import { startReceiver } from '../support/hooks.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import { settleSends } from '../support/push-devices.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 5, 1, 12)
const iso = (time: number) => new Date(time).toISOString()
const mine = (player: TestPlayer) => ({ steamId: player.steam_id })

/** A host, who has a webhook, and an operator; they, Ada and Ben can ask each other to nights. */
async function begin(engine: (typeof engines)[number]) {
  const clock = { now: NOW }
  const receiver = await startReceiver()
  const operatorId = nextSteamId()
  const app = await startTestApp({
    engine,
    clock: () => clock.now,
    web: receiver.web,
    env: { OPERATORS: operatorId },
  })
  const operator = await app.player({ steamId: operatorId })
  const { host, others, groupId, appids } = await friendsWithGames(app, 3)
  const [ada, ben] = others as [TestPlayer, TestPlayer]
  const set = (player: TestPlayer, path = '', format: Webhook['format'] = 'json') =>
    player.call(webhooksContract.setOwn, mine(player), { url: `${receiver.url}${path}`, format })
  const hook = await set(host)
  const start = (rest: object = {}) =>
    host.call(nightsContract.start, {}, { steam_ids: [ada.steam_id, ben.steam_id], ...rest })
  let seen = 0
  /** What was sent since the last time. */
  const sent = async () => {
    await settleSends(app)
    const news = receiver.received.slice(seen)
    seen = receiver.received.length
    return news.map(({ path, body }) => ({ path, ...(JSON.parse(body) as { event: string; text: string }) }))
  }
  const rows = async () => ({
    webhooks: (await app.database.queries.selectFrom('webhooks').select('group_id').execute()).length,
    messages: (await app.database.queries.selectFrom('messages').select('message_id').execute()).length,
  })
  return { app, clock, receiver, operator, host, ada, ben, groupId, appids, hook, set, start, sent, rows }
}

describe.each(engines)('the webhook of a user (%s)', (engine) => {
  test('NIGHT-147: is told of the nights without a group that the user hosts, and of no others', async () => {
    const { clock, host, ada, groupId, appids, set, start, sent } = await begin(engine)
    await set(ada, '/ada')
    const night = await start({ starts_at: iso(NOW + 3 * DAY), title: 'Raid' })
    const id = { id: night.night_id }
    await host.call(nightsContract.start, {}, { group_id: groupId })
    expect(await sent()).toMatchObject([
      {
        path: '/nights',
        event: 'night.planned',
        text: 'A game night is planned (Raid).',
        group: null,
        night: { night_id: night.night_id, title: 'Raid', in: 1 },
      },
    ])
    await host.call(nightsContract.change, id, { starts_at: iso(NOW + 2 * DAY), title: null })
    await sent()
    const all = []
    for (const at of [NOW + DAY, NOW + 2 * DAY - 30 * MINUTE, NOW + 2 * DAY]) {
      clock.now = at
      all.push(...(await sent()))
    }
    await inNight(night, host).vote([{ appid: appids[0]!, mark: 'want' }])
    await inNight(night, host).close()
    all.push(...(await sent()))
    await inNight(night, host).cancel()
    all.push(...(await sent()))
    expect(all.map(({ event, text }) => [event, text])).toEqual([
      ['night.upcoming', 'A game night is coming up.'],
      ['night.starting', 'The game night starts soon.'],
      ['night.started', 'The game night starts now.'],
      ['night.decided', 'The game night is decided: Portal.'],
      ['night.cancelled', 'The game night is cancelled.'],
    ])

    const dating = await start({ times: [iso(NOW + 4 * DAY), iso(NOW + 5 * DAY)] })
    await findingDate(dating, host).take(NOW + 4 * DAY)
    expect((await sent()).map(({ event }) => event)).toEqual(['night.dating', 'night.planned'])
  })

  test('NIGHT-147: of the next host is told when hosting passes on; of the last, when nobody is left', async () => {
    const { clock, receiver, host, ada, set, start, sent } = await begin(engine)
    await set(ada, '/ada')
    const leave = (player: TestPlayer, nightId: number) =>
      player.call(nightsContract.removePlayer, { id: nightId, steamId: player.steam_id })
    const { night_id } = await start({ starts_at: iso(NOW + 2 * DAY) })
    await inNight({ night_id }, ada).answer('in')
    await leave(host, night_id)
    expect(await sent()).toMatchObject([{ path: '/nights', event: 'night.planned' }])
    await ada.call(nightsContract.change, { id: night_id }, { starts_at: iso(NOW + DAY) })
    expect(await sent()).toMatchObject([{ path: '/nights/ada', event: 'night.moved' }])

    // A reminder that waits when hosting passes on is left out.
    const waiting = await start({ starts_at: iso(NOW + 3 * DAY) })
    await inNight(waiting, ada).answer('in')
    await sent()
    receiver.respond(() => ({ status: 500 }))
    clock.now = NOW + 2 * DAY
    expect(await sent()).toMatchObject([{ path: '/nights', event: 'night.upcoming' }])
    receiver.respond(() => ({ status: 200 }))
    await leave(host, waiting.night_id)
    clock.now += HOUR
    expect(await sent()).toEqual([])
    clock.now = NOW + 3 * DAY - 30 * MINUTE
    expect(await sent()).toMatchObject([{ path: '/nights/ada', event: 'night.starting' }])
    clock.now = NOW

    const other = await start({ starts_at: iso(NOW + 2 * DAY) })
    await sent()
    // Nobody has answered, so it is cancelled.
    await leave(host, other.night_id)
    expect(await sent()).toMatchObject([{ path: '/nights', event: 'night.cancelled' }])
    const last = await host.call(
      nightsContract.start,
      {},
      { steam_ids: [ada.steam_id], times: [iso(NOW + DAY), iso(NOW + 2 * DAY)] },
    )
    await leave(ada, last.night_id)
    await leave(host, last.night_id)
    expect(await sent()).toMatchObject([
      { event: 'night.dating' },
      { event: 'night.cancelled', night: { starts_at: null, times: [] } },
    ])
  })

  test('NIGHT-147, NIGHT-70, NIGHT-71: is read, set again, tested and removed by the user alone', async () => {
    const { receiver, host, ada, hook, set, sent, rows } = await begin(engine)
    const read = () => host.call(webhooksContract.readOwn, mine(host))
    expect(await read()).toEqual(hook)
    expect(await ada.call(webhooksContract.readOwn, mine(ada))).toBeNull()
    expect(await ada.refused(webhooksContract.readOwn, mine(host))).toMatchObject({ status: 403 })
    expect((await set(host, '', 'discord')).secret).toBe(hook.secret)
    expect((await set(host, '/other')).secret).not.toBe(hook.secret)
    await host.call(webhooksContract.testOwn, mine(host))
    expect(await sent()).toMatchObject([{ event: 'test', path: '/nights/other', group: null, night: null }])
    expect(await read()).toMatchObject({ last_ok_at: iso(NOW), waiting: 0 })
    receiver.respond(() => ({ status: 400 }))
    await host.call(webhooksContract.testOwn, mine(host))
    await sent()
    expect(await read()).toMatchObject({
      last_error: 'The address responded with 400. A message was given up.',
    })
    await host.call(webhooksContract.removeOwn, mine(host))
    expect(await read()).toBeNull()
    expect(await rows()).toEqual({ webhooks: 0, messages: 0 })
    expect(await host.refused(webhooksContract.testOwn, mine(host))).toMatchObject({
      status: 404,
      code: 'webhook_not_found',
    })
    const body = { url: 'http://hooks.test/', format: 'json' } as const
    expect(await host.refused(webhooksContract.setOwn, mine(host), body)).toMatchObject({
      code: 'invalid_webhook_url',
      field: 'url',
    })
  })

  test('NIGHT-147: there is one, whatever is set at once, beside those of the user’s groups', async () => {
    const { receiver, host, groupId, set, rows } = await begin(engine)
    await Promise.all(['/a', '/b', '/c'].map((path) => set(host, path)))
    expect(await rows()).toMatchObject({ webhooks: 1 })
    const ofGroup = { id: groupId }
    await host.call(webhooksContract.set, ofGroup, { url: receiver.url, format: 'json' })
    await host.call(webhooksContract.removeOwn, mine(host))
    expect(await host.call(webhooksContract.read, ofGroup)).toMatchObject({ url: receiver.url })
    await set(host)
    await host.call(webhooksContract.remove, ofGroup)
    expect(await host.call(webhooksContract.readOwn, mine(host))).toMatchObject({ url: receiver.url })
  })

  test.each(['deletes the account', 'is blocked'])(
    'NIGHT-147, API-41: is in the export without address and secret, and ends when its user %s',
    async (way) => {
      const { app, receiver, operator, host, hook, start, rows } = await begin(engine)
      await start()
      const exported = await host.call(privacyContract.exportAll, mine(host))
      expect(exported['webhooks']).toEqual([{ group_id: null, format: 'json', created_at: iso(NOW) }])
      for (const secret of [hook.secret, hook.url]) expect(JSON.stringify(exported)).not.toContain(secret)
      if (way === 'is blocked')
        await operator.call(operatorContract.changeAccount, mine(host), { action: 'block', reason: 'rude' })
      else await host.call(privacyContract.deleteAccount, mine(host))
      expect(await rows()).toEqual({ webhooks: 0, messages: 0 })
      await settleSends(app)
      expect(receiver.received).toEqual([])
    },
  )
})
