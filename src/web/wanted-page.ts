/**
 * The page that a visitor was on when the session ended, or asked for without one: after signing in one lands on the
 * dashboard (LOGIN-4), which offers the way back (LOGIN-10). Per tab, and only addresses that the route guard has seen.
 */
import type { NightAnswer } from '#shared/nights/entities.ts'

const KEY = 'wanted_page'
const NIGHT_ANSWERS: readonly NightAnswer[] = ['in', 'maybe', 'out']

/** A page by its address within the product, and who was there; undefined for a visitor who was not signed in. */
type Wanted = { to: string; steamId: string | undefined; atOnce?: boolean; answer?: NightAnswer | undefined }

/** Remembers a protected page; the dashboard needs no way back. */
export function rememberPage(to: string, steamId: string | undefined): void {
  if (to === '/' || to === '/dashboard') return
  sessionStorage.setItem(KEY, JSON.stringify({ to, steamId } satisfies Wanted))
}

export function forgetPage(): void {
  sessionStorage.removeItem(KEY)
}

/**
 * Remembers a page to which signing in leads back at once (NIGHT-99): where one pressed a button to sign in for it.
 * @param to the page's address within the product
 * @param answer to a game night, given before signing in
 */
export function rememberReturn(to: string, answer?: NightAnswer): void {
  sessionStorage.setItem(
    KEY,
    JSON.stringify({ to, steamId: undefined, atOnce: true, answer } satisfies Wanted),
  )
}

/** The answer that was given on this page before signing in. */
export function answerKept(page: string): NightAnswer | undefined {
  const wanted = readWanted()
  return wanted?.to === page ? NIGHT_ANSWERS.find((answer) => answer === wanted.answer) : undefined
}

/** The page that signing in leads to at once; undefined for the dashboard. */
export function pageToReturnTo(): string | undefined {
  const wanted = readWanted()
  return wanted?.atOnce === true ? wanted.to : undefined
}

/** Whether a visitor who was not signed in asked for a page that is not public. */
export function hasAskedForPage(): boolean {
  const wanted = readWanted()
  return wanted !== undefined && wanted.steamId === undefined && wanted.atOnce !== true
}

/** The page to offer to this user; not one on which another user was. */
export function wantedPage(steamId: string): string | undefined {
  const wanted = readWanted()
  return wanted && (wanted.steamId === undefined || wanted.steamId === steamId) ? wanted.to : undefined
}

function readWanted(): Wanted | undefined {
  const text = sessionStorage.getItem(KEY)
  if (text === null) return undefined
  try {
    const wanted = JSON.parse(text) as Wanted
    return typeof wanted.to === 'string' ? wanted : undefined
  } catch {
    return undefined
  }
}
