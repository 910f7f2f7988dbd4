/** The cookies of sign-in (SIGN-2, SIGN-12, SIGN-13): what is carried from one of its steps to the next. */
import type { CookieSerializeOptions } from '@fastify/cookie'

/** How long a sign-in may take from here to the platform and back, in seconds. */
export const STATE_SECONDS = 600
/** How long a hand-over token lives, in seconds. */
export const HANDOVER_SECONDS = 60

type Cookie = { name: string; options: CookieSerializeOptions }

/** Names and attributes, by the origin that browsers see. */
export function signInCookies(publicUrl: string): Record<'state' | 'browser' | 'moved', Cookie> {
  const secure = publicUrl.startsWith('https:')
  const prefix = secure ? '__Secure-' : ''
  const hidden = { httpOnly: true, secure } as const
  return {
    // Lax: the browser comes back with it from the platform's page, which is another site.
    state: {
      name: `${prefix}shelfmates_sign_in`,
      options: { ...hidden, path: '/auth/steam', sameSite: 'lax', maxAge: STATE_SECONDS },
    },
    browser: {
      name: `${prefix}shelfmates_browser`,
      options: { ...hidden, path: '/auth', sameSite: 'strict', maxAge: HANDOVER_SECONDS },
    },
    // Counts, for seconds, how often a visitor was moved to the public address: a misconfigured proxy makes no loop.
    moved: {
      name: 'shelfmates_moved',
      options: { ...hidden, path: '/auth/steam', sameSite: 'lax', maxAge: 5 },
    },
  }
}
