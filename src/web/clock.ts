/** The time by the server, where the clock of this device is wrong (PAGE-37). */
import { useSyncExternalStore } from 'react'

/** Clocks that differ less are taken for right. */
const RIGHT_MS = 3 * 60_000

/** How far this device's clock is ahead of the server's, in milliseconds; 0 while it is right. */
let ahead = 0
const listeners = new Set<() => void>()

/**
 * Called with every response. Its time lies between the request and now, however long the device slept in between.
 * @param sentAt when it was requested, by this device
 */
export function noteServerTime(response: Pick<Response, 'headers'>, sentAt: number): void {
  const at = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(at)) return
  const now = Date.now()
  const isRight = at > sentAt - RIGHT_MS && at < now + RIGHT_MS
  // Not for each second that a response takes longer or shorter.
  if (isRight ? ahead === 0 : Math.abs(now - at - ahead) < RIGHT_MS && ahead !== 0) return
  ahead = isRight ? 0 : now - at
  for (const listener of listeners) listener()
}

/** Milliseconds since 1970. */
export const serverNow = (): number => Date.now() - ahead

/** How far this device's clock is ahead of the server's, in milliseconds; 0 while it is right. */
export const useClockError = (): number => useSyncExternalStore(onClock, () => ahead)

export function onClock(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
