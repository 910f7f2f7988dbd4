/**
 * The sign-ins that a browser has under way, each with a state of its own (SIGN-4): in `return_to`, and in a cookie that
 * only this browser has. Tabs know nothing of each other, so one cookie for all would end the sign-in of another tab.
 * Requirements: SIGN-2, SIGN-32.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieOptions } from '../sessions/cookies.ts'
import { asLinkToken } from '../storage/link-tokens.ts'

/** How long a visitor may take to sign in at Steam, in seconds. */
const STATE_SECONDS = 600
/** More sign-ins of one browser end the oldest ones, so that their cookies stay small. */
const AT_ONCE = 10

export type SignInStates = {
  /** Begins a sign-in and sets its cookie; returns the state. @param invite the link that the visitor came by (OPER-8) */
  begin(request: FastifyRequest, reply: FastifyReply, invite: string | undefined): string
  /**
   * The sign-in with this state, if this installation issued it to this browser less than ten minutes ago; needs no
   * query.
   */
  find(request: FastifyRequest, state: string): { invite: string | undefined } | undefined
}

/**
 * States as text: the time of issue in base 36, 128 random bits, and the HMAC of both.
 * @param hash the keyed hash of the installation (`storage/installation.ts`)
 * @param clock milliseconds since 1970
 */
export function createSignInStates(
  publicUrl: string,
  hash: (text: string) => string,
  clock: () => number,
): SignInStates {
  // Lax, because the browser must send it when it returns from Steam, which is another site.
  const { prefix, options } = cookieOptions(publicUrl, {
    path: '/auth/steam',
    sameSite: 'lax',
    maxAge: STATE_SECONDS,
  })
  const names = `${prefix}shelfmates_sign_in_`

  function read(state: string) {
    const [, payload, issuedAt, id, mac] =
      /^(([0-9a-z]{1,11})\.([A-Za-z0-9_-]{22}))\.([A-Za-z0-9_-]{43})$/.exec(state) ?? []
    if (payload === undefined || issuedAt === undefined || id === undefined || mac === undefined)
      return undefined
    if (!timingSafeEqual(Buffer.from(mac), Buffer.from(hash(payload)))) return undefined
    const isLate = clock() - parseInt(issuedAt, 36) > STATE_SECONDS * 1000
    return isLate ? undefined : { name: names + id }
  }

  return {
    begin(request, reply, invite) {
      const others = Object.entries(request.cookies).filter(([name]) => name.startsWith(names))
      const byAge = others.sort(([, a = ''], [, b = '']) => parseInt(b, 36) - parseInt(a, 36))
      for (const [name] of byAge.slice(AT_ONCE - 1)) void reply.clearCookie(name, options)
      const id = randomBytes(16).toString('base64url')
      const payload = `${clock().toString(36)}.${id}`
      const state = `${payload}.${hash(payload)}`
      void reply.setCookie(names + id, invite === undefined ? state : `${state}~${invite}`, options)
      return state
    },

    find(request, state) {
      const cookie = read(state)
      const [own, invite] = (cookie && request.cookies[cookie.name])?.split('~') ?? []
      return own === state ? { invite: asLinkToken(invite) || undefined } : undefined
    },
  }
}
