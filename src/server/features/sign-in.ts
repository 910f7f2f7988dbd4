/**
 * Sign-in through Steam, and sessions (SIGN-1), and who may sign in (OPER-7). `steam/openid.ts` checks the assertion;
 * this file has the redirects around it and the session endpoints.
 * Requirements: PROD-10, SIGN-3, SIGN-5, SIGN-10, SIGN-19, SIGN-23.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SteamId } from '#shared/entities.ts'
import type { sessionContract } from '#shared/contract/session.ts'
import { SIGN_INS_READING_PROFILE } from '#shared/limits.ts'
import type { Deps } from '../deps.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { hashOfToken, newToken, openHandover, sessionEnd } from '../sessions/authenticate.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { createSignInQueue } from './sign-in-queue.ts'
import { signInCookies } from '../sessions/cookies.ts'
import { signInUrl, verifyAssertion } from '../steam/openid.ts'
import { countUse, hasReachedLimit } from '../storage/account-uses.ts'
import { lockAccounts, openAccount } from '../storage/accounts.ts'
import { unblockAccount } from '../storage/blocked-accounts.ts'
import { asLinkToken } from '../storage/link-tokens.ts'
import { isOperator, requireMaySignIn } from './access.ts'
import { keyedHasher } from '../storage/installation.ts'
import { findPlayer } from '../storage/players.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findHandover,
  listSessions,
  lockSessions,
  swapHandover,
} from '../storage/sessions.ts'
import { useAllOnce } from '../storage/used-once.ts'
import { createSignInStates } from './sign-in-state.ts'

const REDIRECTS_MAX = 3
/** Refusals whose reason the login page shows. */
const EXPLAINED: ReadonlySet<ErrorCode> = new Set([
  'too_many_requests',
  'account_blocked',
  'not_invited',
  'not_listed',
])
/** Used states are stored for much longer than states are valid, in case the servers' clocks differ. */
const USED_STATE_MS = 60 * 60 * 1000

/**
 * The two routes of sign-in: the redirect to Steam, and the return from it.
 * @param checkUrl where this server reaches the OpenID endpoint, if not at its public URL
 */
export async function signInRoutes(
  app: FastifyInstance,
  deps: Deps,
  { checkUrl }: { checkUrl?: string | undefined } = {},
): Promise<void> {
  const { config, database, clock } = deps
  const cookies = signInCookies(config.publicUrl)
  const states = createSignInStates(await keyedHasher(database.queries, 'sign-in state'), clock)
  const loginPage = `${config.publicUrl}/login?error=steam_auth_failed`
  const queue = createSignInQueue()

  app.get('/auth/steam', { exposeHeadRoute: false, schema: { hide: true } }, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const redirects = Number(request.cookies[cookies.moved.name] ?? 0)
    const invite = asLinkToken((request.query as { invite?: unknown }).invite)
    if (usesOtherHost(request, config.publicUrl) && redirects < REDIRECTS_MAX)
      return reply
        .setCookie(cookies.moved.name, String(redirects + 1), cookies.moved.options)
        .redirect(`${config.publicUrl}/auth/steam${invite && `?invite=${invite}`}`, 302)
    if (invite) void reply.setCookie(cookies.invite.name, invite, cookies.invite.options)
    else if (request.cookies[cookies.invite.name] !== undefined)
      void reply.clearCookie(cookies.invite.name, cookies.invite.options)
    const state = states.issue()
    return reply
      .setCookie(cookies.state.name, state, cookies.state.options)
      .redirect(signInUrl({ openidUrl: config.steamOpenidUrl, publicUrl: config.publicUrl, state }), 302)
  })

  // Every refusal is a redirect, even when the server is busy, because a browser shows the response and the login page
  // explains the error.
  app.get(
    '/auth/steam/return',
    { exposeHeadRoute: false, schema: { hide: true } },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store').clearCookie(cookies.state.name, cookies.state.options)
      const state = request.cookies[cookies.state.name]
      const { url, browserSecret } = await signIn(state, request, clientLeaves(reply))
      if (browserSecret !== undefined)
        void reply.setCookie(cookies.browser.name, browserSecret, cookies.browser.options)
      return reply.redirect(url, 302)
    },
  )

  /** Signs the visitor in; never throws: after a failure they land on the login page, with the reason in its URL. */
  async function signIn(
    state: string | undefined,
    request: FastifyRequest,
    clientLeft: AbortSignal,
  ): Promise<Landing> {
    // Checked first, because it costs nothing. Logged at debug, because anyone can cause any number of these.
    if (state === undefined || !states.accepts(state)) {
      request.log.debug('sign-in refused: the state is invalid or expired')
      return { url: loginPage }
    }
    try {
      const steamId = await verifiedSteamId(state, request, clientLeft)
      if (steamId === undefined) return { url: loginPage }
      const invite = request.cookies[cookies.invite.name]
      const requireAllowed = (db: Queries | Tx) =>
        requireMaySignIn(db, config, {
          steamId,
          invite: asLinkToken(invite) || undefined,
          now: clock(),
        })
      const before = await database.transaction((tx) => countUse(database, tx, 'sign_in', steamId, clock()))
      if (before === undefined) throw tooManySignIns()
      // Before anything about the user is read from Steam; and again when the account is locked.
      await requireAllowed(database.queries)
      return await openSession(deps, steamId, request, {
        readsProfile: before < SIGN_INS_READING_PROFILE,
        requireAllowed,
      })
    } catch (error) {
      if (clientLeft.aborted) request.log.debug('the client disconnected during the sign-in')
      else if (error instanceof AppError || isTimeout(error))
        request.log.warn({ reason: error.message }, 'sign-in refused')
      else request.log.error({ err: error }, 'sign-in failed')
      const isExplained = error instanceof AppError && EXPLAINED.has(error.code)
      return { url: isExplained ? `${loginPage}&reason=${error.code}` : loginPage }
    }
  }

  /**
   * The steam id that Steam confirms, after every check (OID-1 to OID-16); undefined when any check fails, and
   * then nothing is stored.
   */
  async function verifiedSteamId(
    state: string,
    request: FastifyRequest,
    clientLeft: AbortSignal,
  ): Promise<SteamId | undefined> {
    const now = clock()
    const returnTo = `${config.publicUrl}/auth/steam/return?state=${state}`
    const verdict = await verifyAssertion({
      query: queryOf(request),
      expected: { openidUrl: config.steamOpenidUrl, returnTo, now },
      checkUrl,
      inTurn: (claimed, check) => checkInTurn(claimed, request.address, clientLeft, check),
      useNonce: (nonce, expiresAt) =>
        useAllOnce(database, [
          { kind: 'nonce', value: nonce, expiresAt },
          { kind: 'state', value: state, expiresAt: now + USED_STATE_MS },
        ]),
      log: request.log,
    })
    if (verdict.ok) return verdict.steamId
    request.log.warn({ reason: verdict.reason }, 'sign-in refused')
    return undefined
  }

  /**
   * Runs Steam's check of a claimed account in the queue.
   * @throws AppError too_many_requests when the account has signed in too often (LIM-38), busy
   */
  async function checkInTurn(
    account: SteamId,
    address: string,
    clientLeft: AbortSignal,
    check: (signal: AbortSignal) => Promise<boolean>,
  ): Promise<boolean> {
    if (await hasReachedLimit(database.queries, 'sign_in', account, clock())) throw tooManySignIns()
    const player = await findPlayer(database.queries, account)
    const isKnown = player !== undefined && player.signed_in_at !== null
    return queue.run({ address, account, isKnown }, clientLeft, check)
  }
}

/** The page a visitor lands on and, after a successful sign-in, the value of the browser cookie. */
type Landing = { url: string; browserSecret?: string }

function tooManySignIns(): AppError {
  return new AppError('too_many_requests', { reason: 'sign_ins_of_account' })
}

/**
 * Opens a session and returns the landing page, with four values in its query (SIGN-8). The profile is read from
 * Steam, or is the stored one for an account that signs in again and again (LIM-39).
 */
async function openSession(
  deps: Deps,
  steamId: SteamId,
  request: FastifyRequest,
  { readsProfile, requireAllowed }: { readsProfile: boolean; requireAllowed: (tx: Tx) => Promise<void> },
): Promise<Landing> {
  // In a public demo others share the account, and see its sessions.
  const userAgent = deps.config.demo === 'public' ? '' : (request.headers['user-agent'] ?? '')
  const profile = readsProfile ? await deps.sync.readProfile(steamId) : undefined
  await deps.sessionUse.writeUsesOf(steamId)
  const { player, hasFirstRead, token, browserSecret } = await deps.database.transaction(async (tx) => {
    await lockAccounts(deps.database, tx, [steamId])
    await lockSessions(deps.database, tx, 'shared')
    await requireAllowed(tx)
    // Named an operator since the block; operators cannot be blocked (OPER-9).
    if (isOperator(deps.config, steamId)) await unblockAccount(deps.database, tx, steamId)
    return {
      ...(await openAccount(deps.database, tx, { steamId, profile, at: deps.clock() })),
      ...(await openHandover(tx, steamId, userAgent, deps.clock())),
    }
  })
  if (hasFirstRead) deps.sync.readFirst(steamId)
  const values = new URLSearchParams({
    steam_id: steamId,
    display_name: player.display_name ?? '',
    avatar_url: player.avatar_url ?? '',
    token,
  })
  return { url: `${deps.config.publicUrl}/steam-auth-success?${values.toString()}`, browserSecret }
}

/** Handlers of sessions. */
export function sessionHandlers({ database, sessionUse, clock }: Deps) {
  const swap = (values: Parameters<typeof swapHandover>[2]) =>
    database.transaction((tx) => swapHandover(database, tx, values))
  return {
    // All parallel swaps succeed; only the token of the last one stays valid (SIGN-18).
    exchangeToken: async ({ caller }) => {
      if (caller.kind !== 'handover') throw new AppError('forbidden', { reason: 'only_handover_tokens' })
      const [token, now] = [newToken(), clock()]
      const swapped =
        caller.browserHash !== undefined &&
        (await swap({
          handoverHash: caller.tokenHash,
          browserHash: caller.browserHash,
          tokenHash: hashOfToken(token),
          now,
          expiresAt: sessionEnd('lasting', now),
        }))
      if (swapped) return { token }
      // Since this request was authenticated, the lasting token may have been used or the session may have ended.
      if (!(await findHandover(database, caller.tokenHash, now))) throw new AppError('not_signed_in')
      throw new AppError('forbidden', { reason: 'only_same_browser' })
    },

    logOut: async ({ user, caller }) => {
      await database.transaction((tx) => deleteSession(tx, user, caller.sessionId))
    },

    listSessions: async ({ user, caller }) => {
      await sessionUse.writeUsesOf(user)
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
      if (!(await database.transaction((tx) => deleteSession(tx, user, params.sessionId))))
        throw new AppError('not_found', { reason: 'session_not_found' })
      return { removed: params.sessionId }
    },

    revokeAllSessions: ({ user }) => database.transaction((tx) => deleteSessionsOf(tx, user)),
  } satisfies Handlers<typeof sessionContract>
}

function usesOtherHost(request: FastifyRequest, publicUrl: string): boolean {
  return request.host.toLowerCase() !== new URL(publicUrl).host
}

/** Aborts when the client disconnects before the response was sent. */
function clientLeaves(reply: FastifyReply): AbortSignal {
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

/** The query string exactly as sent; parsing it here would hide duplicate parameters. */
function queryOf(request: FastifyRequest): string {
  const start = request.url.indexOf('?')
  return start === -1 ? '' : request.url.slice(start + 1)
}
