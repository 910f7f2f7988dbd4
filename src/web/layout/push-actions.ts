/** Turning notifications on this device on and off, with outcomes as notices show them. */
import { useTurnOff, useTurnOn } from '../data/push.ts'
import { notifications as texts } from 'virtual:texts'
import { useAsyncAction, type Outcome } from '../ui/forms/async-action.tsx'
import { failedOutcome } from './call-action.ts'

/** Handlers for buttons; what the browser refuses is an outcome too. */
export function useDeviceActions(steamId: string) {
  const turningOn = useTurnOn(steamId)
  const turningOff = useTurnOff(steamId)
  const { busy, outcome, start } = useAsyncAction()

  async function on(): Promise<Outcome> {
    try {
      const state = await turningOn.mutateAsync()
      return state === 'on'
        ? { tone: 'success', text: texts.turnedOn }
        : { tone: 'error', text: texts.notAllowed }
    } catch (error) {
      const failed = failedOutcome(texts.turnOnFailed, error)
      // What the browser says of its push service is for developers.
      return error instanceof DOMException ? { ...failed, reason: texts.noPushService } : failed
    }
  }

  async function off(): Promise<Outcome> {
    try {
      await turningOff.mutateAsync()
      return { tone: 'success', text: texts.turnedOff }
    } catch (error) {
      return failedOutcome(texts.turnOffFailed, error)
    }
  }
  return { busy, outcome, turnOn: () => void start(on), turnOff: () => void start(off) }
}
