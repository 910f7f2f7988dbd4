/**
 * Sign-in through the platform and what becomes of its tokens (SIGN-1). The assertion itself is
 * checked in `steam/openid.ts`; here are the browser's steps around it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SteamId } from '#shared/entities.ts'
import type { sessionContract } from '#shared/contract/session.ts'
import { SIGN_INS_READING_PROFILE } from '#shared/limits.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { hashOfToken, newToken, openHandover, sessionEnd } from '../sessions/authenticate.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { createProviderTurns } from './provider-turns.ts'
import { signInCookies } from '../sessions/cookies.ts'
import { signInUrl, verifyAssertion } from '../steam/openid.ts'
import { countUse, isUsedUp } from '../storage/account-uses.ts'
import { openAccount } from '../storage/accounts.ts'
import { keyedHasher } from '../storage/installation.ts'
import { findPerson } from '../storage/people.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findHandover,
  listSessions,
  swapHandover,
} from '../storage/sessions.ts'
import { useAllOnce } from '../storage/used-once.ts'
import { createSignInStates } from './sign-in-state.ts'

const MOVES_MAX = 3
/** A used state is remembered long after its age alone has it refused, whatever the servers' clocks say. */
const STATE_REMEMBERED_MS = 60 * 60 * 1000

/** The two redirects of sign-in: to the platform, and back. */
export async function signInRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { config, database, clock } = deps
  const cookies = signInCookies(config.publicUrl)
  const states = createSignInStates(await keyedHasher(database.queries, 'sign-in state'), clock)
  const loginPage = `${config.publicUrl}/login?error=steam_auth_failed`
  const turns = createProviderTurns()

  app.get('/auth/steam', { exposeHeadRoute: false, schema: { hide: true } }, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const moves = Number(request.cookies[cookies.moved.name] ?? 0)
    if (cameByAnotherAddress(request, config.publicUrl) && moves < MOVES_MAX)
      return reply
        .setCookie(cookies.moved.name, String(moves + 1), cookies.moved.options)
        .redirect(`${config.publicUrl}/auth/steam`, 302)
    const state = states.issue()
    return reply
      .setCookie(cookies.state.name, state, cookies.state.options)
      .redirect(signInUrl({ openidUrl: config.steamOpenidUrl, publicUrl: config.publicUrl, state }), 302)
  })

  // Every refusal is a redirect, also for want of a place: a person looks at the answer, and the login page has words
  // and a button for them.
  app.get(
    '/auth/steam/return',
    { exposeHeadRoute: false, schema: { hide: true } },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store').clearCookie(cookies.state.name, cookies.state.options)
      const state = request.cookies[cookies.state.name]
      const { address, browserSecret } = await signIn(state, request, visitorLeaves(reply))
      if (browserSecret !== undefined)
        void reply.setCookie(cookies.browser.name, browserSecret, cookies.browser.options)
      return reply.redirect(address, 302)
    },
  )

  /** Where a visitor lands: signed in, or on the login page, which says when that is for too many sign-ins. */
  async function signIn(
    state: string | undefined,
    request: FastifyRequest,
    visitorLeft: AbortSignal,
  ): Promise<Landing> {
    // First, because it costs nothing; not a warning, because anybody can cause as many as they like.
    if (state === undefined || !states.accepts(state)) {
      request.log.debug('sign-in refused: the state is not one of ours, or too old')
      return { address: loginPage }
    }
    try {
      const steamId = await provenSteamId(state, request, visitorLeft)
      if (steamId === undefined) return { address: loginPage }
      const before = await database.transaction((tx) => countUse(database, tx, 'sign_in', steamId, clock()))
      if (before === undefined) throw tooManySignIns()
      return await openSession(deps, steamId, request, { readsProfile: before < SIGN_INS_READING_PROFILE })
    } catch (error) {
      if (visitorLeft.aborted) request.log.debug('the visitor left during the sign-in')
      else if (error instanceof AppError || isTimeout(error))
        request.log.warn({ reason: error.message }, 'sign-in refused')
      else request.log.error({ err: error }, 'sign-in failed')
      const isTooMany = error instanceof AppError && error.code === 'too_many_requests'
      return { address: isTooMany ? `${loginPage}&reason=${error.code}` : loginPage }
    }
  }

  /**
   * Who the platform says this browser's visitor is, after every check (OID-1 to OID-16); undefined when any of them
   * fails, and then nothing is stored.
   */
  async function provenSteamId(
    state: string,
    request: FastifyRequest,
    visitorLeft: AbortSignal,
  ): Promise<SteamId | undefined> {
    const now = clock()
    const returnTo = `${config.publicUrl}/auth/steam/return?state=${state}`
    const verdict = await verifyAssertion({
      query: queryOf(request),
      expected: { openidUrl: config.steamOpenidUrl, returnTo, now },
      inTurn: (claimed, check) => checkInTurn(claimed, request.ip, visitorLeft, check),
      useNonce: (nonce, expiresAt) =>
        useAllOnce(database, [
          { kind: 'nonce', value: nonce, expiresAt },
          { kind: 'state', value: state, expiresAt: now + STATE_REMEMBERED_MS },
        ]),
      log: request.log,
    })
    if (verdict.ok) return verdict.steamId
    request.log.warn({ reason: verdict.reason }, 'sign-in refused')
    return undefined
  }

  /** Has the platform asked about a claimed account when it is its turn, unless that has signed in too often. */
  async function checkInTurn(
    account: SteamId,
    address: string,
    visitorLeft: AbortSignal,
    check: (signal: AbortSignal) => Promise<boolean>,
  ): Promise<boolean> {
    if (await isUsedUp(database.queries, 'sign_in', account, clock())) throw tooManySignIns()
    const person = await findPerson(database.queries, account)
    const isKnown = person !== undefined && person.signed_in_at !== null
    return turns.take({ address, account, isKnown }, visitorLeft, check)
  }
}

/** Where a visitor lands, and the cookie with which one who is signed in now does. */
type Landing = { address: string; browserSecret?: string }

function tooManySignIns(): AppError {
  return new AppError('too_many_requests', {
    text: 'This account has signed in too often in the last minutes. Try again later.',
  })
}

/**
 * Opens a session and says where its owner lands, with four values in the address (SIGN-8): as the platform gives them
 * now, or gave them minutes ago to one who signs in again and again (LIM-39).
 */
async function openSession(
  deps: Deps,
  steamId: SteamId,
  request: FastifyRequest,
  { readsProfile }: { readsProfile: boolean },
): Promise<Landing> {
  const profile = readsProfile ? await deps.sync.readProfile(steamId) : undefined
  const { person, hasFirstRead, token, browserSecret } = await deps.database.transaction(async (tx) => ({
    ...(await openAccount(deps.database, tx, { steamId, profile, at: deps.clock() })),
    ...(await openHandover(tx, steamId, request.headers['user-agent'] ?? '', deps.clock())),
  }))
  if (hasFirstRead) deps.sync.readFirst(steamId)
  const values = new URLSearchParams({
    steam_id: steamId,
    display_name: person.display_name ?? '',
    avatar_url: person.avatar_url ?? '',
    token,
  })
  return { address: `${deps.config.publicUrl}/steam-auth-success?${values.toString()}`, browserSecret }
}

/** Handlers of sessions. */
export function sessionHandlers({ database, clock }: Deps) {
  return {
    // Of parallel swaps all succeed, and the last one's token lives (SIGN-18).
    exchangeToken: async ({ caller }) => {
      if (caller.kind !== 'handover')
        throw new AppError('forbidden', { text: 'Only a hand-over token can be swapped.' })
      const [token, now] = [newToken(), clock()]
      const swapped =
        caller.browserHash !== undefined &&
        (await swapHandover(database.queries, {
          handoverHash: caller.tokenHash,
          browserHash: caller.browserHash,
          tokenHash: hashOfToken(token),
          now,
          expiresAt: sessionEnd('lasting', now),
        }))
      if (swapped) return { token }
      // The lasting token may have been used, or the session ended, since this call was authenticated.
      if (!(await findHandover(database.queries, caller.tokenHash, now))) throw new AppError('not_signed_in')
      throw new AppError('forbidden', { text: 'Only the browser that signed in can swap its token.' })
    },

    logOut: async ({ user, caller }) => {
      await deleteSession(database.queries, user, caller.sessionId)
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

/** Ends when the visitor's connection closes before their answer was sent. */
function visitorLeaves(reply: FastifyReply): AbortSignal {
  const left = new AbortController()
  if (reply.raw.destroyed) left.abort()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) left.abort()
  })
  return left.signal
}

function isTimeout(error: unknown): error is Error {
  return error instanceof Error && error.name === 'TimeoutError'
}

/** The query exactly as it was sent: parsing it first would hide parameters given twice. */
function queryOf(request: FastifyRequest): string {
  const start = request.url.indexOf('?')
  return start === -1 ? '' : request.url.slice(start + 1)
}
