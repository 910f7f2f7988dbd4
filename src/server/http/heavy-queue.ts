/**
 * Heavy requests wait for slots of their user (LIM-22), so that one account does not keep all others waiting. Here is when
 * such a slot is given back.
 */
import type { ServerResponse } from 'node:http'
import type { GiveBack } from '../slots.ts'

/** A larger response holds its slot until the client has received it, because it takes that much memory for as long. */
export const LARGE_BYTES = 1024 * 1024
/** After long work a slot rests, for so many times as long: who always has some gets a quarter of the process. */
const REST_FACTOR = 3
const REST_MAX_MS = 2000
/** Work below this takes no rest. */
const LONG_WORK_MS = 10

/**
 * Gives the slot of a request back, whose work is done or has failed.
 * @param startedAt when it got the slot, by `performance.now()`
 */
export function giveBackAfter(response: ServerResponse, startedAt: number, giveBack: GiveBack): void {
  const rest = () => {
    const worked = performance.now() - startedAt
    if (worked < LONG_WORK_MS) return giveBack()
    setTimeout(giveBack, Math.min(REST_MAX_MS, worked * REST_FACTOR)).unref()
  }
  const isReceived = response.writableEnded && response.writableLength <= LARGE_BYTES
  if (isReceived || response.destroyed) rest()
  else response.once('close', rest)
}
