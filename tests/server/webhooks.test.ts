/** Messages about game nights to the webhooks of groups (NIGHT-67 to NIGHT-74). */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { WebhookFormat } from '#shared/contract/webhooks.ts'
import { fetchPublic } from '../../src/server/pictures/web-fetch.ts'
import { claimMessages } from '../../src/server/storage/notifications/outbox.ts'
import { purgeExpired } from '../../src/server/sync/engine.ts'
import { api, engines, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { startReceiver } from '../support/hooks.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 5, 1, 12)
const iso = (time: number) => new Date(time).toISOString()

/** A group with a webhook, a receiver and a clock. */
async function begin(
  engine: (typeof engines)[number],
  format: WebhookFormat = 'json',
  options: { webhookTimeoutMs?: number } = {},
) {
  const clock = { now: NOW }
  const receiver = await startReceiver()
  const app = await startTestApp({ engine, clock: () => clock.now, web: receiver.web, ...options })
  const people = await friendsWithGames(app, 2)
  const { host, groupId } = people
  const of = { id: groupId }
  const set = (rest: object = {}) => host.call(api.webhooks.set, of, { url: receiver.url, format, ...rest })
  const hook = await set()
  const start = (rest: object = {}) => host.call(api.nights.start, {}, { group_id: groupId, ...rest })
  const read = async () => (await host.call(api.webhooks.read, of))!
  return { app, clock, receiver, ...people, of, hook, set, start, read }
}
const send = (app: TestApp) => app.deps.messages.runOnce()

describe.each(engines)('a webhook (%s)', (engine) => {
  test('NIGHT-68: is told when a night is planned, moved, starts, is decided and is cancelled', async () => {
    const { app, clock, receiver, host, groupId, appids, start } = await begin(engine)
    const night = await start({ starts_at: iso(NOW + DAY), title: 'Friday' })
    const id = { id: night.night_id }
    await host.call(api.nights.change, id, { starts_at: iso(NOW + 2 * HOUR) })
    // A title is no news.
    await host.call(api.nights.change, id, { title: 'Today' })
    for (let sent = 1; sent > 0;) sent = await send(app)
    clock.now = NOW + 2 * HOUR
    await send(app)
    await send(app)
    await inNight(night, host).vote([{ appid: appids[0]!, mark: 'want' }])
    const { url } = (await host.call(api.invites.ofNight, id))!
    await host.call(api.invites.switchOffOfNight, id)
    await inNight(night, host).close()
    await send(app)
    const other = await start()
    await inNight(other, host).cancel()
    for (let sent = 1; sent > 0;) sent = await send(app)

    // Who reads it joins by it; where that is switched off, it is the night's own page.
    expect(url).toContain('/join/')
    const about = { night_id: night.night_id, url, in: 1, times: [], lacking: 0 }
    expect(receiver.bodies()).toEqual([
      {
        event: 'night.planned',
        text: 'A game night is planned (Friday).',
        group: { group_id: groupId, name: 'Friday' },
        night: { ...about, title: 'Friday', starts_at: iso(NOW + DAY), pick: null },
      },
      expect.objectContaining({
        event: 'night.moved',
        night: { ...about, title: 'Friday', starts_at: iso(NOW + 2 * HOUR), pick: null },
      }),
      expect.objectContaining({ event: 'night.started', text: 'The game night starts now (Today).' }),
      expect.objectContaining({
        event: 'night.decided',
        text: 'The game night is decided (Today): Portal.',
        night: expect.objectContaining({
          url: `${app.url}/nights/${night.night_id}`,
          pick: expect.objectContaining({ appid: appids[0], name: 'Portal' }) as unknown,
        }) as unknown,
      }),
      expect.objectContaining({ event: 'night.started' }),
      expect.objectContaining({ event: 'night.cancelled', text: 'The game night is cancelled (Friday).' }),
    ])
  })

  test('NIGHT-70: gets messages signed with its secret, each with a key of its own', async () => {
    const { app, receiver, hook, start, read } = await begin(engine)
    await start()
    await send(app)
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]]
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-shelfmates-signature']))!
    expect(Number(t)).toBe(NOW / 1000)
    expect(v1).toBe(createHmac('sha256', hook.secret).update(`${t}.${body}`).digest('hex'))
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Shelfmates/1.0 (webhooks)',
    })
    expect(headers['idempotency-key']).toMatch(/^\d+-\d+$/)
    expect(await read()).toMatchObject({ last_ok_at: iso(NOW), last_error: null, waiting: 0 })
  })

  test('NIGHT-71: is tried six times within about an hour, and then the message is given up', async () => {
    const { app, clock, receiver, start, read } = await begin(engine)
    receiver.respond(() => ({ status: 500 }))
    await start()
    expect(await send(app)).toBe(1)
    expect(await send(app)).toBe(0)
    const times = [0]
    for (; clock.now <= NOW + 2 * HOUR; clock.now += 10 * SECOND)
      if ((await send(app)) > 0) times.push((clock.now - NOW) / SECOND)
    expect(times).toEqual([0, 30, 150, 510, 1410, 3600])
    expect(new Set(receiver.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(await read()).toMatchObject({
      last_ok_at: null,
      last_error: 'The address responded with 500. A message was not delivered.',
      last_error_at: iso(NOW + HOUR),
      waiting: 0,
    })
  })

  test('NIGHT-71: may ask for a pause; a refusal of the message itself is not repeated; redirects are not followed', async () => {
    const { app, clock, receiver, start, read } = await begin(engine)
    receiver.respond(() => ({ status: 429, headers: { 'retry-after': '100.5' } }))
    await start()
    await send(app)
    expect(await read()).toMatchObject({ last_error: 'The address responded with 429.', waiting: 1 })
    clock.now += 100 * SECOND
    expect(await send(app)).toBe(0)
    clock.now += SECOND
    receiver.respond(() => ({ status: 200 }))
    expect(await send(app)).toBe(1)
    expect(await read()).toMatchObject({ last_error: null, waiting: 0 })

    for (const [status, text] of [
      [400, 'The address responded with 400. A message was not delivered.'],
      [404, 'The address responded with 404. A message was not delivered.'],
      [302, 'The address redirects. A message was not delivered.'],
    ] as const) {
      receiver.respond(() => ({ status, headers: { location: '/elsewhere' } }))
      await start()
      await send(app)
      expect(await read()).toMatchObject({ last_error: text, waiting: 0 })
    }
    expect(receiver.received.map(({ path }) => path)).not.toContain('/elsewhere')
  })

  test('NIGHT-71: a retried message comes before newer ones, and not at all when it is no longer true', async () => {
    const { app, clock, receiver, host, start, read } = await begin(engine)
    const said = () => receiver.bodies().map(({ event }) => event)
    receiver.respond(() => ({ status: 503 }))
    const moved = await start({ starts_at: iso(NOW + DAY) })
    const stays = await start({ starts_at: iso(NOW + DAY), title: 'Stays' })
    await send(app)
    await host.call(api.nights.change, { id: moved.night_id }, { starts_at: iso(NOW + 2 * DAY) })
    await inNight(moved, host).cancel()
    // One address is not tried with what comes after.
    for (let round = 0; round < 3; round++) await send(app)
    expect(said()).toEqual(['night.planned'])
    expect(await read()).toMatchObject({ waiting: 4 })

    clock.now += MINUTE
    receiver.respond(() => ({ status: 200 }))
    for (let sent = 1; sent > 0;) sent = await send(app)
    expect(said().slice(1)).toEqual(['night.planned', 'night.cancelled'])
    expect(receiver.bodies()[1]).toMatchObject({ night: { night_id: stays.night_id } })
    expect(await read()).toMatchObject({ waiting: 0, last_error: null })
  })

  test('NIGHT-71: messages that waited for one that was given up are not tried for hours', async () => {
    const { app, clock, receiver, start, read } = await begin(engine)
    receiver.respond(() => ({ status: 503 }))
    for (let nth = 0; nth < 5; nth++) await start({ starts_at: iso(NOW + DAY) })
    for (; clock.now <= NOW + 61 * MINUTE; clock.now += 10 * SECOND) await send(app)
    expect(receiver.received).toHaveLength(6 + 4)
    expect(await read()).toMatchObject({ waiting: 0 })
  })

  test('NIGHT-69: in Discord’s format an address without a dot is written out, and a test is like what follows', async () => {
    const { app, receiver, host, of, start } = await begin(engine, 'discord')
    await host.call(api.webhooks.test, of)
    await send(app)
    const night = await start()
    await send(app)
    const embeds = receiver.bodies().map((body) => (body as { embeds: object[] }).embeds)
    const invite = await host.call(api.invites.ofNight, { id: night.night_id })
    expect(app.url).toMatch(/^http:\/\/localhost:/)
    expect(embeds).toEqual([
      [{ title: 'Friday', description: app.url }],
      [
        {
          title: 'Friday',
          description: `<t:${NOW / 1000}:F>\n1 in · Friday\n${invite!.url}`,
        },
      ],
    ])
  })

  test('NIGHT-74: gets what a killed server had committed or begun, with the same key, and once from two servers', async () => {
    const { app, clock, receiver, start } = await begin(engine)
    const other = await startTestApp({ engine, besides: app, clock: () => clock.now, web: receiver.web })
    await start()
    // A server claims the message and is killed.
    const lost = await claimMessages(app.database, 'messages', {
      now: clock.now,
      leaseMs: 30 * SECOND,
      limit: 8,
    })
    expect(lost).toHaveLength(1)
    expect(await send(other)).toBe(0)
    clock.now += 30 * SECOND
    expect(await send(other)).toBe(1)
    expect(receiver.received[0]!.headers['idempotency-key']).toBe(
      `${lost[0]!.webhook_id}-${lost[0]!.message_id}`,
    )

    await start()
    await start({ starts_at: iso(clock.now + HOUR), title: 'Later' })
    clock.now += HOUR
    for (let round = 0; round < 4; round++) await Promise.all([send(app), send(other)])
    const keys = receiver.received.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(keys.length)
    expect(
      receiver
        .bodies()
        .map(({ event }) => event)
        .sort(),
    ).toEqual(['night.planned', 'night.started', 'night.started', 'night.started'])
  })

  test('NIGHT-72: gets at most 30 messages of a group in an hour', async () => {
    const { app, clock, receiver, host, of, start, read } = await begin(engine)
    for (let nth = 0; nth < 30; nth++) await host.call(api.webhooks.test, of)
    expect(await host.refusedWith(api.webhooks.test, of)).toBe('message_limit_reached')
    await start()
    expect(await read()).toMatchObject({
      waiting: 30,
      last_error: 'More than 30 messages in an hour: some were not sent.',
    })
    for (let sent = 1; sent > 0;) sent = await send(app)
    expect(receiver.received).toHaveLength(30)
    await purge(app, clock.now)
    expect((await host.refused(api.webhooks.test, of)).status).toBe(429)
    clock.now += HOUR
    await purge(app, clock.now)
    expect(await app.db.selectFrom('messages').selectAll().execute()).toEqual([])
    await host.call(api.webhooks.test, of)
  })

  test('NIGHT-71: that never responds: each attempt ends in time, and at last the message is given up', async () => {
    const { app, clock, receiver, start, read } = await begin(engine, 'json', { webhookTimeoutMs: 300 })
    receiver.respond(() => undefined)
    await start()
    for (let attempts = 1; attempts <= 6; attempts++) {
      expect(await send(app)).toBe(1)
      expect(receiver.received).toHaveLength(attempts)
      expect((await read()).last_error).toMatch(/^The address took too long to respond\./)
      clock.now += HOUR
    }
    expect(await send(app)).toBe(0)
    expect(await read()).toMatchObject({
      waiting: 0,
      last_error: 'The address took too long to respond. A message was not delivered.',
    })
    expect(new Set(receiver.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test('NIGHT-67: with a new address has a new secret and none of the waiting messages; removed, nothing is left', async () => {
    const { app, receiver, host, of, hook, set, start, read } = await begin(engine)
    await start()
    const same = await set({ format: 'discord' })
    expect(same).toMatchObject({ secret: hook.secret, format: 'discord', waiting: 1 })
    const moved = await set({ url: `${receiver.url}/other` })
    expect(moved.secret).not.toBe(hook.secret)
    expect(moved.waiting).toBe(0)
    expect(await send(app)).toBe(0)
    await start()
    await host.call(api.webhooks.remove, of)
    expect(await send(app)).toBe(0)
    expect(await host.call(api.webhooks.read, of)).toBeNull()
    expect(await host.refusedWith(api.webhooks.test, of)).toBe('webhook_not_found')
    await set()
    await start()
    const exported = JSON.stringify(await host.call(api.privacy.exportAll, host.user))
    expect(exported).toContain('"webhooks":[{')
    expect(exported).not.toContain('hooks.test')
    expect((await read()).waiting).toBe(1)
    await host.call(api.privacy.deleteAccount, host.user)
    for (const table of ['webhooks', 'messages'] as const)
      expect(await app.db.selectFrom(table).selectAll().execute()).toEqual([])
    expect(receiver.received).toEqual([])
  })
})

const purge = (app: TestApp, now: number) =>
  purgeExpired({ database: app.database, pictures: app.deps.pictures, clock: () => now })

describe('the address of a webhook', () => {
  async function ownerWith(
    lookup: (host: string) => string[],
    options: { env?: Record<string, string>; ca?: string } = {},
  ) {
    const { env = {}, ...access } = options
    const app = await startTestApp({ web: { lookup: async (host) => lookup(host), ...access }, env })
    const owner = await app.player()
    const { group_id } = await app.group({ owner })
    return { app, owner, of: { id: group_id } }
  }
  const refusal = (owner: TestPlayer, of: { id: number }, url: string) =>
    owner.refused(api.webhooks.set, of, { url, format: 'json' })

  test('NIGHT-67: must be https, on the public internet and found', async () => {
    const { owner, of } = await ownerWith((host) => (host === 'inside.test' ? ['10.0.0.1'] : []))
    const https = 'The webhook URL must be an https URL.'
    const outside = 'The webhook URL must be on the public internet.'
    for (const [url, error] of [
      ['http://1.1.1.1/', https],
      ['ftp://1.1.1.1/', https],
      ['javascript:alert(1)', https],
      ['hooks.example.org', https],
      ['https://1.1.1.1/a b', https],
      ['https://1.1.1.1\\@example.org/', https],
      ['https://me:secret@1.1.1.1/', 'The webhook URL must not contain a user name or password.'],
      ['https://127.0.0.1/', outside],
      ['https://127.1/', outside],
      ['https://2130706433/', outside],
      ['https://[::1]/', outside],
      ['https://[::ffff:127.0.0.1]/', outside],
      ['https://169.254.169.254/latest/meta-data', outside],
      ['https://192.168.0.1/', outside],
      ['https://inside.test/', outside],
      ['https://1.1.1.1:22/', outside],
      ['https://1.1.1.1:8443/', outside],
      ['https://nowhere.test/', 'The host of the webhook URL cannot be found.'],
    ] as const)
      expect(await refusal(owner, of, url), url).toMatchObject({
        status: 400,
        code: 'invalid_webhook_url',
        field: 'url',
        error,
      })
    expect((await refusal(owner, of, `https://1.1.1.1/${'x'.repeat(2048)}`)).code).toBe('invalid_input')
    expect(await owner.call(api.webhooks.read, of)).toBeNull()
  })

  test('NIGHT-67: is checked again whenever a message is sent (rebinding)', async () => {
    let addresses = ['1.1.1.1']
    const { app, owner, of } = await ownerWith(() => addresses)
    await owner.call(api.webhooks.set, of, { url: 'https://hooks.test/', format: 'json' })
    addresses = ['127.0.0.1']
    await owner.call(api.webhooks.test, of)
    await send(app)
    expect(await owner.call(api.webhooks.read, of)).toMatchObject({
      last_error: 'The address is not on the public internet.',
      waiting: 1,
    })
  })

  test('OPS-44: may be one inside that WEBHOOK_ALLOW names, with exactly that host and port', async () => {
    const inside = (host: string) => (host.endsWith('.lan') ? ['10.0.0.1'] : [])
    const { owner, of } = await ownerWith(inside, {
      env: { WEBHOOK_ALLOW: '192.168.1.5:8443,ntfy.lan:443,plain.lan:8080' },
    })
    for (const [url, stored] of [
      ['https://192.168.1.5:8443/hook', 'https://192.168.1.5:8443/hook'],
      ['https://0xc0.168.261:8443/hook', 'https://192.168.1.5:8443/hook'],
      ['https://NTFY.lan/topic', 'https://ntfy.lan/topic'],
      ['http://plain.lan:8080/', 'http://plain.lan:8080/'],
    ] as const)
      expect(await owner.call(api.webhooks.set, of, { url, format: 'json' })).toMatchObject({
        url: stored,
      })
    const https = 'The webhook URL must be an https URL.'
    const outside = 'The webhook URL must be on the public internet.'
    for (const [url, error] of [
      ['https://192.168.1.5/hook', outside],
      ['https://192.168.1.5:8444/hook', outside],
      ['https://192.168.1.6:8443/hook', outside],
      ['https://[::ffff:192.168.1.5]:8443/hook', outside],
      ['https://ntfy.lan:8443/', outside],
      ['https://ntfy.lan./', 'The host of the webhook URL cannot be found.'],
      ['https://a.ntfy.lan/', outside],
      ['https://other.lan/', outside],
      ['https://ntfy.lan@127.0.0.1/', 'The webhook URL must not contain a user name or password.'],
      ['http://ntfy.lan/', https],
      ['http://192.168.1.5:8080/', https],
      ['ftp://plain.lan:8080/', https],
      ['http://1.1.1.1/', https],
    ] as const)
      expect(await refusal(owner, of, url), url).toMatchObject({ code: 'invalid_webhook_url', error })
  })

  test('OPS-44: an allowed host is resolved once for a message, which goes to that address; redirects lead nowhere', async () => {
    const [receiver, elsewhere] = [await startReceiver(), await startReceiver()]
    const host = `hooks.test:${receiver.port}`
    const asked: string[] = []
    const { app, owner, of } = await ownerWith(
      (name) => {
        asked.push(name)
        // Another address each time after the first: on a second look-up the message would go nowhere.
        return [asked.length === 1 ? '127.0.0.1' : '127.0.0.9']
      },
      {
        env: { WEBHOOK_ALLOW: `${host},hooks.test:${elsewhere.port}` },
        ca: receiver.web.ca!,
      },
    )
    await owner.call(api.webhooks.set, of, { url: `https://${host}/nights`, format: 'json' })
    asked.length = 0
    receiver.respond(() => ({
      status: 307,
      headers: { location: `https://hooks.test:${elsewhere.port}/inside` },
    }))
    await owner.call(api.webhooks.test, of)
    await send(app)
    expect(asked).toEqual(['hooks.test'])
    expect(receiver.received.map(({ path }) => path)).toEqual(['/nights'])
    expect(elsewhere.received).toEqual([])
    expect((await owner.call(api.webhooks.read, of))?.last_error).toBe(
      'The address redirects. A message was not delivered.',
    )
  })

  test('OPS-44: what is allowed for webhooks is not for pictures', async () => {
    const paths: string[] = []
    const server = createServer((request, response) => {
      paths.push(`${request.method} ${request.url}`)
      response.writeHead(200, { 'content-type': 'image/png' }).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const app = await startTestApp({ fetchPublic, env: { WEBHOOK_ALLOW: `127.0.0.1:${port}` } })
    const owner = await app.player()
    const of = { id: (await app.group({ owner })).group_id }
    const inside = `http://127.0.0.1:${port}`
    const picture = { picture_url: `${inside}/picture.png` }
    const { picture_image_url } = await owner.call(api.groups.setPicture, of, picture)
    expect((await fetch(`${app.url}${picture_image_url}`)).status).toBe(204)
    await owner.call(api.webhooks.set, of, { url: `${inside}/hook`, format: 'json' })
    await owner.call(api.webhooks.test, of)
    await send(app)
    expect(paths).toEqual(['POST /hook'])
  })

  test('NIGHT-72: can be set 20 times a day', async () => {
    const { owner, of } = await ownerWith(() => ['1.1.1.1'])
    const body = { url: 'https://hooks.test/', format: 'json' } as const
    for (let nth = 0; nth < 20; nth++) await owner.call(api.webhooks.set, of, body)
    expect(await owner.refusedWith(api.webhooks.set, of, body)).toBe('webhook_limit_reached')
  })
})
