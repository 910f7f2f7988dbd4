/**
 * The state parameter of a sign-in (SIGN-4), authenticated with the installation's secret.
 * Requirements: SIGN-6, SIGN-31.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { STATE_SECONDS } from '../sessions/cookies.ts'

export type SignInStates = {
  /** A new state, valid for ten minutes. */
  issue(): string
  /** Whether any server of this installation issued the state less than ten minutes ago; needs no query. */
  accepts(state: string): boolean
}

/**
 * States as text for URLs and cookies: the time of issue in base 36, 128 random bits, and the HMAC of both.
 * @param hash the keyed hash of the installation (`storage/installation.ts`)
 * @param clock milliseconds since 1970
 */
export function createSignInStates(hash: (text: string) => string, clock: () => number): SignInStates {
  return {
    issue: () => {
      const payload = `${clock().toString(36)}.${randomBytes(16).toString('base64url')}`
      return `${payload}.${hash(payload)}`
    },

    accepts: (state) => {
      const [, payload, issuedAt, mac] =
        /^(([0-9a-z]{1,11})\.[A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/.exec(state) ?? []
      if (payload === undefined || issuedAt === undefined || mac === undefined) return false
      if (!timingSafeEqual(Buffer.from(mac), Buffer.from(hash(payload)))) return false
      return clock() - parseInt(issuedAt, 36) <= STATE_SECONDS * 1000
    },
  }
}
