/**
 * Whom the simulator serves. It listens beside people's browsers and has no passwords, so that pages of other sites
 * must not get at it: not under a name of theirs that leads to this machine (DNS rebinding), and not with a form of
 * theirs that changes something here.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/** Whether a request names the simulator as only its own visitors do: by an address, `localhost`, or `listensOn`. */
export function comesToUs({ host = '' }: IncomingHttpHeaders, listensOn: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return hostname === 'localhost' || hostname === listensOn || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}

/**
 * Whether a request comes from the simulator's own pages or from a program. Browsers say where a form or script
 * comes from, programs say nothing.
 */
export function comesFromUs({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin === `http://${host}`
}
