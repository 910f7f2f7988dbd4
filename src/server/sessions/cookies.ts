/** The cookies of sign-in (SIGN-2, SIGN-12, SIGN-13). */
import type { CookieSerializeOptions } from '@fastify/cookie'

/** How long a visitor may take to sign in at Steam, in seconds. */
export const STATE_SECONDS = 600
/** How long a hand-over token lives, in seconds. */
export const HANDOVER_SECONDS = 60

type Cookie = { name: string; options: CookieSerializeOptions }

/** Names and attributes of the cookies, for the origin that browsers see. */
export function signInCookies(publicUrl: string): Record<'state' | 'browser' | 'invite' | 'moved', Cookie> {
  const secure = publicUrl.startsWith('https:')
  const prefix = secure ? '__Secure-' : ''
  const hidden = { httpOnly: true, secure } as const
  return {
    // Lax, because the browser must send it when it returns from Steam, which is another site.
    state: {
      name: `${prefix}shelfmates_sign_in`,
      options: { ...hidden, path: '/auth/steam', sameSite: 'lax', maxAge: STATE_SECONDS },
    },
    browser: {
      name: `${prefix}shelfmates_browser`,
      options: { ...hidden, path: '/auth', sameSite: 'strict', maxAge: HANDOVER_SECONDS },
    },
    // The link that the visitor came by, for the return (OPER-8).
    invite: {
      name: `${prefix}shelfmates_invite`,
      options: { ...hidden, path: '/auth/steam', sameSite: 'lax', maxAge: STATE_SECONDS },
    },
    // Counts redirects to the public URL for a few seconds, to stop loops behind a misconfigured proxy.
    moved: {
      name: 'shelfmates_moved',
      options: { ...hidden, path: '/auth/steam', sameSite: 'lax', maxAge: 5 },
    },
  }
}
