/** A receiver of webhooks, and a push service, for the length of a test. */
import { onTestFinished } from 'vitest'
import { openPushService } from './push-service.ts'
import { openReceiver } from './receiver.ts'

export async function startReceiver() {
  const receiver = await openReceiver()
  onTestFinished(receiver.close)
  return receiver
}

export async function startPushService() {
  const service = await openPushService()
  onTestFinished(service.close)
  return service
}
