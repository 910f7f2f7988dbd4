/**
 * Sign-in through the platform and what becomes of its tokens (CONTRACT.md 'Sign-in'). The assertion itself is
 * checked in `steam/openid.ts`; here are the browser's steps around it.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SteamId } from '#shared/entities.ts'
import type { sessionContract } from '#shared/contract/session.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { hashOfToken, newToken, openHandover, sessionEnd } from '../http/authentication.ts'
import type { Handlers } from '../http/handlers.ts'
import { signInAddress, verifyAssertion } from '../steam/openid.ts'
import { openAccount } from '../storage/accounts.ts'
import {
  deleteSession,
  deleteSessionByHash,
  deleteSessionsOf,
  listSessions,
  swapHandover,
} from '../storage/sessions.ts'
import { useAllOnce } from '../storage/used-once.ts'

const STATE_COOKIE = 'shelfmates_sign_in'
/** Counts, for seconds, how often a visitor was moved to the public address: a misconfigured proxy makes no loop. */
const MOVED_COOKIE = 'shelfmates_moved'
const MOVES_MAX = 3
const STATE_SECONDS = 600

/** The two redirects of sign-in: to the platform, and back. */
export function signInRoutes(app: FastifyInstance, deps: Deps): void {
  const { config } = deps
  const returnAddress = `${config.publicUrl}/auth/steam/return`
  const cookie = {
    path: '/auth/steam',
    httpOnly: true,
    sameSite: 'lax',
    secure: config.publicUrl.startsWith('https:'),
  } as const

  app.get('/auth/steam', { exposeHeadRoute: false, schema: { hide: true } }, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const moves = Number(request.cookies[MOVED_COOKIE] ?? 0)
    if (cameByAnotherAddress(request, config.publicUrl) && moves < MOVES_MAX)
      return reply
        .setCookie(MOVED_COOKIE, String(moves + 1), { ...cookie, maxAge: 5 })
        .redirect(`${config.publicUrl}/auth/steam`, 302)
    const state = randomBytes(16).toString('base64url')
    return reply
      .setCookie(STATE_COOKIE, state, { ...cookie, maxAge: STATE_SECONDS })
      .redirect(signInAddress({ openidUrl: config.steamOpenidUrl, publicUrl: config.publicUrl, state }), 302)
  })

  app.get(
    '/auth/steam/return',
    { exposeHeadRoute: false, schema: { hide: true } },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store').clearCookie(STATE_COOKIE, cookie)
      const landing = await signInOf(deps, returnAddress, request).catch((error: unknown) => {
        request.log.error({ err: error }, 'sign-in failed')
        return undefined
      })
      return reply.redirect(landing ?? `${config.publicUrl}/login?error=steam_auth_failed`, 302)
    },
  )
}

/** Where a visitor lands who is signed in now; undefined for whoever could not prove who they are. */
async function signInOf(
  deps: Deps,
  returnAddress: string,
  request: FastifyRequest,
): Promise<string | undefined> {
  const steamId = await provenSteamId(deps, returnAddress, request)
  return steamId && landingAddress(deps, steamId, request)
}

/**
 * Who the platform says this browser's visitor is, after every check of STEAM.md; undefined when any of them
 * fails, and then nothing is stored.
 */
async function provenSteamId(
  deps: Deps,
  returnAddress: string,
  request: FastifyRequest,
): Promise<SteamId | undefined> {
  const { config, database, clock } = deps
  const state = request.cookies[STATE_COOKIE]
  if (state === undefined || !/^[A-Za-z0-9_-]{22}$/.test(state)) return undefined
  const verdict = await verifyAssertion({
    query: queryOf(request),
    expected: { openidUrl: config.steamOpenidUrl, returnTo: `${returnAddress}?state=${state}`, now: clock() },
    useNonce: (nonce, expiresAt) =>
      useAllOnce(database, [
        { kind: 'nonce', value: nonce, expiresAt },
        { kind: 'state', value: state, expiresAt: clock() + STATE_SECONDS * 1000 },
      ]),
    log: request.log,
  })
  if (!verdict.ok) {
    request.log.warn({ reason: verdict.reason }, 'sign-in refused')
    return undefined
  }
  return verdict.steamId
}

/** Opens a session and says where its owner lands, with the four values of SPEC.md section 7. */
async function landingAddress(deps: Deps, steamId: SteamId, request: FastifyRequest): Promise<string> {
  const profile = await deps.sync.readProfile(steamId)
  const { person, isNew, token } = await deps.database.transaction(async (tx) => ({
    ...(await openAccount(deps.database, tx, { steamId, profile, at: deps.clock() })),
    token: await openHandover(tx, steamId, request.headers['user-agent'] ?? '', deps.clock()),
  }))
  if (isNew) deps.sync.readFirst(steamId)
  const values = new URLSearchParams({
    steam_id: steamId,
    display_name: person.display_name ?? '',
    avatar_url: person.avatar_url ?? '',
    token,
  })
  return `${deps.config.publicUrl}/steam-auth-success?${values.toString()}`
}

/** Handlers of sessions. */
export function sessionHandlers({ database, clock }: Deps) {
  return {
    // Of parallel swaps exactly one succeeds; the others meet a token that is dead (CONTRACT.md 'Finer points').
    swapToken: async ({ caller }) => {
      if (caller.kind !== 'handover')
        throw new AppError('forbidden', { text: 'Only a hand-over token can be swapped.' })
      const token = newToken()
      const now = clock()
      const swapped = await database.transaction((tx) =>
        swapHandover(tx, caller.tokenHash, hashOfToken(token), now, sessionEnd('lasting', now)),
      )
      if (!swapped) throw new AppError('not_signed_in')
      return { token }
    },

    logOut: async ({ caller }) => {
      await deleteSessionByHash(database.queries, caller.tokenHash)
      return undefined
    },

    listSessions: async ({ user, caller }) => {
      const sessions = await listSessions(database.queries, user, clock())
      return {
        sessions: sessions.map((session) => ({
          session_id: session.session_id,
          created_at: new Date(session.created_at).toISOString(),
          last_used_at: new Date(session.last_used_at).toISOString(),
          user_agent: session.user_agent,
          current: session.session_id === caller.sessionId,
        })),
      }
    },

    revokeSession: async ({ user, params }) => {
      if (!(await deleteSession(database.queries, user, params.sessionId)))
        throw new AppError('not_found', { text: 'This session does not exist any more.' })
      return { removed: params.sessionId }
    },

    revokeAllSessions: async ({ user }) => {
      await deleteSessionsOf(database.queries, user)
      return undefined
    },
  } satisfies Handlers<typeof sessionContract>
}

function cameByAnotherAddress(request: FastifyRequest, publicUrl: string): boolean {
  return request.host.toLowerCase() !== new URL(publicUrl).host
}

/** The query exactly as it was sent: parsing it first would hide parameters given twice. */
function queryOf(request: FastifyRequest): string {
  const start = request.url.indexOf('?')
  return start === -1 ? '' : request.url.slice(start + 1)
}
