/**
 * The page that a visitor was on when the session ended, or asked for without one: after signing in one lands on the
 * dashboard (LOGIN-6), which offers the way back (LOGIN-10). Per tab, and only addresses that the route guard has seen.
 */
const KEY = 'wanted_page'

/** A page by its address within the product, and who was there; undefined for a visitor who was not signed in. */
type Wanted = { to: string; steamId: string | undefined }

/** Remembers a protected page; the dashboard needs no way back. */
export function rememberPage(to: string, steamId: string | undefined): void {
  if (to === '/' || to === '/dashboard') return
  sessionStorage.setItem(KEY, JSON.stringify({ to, steamId } satisfies Wanted))
}

export function forgetPage(): void {
  sessionStorage.removeItem(KEY)
}

/** The page to offer to this user; not one on which another user was. */
export function wantedPage(steamId: string): string | undefined {
  const text = sessionStorage.getItem(KEY)
  if (text === null) return undefined
  try {
    const { to, steamId: of } = JSON.parse(text) as Wanted
    return typeof to === 'string' && (of === undefined || of === steamId) ? to : undefined
  } catch {
    return undefined
  }
}
