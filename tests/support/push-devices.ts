/** Devices of players at a push service, for tests of the server. */
import { onTestFinished } from 'vitest'
import { pathOf } from '#shared/contract/endpoint.ts'
import { pushContract } from '#shared/contract/push.ts'
import type { TestApp, TestPlayer } from './app.ts'
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
  const { public_key } = await player.call(pushContract.key, {})
  const device = service.subscribe(public_key)
  const response = await player.request(pathOf(pushContract.subscribe.path, { steamId: player.steam_id }), {
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
