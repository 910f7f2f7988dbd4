/** Devices that are notified: how they begin and end (PUSH-1 to PUSH-3, PUSH-10). */
import { createECDH } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { endLeastUsedSessions } from '../../src/server/storage/accounts/sessions.ts'
import { purgeExpired } from '../../src/server/sync/engine.ts'
import { api, engines, startTestApp, type TestApp } from '../support/app.ts'
import { askedByFriend, deviceOf, NOW, settleSends, startPushService } from '../support/push-devices.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

type At = Awaited<ReturnType<typeof askedByFriend>> & { other: ReturnType<TestApp['callsOf']> }
/** How the session of `other` ends; whether all of the user end. */
const ends: Record<string, (at: At) => Promise<{ all: boolean }>> = {
  'logs out': async ({ other }) => {
    await other.call(api.session.logOut, {})
    return { all: false }
  },
  'ends it from another device': async ({ ada, other }) => {
    const { sessions } = await other.call(api.session.listSessions, ada.user)
    const { session_id: sessionId } = sessions.find(({ current }) => current)!
    await ada.call(api.session.revokeSession, { ...ada.user, sessionId })
    return { all: false }
  },
  'has too many sessions': async ({ app, ada, other }) => {
    const { sessions } = await other.call(api.session.listSessions, ada.user)
    const { session_id } = sessions.find(({ current }) => current)!
    await app.write(async (tx) => {
      await tx.updateTable('sessions').set({ last_used_at: 1 }).where('session_id', '=', session_id).execute()
      await endLeastUsedSessions(tx, ada.steam_id, 1, NOW)
    })
    return { all: false }
  },
  'does not use it for 30 days': async ({ app, clock, ada, other }) => {
    const { sessions } = await other.call(api.session.listSessions, ada.user)
    const { session_id } = sessions.find(({ current }) => current)!
    await app.write((tx) =>
      tx
        .updateTable('sessions')
        .set({ expires_at: clock.now })
        .where('session_id', '=', session_id)
        .execute(),
    )
    await purgeExpired({ database: app.database, pictures: app.deps.pictures, clock: () => clock.now })
    return { all: false }
  },
  'signs out everywhere': async ({ ada, other }) => {
    await other.call(api.session.revokeAllSessions, ada.user)
    return { all: true }
  },
  'is signed out by an operator': async ({ ada, host }) => {
    const body = { action: 'sign_out', reason: 'asked for it' } as const
    await host.call(api.operator.changeAccount, ada.user, body)
    return { all: true }
  },
  'is signed out with everybody': async ({ host }) => {
    await host.call(api.operator.signOutEveryone, {}, { reason: 'a leak' })
    return { all: true }
  },
  'is blocked': async ({ ada, host }) => {
    await host.call(api.operator.changeAccount, ada.user, { action: 'block', reason: 'rude' })
    return { all: true }
  },
  'deletes the account': async ({ ada }) => {
    await ada.call(api.privacy.deleteAccount, ada.user)
    return { all: true }
  },
}

describe.each(engines)('a device (%s)', (engine) => {
  test('PUSH-1: the key of an installation is a point of P-256, the same on every server and for good', async () => {
    const { app, ada, service, ask, clock, send } = await askedByFriend(engine)
    const { public_key } = await ada.call(api.push.key, {})
    const bytes = Buffer.from(public_key, 'base64url')
    expect([bytes.length, bytes[0]]).toEqual([65, 4])
    const other = await startTestApp({ engine, besides: app, clock: () => clock.now, web: service.web })
    expect(await other.callsOf(ada.token).call(api.push.key, {})).toEqual({ public_key })

    const device = await deviceOf(service, ada)
    await ask()
    await send()
    // The push service has checked the signature of the request with this key.
    expect(service.faults).toEqual([])
    expect(device.notifications()).toHaveLength(1)
    // A device that was subscribed with another key takes nothing.
    const foreign = service.subscribe(createECDH('prime256v1').generateKeys('base64url'))
    await ada.call(api.push.subscribe, ada.user, foreign.subscription)
    await ask()
    await send()
    expect(service.faults).toEqual(['it is signed by another application'])
  })

  test('PUSH-1: refuses endpoints that are not public https, and keys that are none', async () => {
    const { app, ada, service } = await askedByFriend(engine)
    const { subscription } = service.subscribe('')
    const refusal = (change: object) =>
      ada.refused(api.push.subscribe, ada.user, { ...subscription, ...change })
    for (const [endpoint, error] of [
      ['http://1.1.1.1/push', 'The endpoint must be an https URL.'],
      ['javascript:alert(1)', 'The endpoint must be an https URL.'],
      ['https://me:secret@1.1.1.1/push', 'The endpoint must not contain a user name or password.'],
      ['https://127.0.0.1/push', 'The endpoint must be on the public internet.'],
      ['https://[::ffff:10.0.0.1]/push', 'The endpoint must be on the public internet.'],
      ['https://169.254.169.254/latest/meta-data', 'The endpoint must be on the public internet.'],
      ['https://push.example/push', 'The host of the endpoint cannot be found.'],
    ] as const)
      expect(await refusal({ endpoint })).toMatchObject({ status: 400, field: 'endpoint', error })
    expect(await refusal({ endpoint: `https://1.1.1.1/${'x'.repeat(2048)}` })).toMatchObject({ status: 400 })
    for (const expirationTime of [-1, 1e300]) expect((await refusal({ expirationTime })).status).toBe(400)
    const { p256dh, auth } = subscription.keys
    for (const [keys, field] of [
      [{ p256dh: 'A'.repeat(87), auth }, 'keys.p256dh'],
      [{ p256dh: p256dh.slice(1), auth }, 'keys.p256dh'],
      [{ p256dh, auth: 'short' }, 'keys.auth'],
    ] as const)
      expect(await refusal({ keys })).toMatchObject({ status: 400, field })
    expect(await app.db.selectFrom('push_subscriptions').selectAll().execute()).toEqual([])
  })

  test.each(Object.keys(ends))('PUSH-3: ends with its session, when the user %s', async (way) => {
    const at = await askedByFriend(engine)
    const { app, service, ada, ask, stored, send } = at
    const keeps = await deviceOf(service, ada)
    const other = app.callsOf(await app.signIn(ada.steam_id))
    const ended = await deviceOf(service, { ...other, steam_id: ada.steam_id })
    await ask()
    expect(await stored()).toMatchObject({ messages: 2 })
    const { all } = await ends[way]!({ ...at, other })
    const left = all ? { devices: [], messages: 0 } : { devices: [keeps.id], messages: 1 }
    expect(await stored()).toEqual(left)
    await send()
    expect(ended.notifications()).toEqual([])
    expect(keeps.notifications()).toHaveLength(all ? 0 : 1)
    expect(service.requests).toHaveLength(all ? 0 : 1)
  })

  test('PUSH-3: gets nothing once its session has expired, before that is tidied up', async () => {
    const { app, service, clock, ada, ask, send } = await askedByFriend(engine)
    const device = await deviceOf(service, ada)
    await ask()
    await app.write((tx) =>
      tx
        .updateTable('sessions')
        .set({ expires_at: clock.now })
        .where('steam_id', '=', ada.steam_id)
        .execute(),
    )
    await send()
    expect(device.notifications()).toEqual([])
    expect(service.requests).toEqual([])
  })

  test('PUSH-1: gets nothing once it has expired, and is deleted', async () => {
    const { service, clock, ada, ask, stored, send } = await askedByFriend(engine)
    const { public_key } = await ada.call(api.push.key, {})
    const { subscription } = service.subscribe(public_key)
    await ada.call(api.push.subscribe, ada.user, { ...subscription, expirationTime: clock.now + HOUR })
    await ask()
    clock.now += HOUR
    await send()
    expect([service.requests, (await stored()).devices]).toEqual([[], []])
  })

  test('PUSH-1, PUSH-3: a user ends their own devices, and nobody else’s', async () => {
    const { service, host, ada, ask, stored, send } = await askedByFriend(engine)
    const [phone, desktop] = [await deviceOf(service, ada), await deviceOf(service, ada)]
    const theirs = { ...host.user, subscriptionId: phone.id }
    await host.call(api.push.unsubscribe, theirs)
    expect((await stored()).devices.sort()).toEqual([phone.id, desktop.id].sort())
    await ask()
    await ada.call(api.push.unsubscribe, { ...ada.user, subscriptionId: phone.id })
    await ada.call(api.push.unsubscribe, { ...ada.user, subscriptionId: phone.id })
    expect(await stored()).toEqual({ devices: [desktop.id], messages: 1 })
    await send()
    expect([phone.notifications().length, desktop.notifications().length]).toEqual([0, 1])
  })

  test('PUSH-10: the same device is one, with its last keys, and belongs to who subscribed on it last', async () => {
    const { app, service, ada, ask, stored, send } = await askedByFriend(engine)
    const ben = await app.player({ name: 'Ben' })
    const device = await deviceOf(service, ada)
    const again = () => ben.call(api.push.subscribe, ben.user, device.subscription)
    const keys = { ...device.subscription.keys, auth: Buffer.alloc(16).toString('base64url') }
    const sent = { ...device.subscription, keys }
    expect(await ada.call(api.push.subscribe, ada.user, sent)).toEqual({
      subscription_id: device.id,
      is_refused: false,
    })
    const [row] = await app.db.selectFrom('push_subscriptions').selectAll().execute()
    expect(row).toMatchObject({ steam_id: ada.steam_id, auth: keys.auth, subscription_id: device.id })

    await ask()
    expect(await again()).toMatchObject({ subscription_id: device.id, is_refused: false })
    expect(await stored()).toEqual({ devices: [device.id], messages: 0 })
    await ask()
    await send()
    expect(service.requests).toEqual([])
  })

  test('PUSH-10, PUSH-16: a device that its user sends again keeps what waits for it, and its limit', async () => {
    const { app, clock, service, host, ada, ask, stored, send } = await askedByFriend(engine)
    const device = await deviceOf(service, ada)
    service.respond(() => ({ status: 503 }))
    const { night_id } = await ask()
    await send()
    // From another session: the device has signed out and in again.
    const other = app.callsOf(await app.signIn(ada.steam_id))
    const again = () => other.call(api.push.subscribe, ada.user, device.subscription)
    await again()
    expect(await stored()).toEqual({ devices: [device.id], messages: 1 })
    await ada.call(api.session.logOut, {})
    service.respond(() => ({ status: 201 }))
    clock.now += 30 * SECOND
    await send()
    expect(device.notifications()).toHaveLength(1)
    for (let nth = 1; nth <= 31; nth++) {
      const starts_at = new Date(clock.now + nth * HOUR).toISOString()
      await host.call(api.nights.change, { id: night_id }, { starts_at })
      await send()
      await again()
    }
    expect(device.received).toHaveLength(30)
  })

  test('PUSH-10: a user has ten devices, the oldest goes, and may add 30 in 24 hours', async () => {
    const { app, clock, service, ada, ask, send } = await askedByFriend(engine)
    const devices = []
    for (let nth = 0; nth < 11; nth++) {
      clock.now += SECOND
      devices.push(await deviceOf(service, ada))
    }
    await ask()
    await send()
    expect(devices.map((device) => device.notifications().length)).toEqual([0, ...Array<number>(10).fill(1)])
    for (let nth = 11; nth < 30; nth++) await deviceOf(service, ada)
    const { public_key } = await ada.call(api.push.key, {})
    const { subscription } = service.subscribe(public_key)
    expect(await ada.refusedWith(api.push.subscribe, ada.user, subscription)).toBe('too_many_requests')
    // One that is known is no other device.
    const known = await app.db.selectFrom('push_subscriptions').selectAll().executeTakeFirstOrThrow()
    const { endpoint, p256dh, auth } = known
    await ada.call(api.push.subscribe, ada.user, { endpoint, keys: { p256dh, auth } })
    clock.now += 24 * HOUR
    const back = { ...app.callsOf(await app.signIn(ada.steam_id)), steam_id: ada.steam_id }
    await deviceOf(service, back)
  })

  test('PUSH-10: a device gets at most 30 messages in an hour', async () => {
    const { app, clock, service, host, ada, ask, send } = await askedByFriend(engine)
    const device = await deviceOf(service, ada)
    const { night_id } = await ask()
    const move = async (nth: number) => {
      const starts_at = new Date(clock.now + nth * HOUR).toISOString()
      await host.call(api.nights.change, { id: night_id }, { starts_at })
      await send()
    }
    for (let nth = 1; nth <= 40; nth++) await move(nth)
    expect(device.received).toHaveLength(30)
    clock.now += HOUR
    await purgeExpired({ database: app.database, pictures: app.deps.pictures, clock: () => clock.now })
    await move(50)
    expect(device.received).toHaveLength(31)
  })
})

test('PUSH-1: an endpoint is checked again whenever a message is sent (rebinding)', async () => {
  const service = await startPushService()
  let addresses = ['127.0.0.1']
  const app = await startTestApp({ web: { ...service.web, lookup: async () => addresses } })
  const ada = await app.player()
  const ben = await app.player({ friends: [ada] })
  await deviceOf(service, ada)
  addresses = ['127.0.0.9']
  await ben.call(api.nights.start, {}, { steam_ids: [ada.steam_id] })
  await settleSends(app)
  expect(service.requests).toEqual([])
  const waiting = await app.db.selectFrom('push_messages').selectAll().execute()
  expect(waiting).toMatchObject([{ attempts: 1, done_at: null }])
})

test('PUSH-3: nobody is subscribed who signs out while the endpoint is looked up', async () => {
  const service = await startPushService()
  let meanwhile = async () => {}
  const lookup = async () => {
    await meanwhile()
    return ['127.0.0.1']
  }
  const app = await startTestApp({ web: { ...service.web, lookup } })
  const ada = await app.player()
  meanwhile = async () => void (await ada.call(api.session.logOut, {}))
  const { subscription } = service.subscribe('')
  expect(await ada.refused(api.push.subscribe, ada.user, subscription)).toMatchObject({ status: 401 })
  expect(await app.db.selectFrom('push_subscriptions').selectAll().execute()).toEqual([])
})
