/** Devices of players at a push service, for tests of the server. */
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { pathOf } from '#shared/path.ts'
import { api, nextSteamId, startTestApp, type TestApp, type TestPlayer } from './app.ts'
import type { EngineName } from './databases.ts'
import { friendsWithGames, startInGroup } from './nights.ts'
import { type Device, openPushService, type PushService } from './push-service.ts'

/** A push service for the length of a test. */
export async function startPushService(): Promise<PushService> {
  const service = await openPushService()
  onTestFinished(service.close)
  return service
}

/** A new device of a player, who switches notifications on. @param headers of the browser */
export async function deviceOf(
  service: PushService,
  player: Pick<TestPlayer, 'steam_id' | 'call' | 'request'>,
  headers: Record<string, string> = {},
): Promise<Device & { id: string }> {
  const { public_key } = await player.call(api.push.key, {})
  const device = service.subscribe(public_key)
  const response = await player.request(pathOf(api.push.subscribe.path, { steamId: player.steam_id }), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(device.subscription),
  })
  if (response.status !== 201) throw new Error(`a device was refused: ${await response.text()}`)
  const { subscription_id } = (await response.json()) as { subscription_id: string }
  return { ...device, id: subscription_id }
}

/** Announces what starts, and sends until nothing is due. */
export async function settleSends(app: TestApp): Promise<void> {
  while ((await app.deps.messages.runOnce()) > 0);
}

export const NOW = Date.UTC(2026, 5, 1, 12)

/** A host, who is an operator too, can ask Ada to nights; nothing is sent before `send`. */
export async function askedByFriend(engine: EngineName, options: { webhookTimeoutMs?: number } = {}) {
  const clock = { now: NOW }
  const lines: string[] = []
  const service = await startPushService()
  const operator = nextSteamId()
  const app = await startTestApp({
    engine,
    clock: () => clock.now,
    web: service.web,
    env: { OPERATORS: operator },
    logger: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
    ...options,
  })
  const ada = await app.player({ name: 'Ada' })
  const host = await app.player({ name: 'Host', friends: [ada], steamId: operator })
  const ask = () => host.call(api.nights.start, {}, { steam_ids: [ada.steam_id] })
  /** What is stored of devices and their messages. */
  const stored = async () => ({
    devices: (
      await app.database.queries.selectFrom('push_subscriptions').select('subscription_id').execute()
    ).map((row) => row.subscription_id),
    messages: (await app.database.queries.selectFrom('push_messages').select('message_id').execute()).length,
  })
  const send = () => settleSends(app)
  return { app, clock, lines, service, host, ada, ask, stored, send }
}

/**
 * A host, Ada and Ben, and further players, in a group; the three have a device each. `news` sends what is due, from these
 * servers, and returns what each device has got since the last time.
 */
export async function groupWithDevices(engine: EngineName, players = 3) {
  const clock = { now: NOW }
  const service = await startPushService()
  const app = await startTestApp({ engine, clock: () => clock.now, web: service.web })
  const { host, others, groupId, appids } = await friendsWithGames(app, players)
  const [ada, ben, cleo] = others as [TestPlayer, TestPlayer, TestPlayer?]
  const devices = {
    host: await deviceOf(service, host),
    ada: await deviceOf(service, ada),
    ben: await deviceOf(service, ben),
  }
  const start = (rest: object = {}) => startInGroup(host, groupId, rest)
  const seen = { host: 0, ada: 0, ben: 0 }
  const news = async (...from: TestApp[]) => {
    await Promise.all((from.length > 0 ? from : [app]).map(settleSends))
    return Object.fromEntries(
      Object.entries(devices).map(([name, device]) => {
        const all = device.notifications()
        const before = seen[name as keyof typeof seen]
        seen[name as keyof typeof seen] = all.length
        return [name, all.slice(before).map(({ body }) => body)]
      }),
    )
  }
  return { app, clock, service, host, ada, ben, cleo, devices, groupId, appids, start, news }
}

/** What `news` says when nobody has got anything. */
export const nobody = { host: [], ada: [], ben: [] }
