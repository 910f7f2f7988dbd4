/** How messages get to devices (PUSH-11, PUSH-12). */
import { describe, expect, test } from 'vitest'
import { PUSH_SUBSCRIPTIONS_MAX } from '#shared/limits.ts'
import { claimMessages } from '../../src/server/storage/notifications/outbox.ts'
import { api, engines, startTestApp } from '../support/app.ts'
import { askedByFriend, deviceOf, settleSends } from '../support/push-devices.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

describe.each(engines)('messages to devices (%s)', (engine) => {
  test('PUSH-11: a message is tried again after a failure, with the pause that is asked for, and given up after a refusal', async () => {
    const { clock, service, ada, ask, stored, send } = await askedByFriend(engine)
    const device = await deviceOf(service, ada)
    service.respond(() => ({ status: 500 }))
    await ask()
    await send()
    clock.now += 29 * SECOND
    await send()
    expect(service.requests).toHaveLength(1)
    service.respond(() => ({ status: 429, headers: { 'retry-after': '1000' } }))
    clock.now += SECOND
    await send()
    clock.now += 999 * SECOND
    await send()
    expect(service.requests).toHaveLength(2)
    service.respond(() => ({ status: 201 }))
    clock.now += SECOND
    await send()
    expect(device.notifications()).toHaveLength(1)

    for (const status of [400, 413, 302]) {
      service.respond(() => ({ status, headers: { location: 'https://127.0.0.1/' } }))
      const before = service.requests.length
      await ask()
      await send()
      clock.now += HOUR
      await send()
      expect([status, service.requests.length - before]).toEqual([status, 1])
    }
    expect((await stored()).devices).toEqual([device.id])
  })

  test('PUSH-11: messages come in their order, and one that waited is left out when it is no longer true', async () => {
    const { clock, service, host, ada, ask, send } = await askedByFriend(engine)
    const device = await deviceOf(service, ada)
    service.respond(() => ({ status: 503 }))
    const [off, on] = [await ask(), await ask()]
    await send()
    await host.call(api.nights.cancel, { id: off.night_id })
    await send()
    expect(service.requests).toHaveLength(1)
    service.respond(() => ({ status: 201 }))
    clock.now += 30 * SECOND
    await send()
    expect(device.notifications().map(({ body, path }) => [path, body])).toEqual([
      [`/nights/${on.night_id}`, 'Host asks you to play now.'],
      [`/nights/${off.night_id}`, 'It is cancelled.'],
    ])
  })

  test.each([400, 401, 403, 413])('PUSH-11: a device is off after three refusals (%i)', async (status) => {
    const { app, clock, service, ada, ask, send } = await askedByFriend(engine)
    const device = await deviceOf(service, ada)
    const again = () => ada.call(api.push.subscribe, ada.user, device.subscription)
    const answer = async (given: number) => {
      service.respond(() => ({ status: given }))
      await ask()
      await send()
    }
    // An outage, or one that is taken, begins anew.
    for (const given of [status, status, 201, status, status]) await answer(given)
    service.respond(() => ({ status: 503 }))
    await ask()
    await send()
    expect(await again()).toEqual({ subscription_id: device.id, is_refused: false })
    clock.now += HOUR
    service.respond(() => ({ status }))
    await send()
    expect(await again()).toEqual({ subscription_id: device.id, is_refused: true })
    const before = service.requests.length
    await ask()
    await send()
    expect(service.requests).toHaveLength(before)
    expect(await app.db.selectFrom('push_subscriptions').select('refusals').execute()).toEqual([
      { refusals: 3 },
    ])
    service.respond(() => ({ status: 201 }))
    const anew = await deviceOf(service, ada)
    await ask()
    await send()
    expect(anew.notifications()).toHaveLength(1)
  })

  test.each([404, 410])('PUSH-11: a device that is not known is dropped (%i)', async (status) => {
    const { clock, service, ada, ask, stored, send } = await askedByFriend(engine)
    const [gone, stays] = [await deviceOf(service, ada), await deviceOf(service, ada)]
    const { pathname } = new URL(gone.subscription.endpoint)
    service.respond(({ path }) => ({ status: path === pathname ? status : 201 }))
    await ask()
    await ask()
    await send()
    expect((await stored()).devices).toEqual([stays.id])
    expect(service.requests.filter(({ path }) => path === pathname)).toHaveLength(1)
    expect(stays.notifications()).toHaveLength(2)
    clock.now += HOUR
    await send()
    expect(service.requests).toHaveLength(3)
  })

  test('PUSH-11: all devices of a user that respond slowly hold up no device of others, however much waits for them', async () => {
    const { app, service, host, ada, ask, send } = await askedByFriend(engine)
    const paths = new Set<string>()
    for (let nth = 0; nth < PUSH_SUBSCRIPTIONS_MAX; nth++)
      paths.add(new URL((await deviceOf(service, ada)).subscription.endpoint).pathname)
    service.respond(({ path }) => (paths.has(path) ? undefined : { status: 201 }))
    for (let nth = 0; nth < 4; nth++) await ask()
    const ben = await app.player({ name: 'Ben', friends: [host] })
    const quick = await deviceOf(service, ben)
    const askBen = () => host.call(api.nights.start, {}, { steam_ids: [ben.steam_id] })
    await askBen()
    const sending = send()
    await expect.poll(() => quick.notifications().length, { timeout: 10_000 }).toBe(1)
    // One that comes while the others are awaited, too.
    await askBen()
    await expect.poll(() => quick.notifications().length, { timeout: 10_000 }).toBe(2)
    expect(service.requests.filter(({ path }) => paths.has(path))).toHaveLength(PUSH_SUBSCRIPTIONS_MAX)
    await app.deps.messages.stop()
    await sending
  })

  test('PUSH-11: a message is sent once by several servers, and by another one when a server is killed', async () => {
    const { app, clock, service, ada, ask } = await askedByFriend(engine)
    const other = await startTestApp({ engine, besides: app, clock: () => clock.now, web: service.web })
    const device = await deviceOf(service, ada)
    for (let nth = 0; nth < 4; nth++) await ask()
    await Promise.all([settleSends(app), settleSends(other)])
    await settleSends(app)
    expect(device.notifications()).toHaveLength(4)
    expect(new Set(device.notifications().map(({ tag }) => tag)).size).toBe(4)

    await ask()
    const lease = { now: clock.now, leaseMs: 30 * SECOND, limit: 8 }
    // A server claims the message and is killed.
    expect(await claimMessages(app.database, 'push_messages', lease)).toHaveLength(1)
    await settleSends(other)
    expect(device.notifications()).toHaveLength(4)
    clock.now += 30 * SECOND
    await settleSends(other)
    expect(device.notifications()).toHaveLength(5)
  })

  test('PUSH-12: nothing that gives access to a device is in the log', async () => {
    const { lines, service, ada, ask, send } = await askedByFriend(engine)
    const device = await deviceOf(service, ada)
    service.respond(() => ({ status: 500 }))
    await ask()
    await send()
    const log = lines.join('')
    const { endpoint, keys } = device.subscription
    expect(log).toContain(new URL(endpoint).host)
    for (const secret of [new URL(endpoint).pathname, keys.p256dh, keys.auth])
      expect(log).not.toContain(secret)
  })
})
