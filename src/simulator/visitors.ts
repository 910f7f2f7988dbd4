/**
 * Protects the simulator from pages of other sites. It has no passwords and is reachable by the browsers on its
 * machine, so it rejects foreign host names that resolve to it (DNS rebinding) and foreign forms (cross-site request
 * forgery).
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/** Whether the `Host` header is an IP address, `localhost` or the host that the simulator listens on. */
export function hasOwnHost({ host = '' }: IncomingHttpHeaders, listenHost: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return hostname === 'localhost' || hostname === listenHost || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}

/**
 * Whether a request comes from the simulator's own pages or from a program. Browsers send `Origin` and
 * `Sec-Fetch-Site`; programs send neither.
 */
export function isSameOrigin({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin === `http://${host}`
}
