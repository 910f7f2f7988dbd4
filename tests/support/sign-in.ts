/** The real sign-in as a browser does it, cookies included; for a server in this process or another. */
import type { Simulator } from '../../src/simulator/simulator.ts'

/** A cookie as the server set it, and as a browser sends it back. */
export type SetCookie = { header: string; cookie: string }

/** What a browser holds after Steam's page sent it back: cookies, and where it is to go. */
export type Return = {
  state: SetCookie
  browser: SetCookie
  /** The landing page with the hand-over token, or the login page. */
  landing: string
}

/** A hand-over token and the cookie of the browser that it belongs to. */
export type Handover = { steamId: string; token: string; cookie: string }

/** What sends requests: `fetch`, or a connection of another kind. */
export type Send = (url: string, init?: RequestInit) => Promise<Response>

/**
 * Starts a sign-in; returns the state cookie and the return_to of Steam.
 * @param publicUrl the URL that browsers see; `at`: the URL to send the request to, if different
 */
export async function begin(
  publicUrl: string,
  at = publicUrl,
  send: Send = fetch,
): Promise<{ state: SetCookie; returnTo: string }> {
  const start = await send(`${at}/auth/steam`, {
    redirect: 'manual',
    headers: at === publicUrl ? {} : forwardedFor(publicUrl),
  })
  const returnTo = new URL(start.headers.get('location')!).searchParams.get('openid.return_to')!
  return { state: cookieOf(start, 'sign_in'), returnTo }
}

/**
 * Goes to Steam and back as this player, without swapping the token.
 * @param backAt the URL of the server that Steam's page sends the browser back to, if different
 */
export async function comeBack(
  simulator: Simulator,
  steamId: string,
  publicUrl: string,
  at = publicUrl,
  backAt = at,
  send: Send = fetch,
): Promise<Return> {
  const { state, returnTo } = await begin(publicUrl, at, send)
  const address = simulator.assertionFor(steamId, returnTo).replace(publicUrl, backAt)
  const back = await send(address, { headers: { cookie: state.cookie }, redirect: 'manual' })
  return { state, browser: cookieOf(back, 'browser'), landing: back.headers.get('location') ?? '' }
}

/** The hand-over token of a successful return. */
export function handoverOf(steamId: string, { browser, landing }: Return): Handover {
  const token = new URL(landing).searchParams.get('token')
  if (!token) throw new Error(`sign-in led to ${landing}`)
  return { steamId, token, cookie: browser.cookie }
}

/** Calls POST /auth/session; returns the status, and the lasting token or the error. */
export async function swap(
  url: string,
  { token, cookie }: { token: string; cookie?: string | undefined },
  send: Send = fetch,
): Promise<{ status: number; token: string; error: string }> {
  const response = await send(`${url}/auth/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...(cookie !== undefined && { cookie }) },
  })
  return { status: response.status, ...((await response.json()) as { token: string; error: string }) }
}

/**
 * Signs a player in and returns the lasting token.
 * @param nextServer where the requests go, one after another
 */
export async function signInAt(
  url: string,
  simulator: Simulator,
  steamId: string,
  nextServer = () => url,
  send: Send = fetch,
): Promise<string> {
  const back = await comeBack(simulator, steamId, url, nextServer(), nextServer(), send)
  const swapped = await swap(nextServer(), handoverOf(steamId, back), send)
  if (swapped.status !== 200) throw new Error(`the swap responded with ${swapped.status}: ${swapped.error}`)
  return swapped.token
}

/**
 * Signs in as the first player of the simulator's sign-in page, by its form; returns the player and the lasting token.
 * @param send for the server's own URLs; the simulator may be elsewhere
 */
export async function signInByPages(origin: string, send: Send = fetch) {
  const visit: Send = (url, init) =>
    (url.startsWith(origin) ? send : fetch)(url, { redirect: 'manual', ...init })
  const start = await visit(`${origin}/auth/steam`)
  const page = start.headers.get('location')!
  const html = await (await visit(page)).text()
  const [, action, form] = /<form action="([^"]*)" method="post">([^]*?)<\/form>/.exec(html)!
  const fields = new URLSearchParams()
  for (const [, name, value] of form!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g))
    fields.set(name!, value!.replaceAll('&amp;', '&'))
  const steamId = /name="steamid" value="(\d+)"/.exec(form!)![1]!
  fields.set('steamid', steamId)
  const chosen = await visit(new URL(action!, page).href, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(page).origin },
    body: fields.toString(),
  })
  const back = await visit(chosen.headers.get('location')!, {
    headers: { cookie: cookieOf(start, 'sign_in').cookie },
  })
  const handover = handoverOf(steamId, {
    state: cookieOf(start, 'sign_in'),
    browser: cookieOf(back, 'browser'),
    landing: back.headers.get('location') ?? '',
  })
  const { status, token } = await swap(origin, handover, send)
  if (status !== 200) throw new Error(`the swap responded with ${status}`)
  return { steamId, token }
}

function forwardedFor(publicUrl: string): Record<string, string> {
  const { host, protocol } = new URL(publicUrl)
  return { 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) }
}

function cookieOf(response: Response, name: string): SetCookie {
  const header =
    response.headers.getSetCookie().find((set) => new RegExp(`shelfmates_${name}[^=;]*=`).test(set)) ?? ''
  return { header, cookie: header.split(';')[0]! }
}
