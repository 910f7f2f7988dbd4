/**
 * Protects the simulator from pages of other sites (DEMO-5). It has no passwords and is reachable by the browsers on its
 * machine, so it rejects foreign host names that resolve to it (DNS rebinding) and foreign forms (cross-site request
 * forgery).
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/** Whether the `Host` header is an IP address, `localhost` or the simulator's own host name. */
export function hasOwnHost({ host = '' }: IncomingHttpHeaders, ownHost: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return hostname === 'localhost' || hostname === ownHost || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}

/**
 * Whether a request comes from the simulator's own pages or from a program. Browsers send `Origin` and
 * `Sec-Fetch-Site`; programs send neither.
 * @param ownOrigin the origin of the pages, which a proxy may serve with https
 */
export function isSameOrigin(
  { origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders,
  ownOrigin: string,
): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin === `http://${host}` || origin === ownOrigin
}
