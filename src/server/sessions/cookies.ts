/** The cookies of sign-in (SIGN-2, SIGN-12). */
import type { CookieSerializeOptions } from '@fastify/cookie'

/** How long a hand-over token lives, in seconds. */
export const HANDOVER_SECONDS = 60

/** Attributes that all cookies of sign-in have, for the origin that browsers see, and the prefix of their names. */
export function cookieOptions<Options extends CookieSerializeOptions>(publicUrl: string, options: Options) {
  const secure = publicUrl.startsWith('https:')
  return { prefix: secure ? '__Secure-' : '', options: { httpOnly: true, secure, ...options } }
}

/** The cookie that a hand-over token needs to be swapped (SIGN-12). */
export function browserCookie(publicUrl: string): { name: string; options: CookieSerializeOptions } {
  const { prefix, options } = cookieOptions(publicUrl, {
    path: '/auth',
    sameSite: 'strict',
    maxAge: HANDOVER_SECONDS,
  })
  return { name: `${prefix}shelfmates_browser`, options }
}
