/**
 * Heavy requests wait for slots of their user (LIM-22), so that one account does not keep all others waiting. Here is when
 * such a slot is given back.
 */
import type { ServerResponse } from 'node:http'
import type { GiveBack } from '../slots.ts'

/** A larger response holds its slot until the client has received it; the slot then rests before its next use. */
export const LARGE_BYTES = 1024 * 1024
/**
 * Rest per megabyte, in milliseconds. Building a megabyte takes about twenty, so a user who requests large responses
 * continuously gets about a seventh of the process.
 */
const REST_MS_PER_MEGABYTE = 250
const REST_MAX_MS = 2000

/**
 * Gives the slot of a request back, whose work is done or has failed.
 * @param bytes of the response that was built, 0 for none
 */
export function giveBackAfter(response: ServerResponse, bytes: number, giveBack: GiveBack): void {
  const rest = () => {
    if (bytes <= LARGE_BYTES) return giveBack()
    setTimeout(giveBack, Math.min(REST_MAX_MS, (bytes / LARGE_BYTES) * REST_MS_PER_MEGABYTE)).unref()
  }
  const isReceived = response.writableEnded && response.writableLength <= LARGE_BYTES
  if (isReceived || response.destroyed) rest()
  else response.once('close', rest)
}
