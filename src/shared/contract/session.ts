/**
 * Sessions (SIGN-24 to SIGN-29); the redirects of sign-in are in `server/features/accounts/sign-in.ts`.
 * Requirements: SIGN-15, API-37.
 */
import { z } from 'zod'
import { steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'

const self = z.object({ steamId })

export const session = z.object({
  session_id: z.int(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime(),
  /** The user agent of the browser, to recognise a session by; may be empty. */
  user_agent: z.string(),
  current: z.boolean(),
})
export type Session = z.infer<typeof session>

export const sessionContract = {
  exchangeToken: endpoint({
    method: 'POST',
    path: '/auth/session',
    summary:
      'Exchange the hand-over token for the lasting one, in the browser that signed in; can be repeated until that one is used, and only the last one is valid',
    access: 'signed_in',
    afterSwap: true,
    response: z.object({ token: z.string() }),
  }),
  logOut: endpoint({
    method: 'POST',
    path: '/auth/logout',
    summary: 'Revoke the token of this request; for a hand-over token also the token it was exchanged for',
    access: 'signed_in',
    afterSwap: true,
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/sessions',
    summary: 'My active sessions',
    access: 'self',
    params: self,
    response: z.object({ sessions: z.array(session) }),
  }),
  revokeSession: endpoint({
    method: 'DELETE',
    path: '/api/users/:steamId/sessions/:sessionId',
    summary: 'Sign out one of my sessions',
    access: 'self',
    params: z.object({
      steamId,
      sessionId: z
        .string()
        .regex(/^[1-9]\d{0,14}$/, 'must be a positive whole number')
        .transform(Number),
    }),
    response: z.object({ removed: z.int() }),
  }),
  revokeAllSessions: endpoint({
    method: 'DELETE',
    path: '/api/users/:steamId/sessions',
    summary: 'Sign out all my sessions, including this one',
    access: 'self',
    params: self,
  }),
}
