/** A receiver of webhooks for the length of a test. */
import { onTestFinished } from 'vitest'
import { openReceiver } from './receiver.ts'

export async function startReceiver() {
  const receiver = await openReceiver()
  onTestFinished(receiver.close)
  return receiver
}
