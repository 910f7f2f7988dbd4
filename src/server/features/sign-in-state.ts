/** The state of a sign-in (SIGN-4): only this installation can have issued it. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { STATE_SECONDS } from '../sessions/cookies.ts'

export type SignInStates = {
  /** A new state, good for ten minutes. */
  issue(): string
  /** Whether a state was issued by any server of this database less than ten minutes ago; nothing is asked for it. */
  accepts(state: string): boolean
}

/**
 * States as text for addresses and cookies: the time of issue in base 36, 128 random bits and the code of both.
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
      const [, payload, issuedAt, code] =
        /^(([0-9a-z]{1,11})\.[A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/.exec(state) ?? []
      if (payload === undefined || issuedAt === undefined || code === undefined) return false
      if (!timingSafeEqual(Buffer.from(code), Buffer.from(hash(payload)))) return false
      return clock() - parseInt(issuedAt, 36) <= STATE_SECONDS * 1000
    },
  }
}
