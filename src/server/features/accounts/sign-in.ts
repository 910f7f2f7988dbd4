/**
 * Sign-in through Steam, and sessions (SIGN-1), and who may sign in (OPER-7). `steam/openid.ts` checks the assertion;
 * this file has the redirects around it and the session endpoints.
 * Requirements: SIGN-2, SIGN-4, SIGN-10, SIGN-12, SIGN-16.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SteamId } from '#shared/entities.ts'
import type { sessionContract } from '#shared/contract/session.ts'
import type { Deps } from '../../deps.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Queries, Tx } from '../../database/schema.ts'
import { AppError } from '../../errors.ts'
import {
  browserCookie,
  cookieOptions,
  hashOfToken,
  newToken,
  openHandover,
  sessionEnd,
} from '../../sessions/sessions.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { networkOf } from '../../client-address.ts'
import { type GiveBack, slotLimits, Slots } from '../../slots.ts'
import { type Confirmation, signInUrl, verifyAssertion } from '../../steam/openid.ts'
import { lockAccounts, openAccount, unblockAccount } from '../../storage/accounts/accounts.ts'
import { asLinkToken } from '../../storage/groups/links.ts'
import { isOperator, requireMaySignIn } from '../access.ts'
import { keyedHasher } from '../../storage/installation.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findHandover,
  listSessions,
  lockSessions,
  swapHandover,
} from '../../storage/accounts/sessions.ts'
import { isUsedOnce, useOnce } from '../../storage/accounts/used-once.ts'
import { randomBytes, timingSafeEqual } from 'node:crypto'

/** Counts redirects to the public URL for a few seconds, to stop loops behind a misconfigured proxy. */
const MOVED = 'shelfmates_moved'
const MOVED_OPTIONS = { path: '/auth/steam', sameSite: 'lax', httpOnly: true, maxAge: 5 } as const
const REDIRECTS_MAX = 3
/** Refusals whose reason the login page shows. */
const EXPLAINED: ReadonlySet<ErrorCode> = new Set([
  'too_many_requests',
  'account_blocked',
  'not_invited',
  'not_listed',
])
/** Used returns are stored for much longer than states are valid, in case the servers' clocks differ. */
const USED_RETURN_MS = 60 * 60 * 1000
/** Returns of an address, or of an IPv6 /64, that Steam may fail to confirm in a minute (LIM-31). */
const FAILURES_MAX = 30
/** Lines about refused sign-ins in a minute: anyone can cause any number of refusals. */
const LOGGED_MAX = 60

/** Why a sign-in failed, where the login page can say more than that it did (SIGN-33). */
type Failure = 'cancelled' | 'other_browser' | 'not_confirmed' | 'clock'
/** Where a return leads, and the value of the browser's cookie after a successful sign-in. */
type Landing = {
  url: string
  browserSecret?: string
  /** Whether it was sent. */
  isTaken?: boolean
  /** Whether the browser did not wait for its turn. */
  hasLeft?: boolean
}

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
  const { publicUrl } = config
  const browser = browserCookie(publicUrl)
  const states = createSignInStates(publicUrl, await keyedHasher(database.queries, 'sign-in state'), clock)
  const checks = new Slots(slotLimits.signInChecks)
  const checksOfNetwork = new Slots(slotLimits.signInChecksOfNetwork)
  const failures = countInMinutes(clock)
  const lines = countInMinutes(clock)
  /** Returns that are being answered, by their query: a doubled or reloaded one waits for the same landing. */
  const inProgress = new Map<string, Promise<Landing>>()

  const route = { exposeHeadRoute: false, onRequest: answerPrefetch }
  app.get('/auth/steam', route, async (request, reply) => {
    const redirects = Number(request.cookies[MOVED] ?? 0)
    const invite = asLinkToken((request.query as { invite?: unknown }).invite)
    if (usesOtherHost(request, publicUrl) && redirects < REDIRECTS_MAX)
      return reply
        .setCookie(MOVED, String(redirects + 1), MOVED_OPTIONS)
        .redirect(`${publicUrl}/auth/steam${invite && `?invite=${invite}`}`, 302)
    const state = states.begin(request, reply, invite || undefined)
    return reply.redirect(signInUrl({ openidUrl: config.steamOpenidUrl, publicUrl, state }), 302)
  })

  // Every refusal is a redirect, even when the server is busy, because a browser shows the response and the login page
  // explains the error.
  app.get('/auth/steam/return', route, async (request, reply) => {
    const landing = await landingOf(request, reply)
    if (landing.browserSecret === undefined) return reply.redirect(landing.url, 302)
    // Of equal returns the first whose browser still waits gets the token.
    if (landing.isTaken || reply.raw.destroyed) return reply.redirect(`${publicUrl}/dashboard`, 302)
    landing.isTaken = true
    return reply.setCookie(browser.name, landing.browserSecret, browser.options).redirect(landing.url, 302)
  })

  async function landingOf(request: FastifyRequest, reply: FastifyReply): Promise<Landing> {
    const query = queryOf(request)
    const parameters = new URLSearchParams(query)
    if (parameters.get('openid.mode') === 'cancel')
      return refuse(request, 'the visitor cancelled', 'cancelled')
    const state = parameters.get('state') ?? ''
    const begun = states.find(request, state)
    if (!begun) return refuse(request, 'no such sign-in in this browser, or too old', 'other_browser')
    const run = () => {
      const nonce = parameters.get('openid.response_nonce') ?? ''
      const landing = signIn({ query, state, nonce, ...begun }, request, reply)
      inProgress.set(query, landing)
      return landing.finally(() => inProgress.delete(query))
    }
    let landing: Landing
    do landing = await (inProgress.get(query) ?? run())
    while (landing.hasLeft && !reply.raw.destroyed)
    return landing
  }

  /** Signs the visitor in; never throws: after a failure they land on the login page, with the reason in its URL. */
  async function signIn(back: Return, request: FastifyRequest, reply: FastifyReply): Promise<Landing> {
    try {
      if (await isUsed(back)) return { url: `${publicUrl}/dashboard` }
      const verdict = await verify(back, request, reply)
      if (!verdict.ok) {
        // Another server accepted it while this one asked Steam.
        if (await isUsed(back)) return { url: `${publicUrl}/dashboard` }
        return refuse(request, verdict.reason, verdict.failure)
      }
      const { steamId } = verdict
      const requireAllowed = (db: Queries | Tx) =>
        requireMaySignIn(db, config, { steamId, invite: back.invite, now: clock() })
      // Before anything about the user is read from Steam; and again when the account is locked.
      await requireAllowed(database.queries)
      return await openSession(deps, steamId, request, requireAllowed)
    } catch (error) {
      if (!(error instanceof AppError)) {
        request.log.error({ err: error }, 'sign-in failed')
        return { url: loginPage() }
      }
      if (error.code === 'busy' && reply.raw.destroyed) return { url: loginPage(), hasLeft: true }
      return refuse(request, error.message, EXPLAINED.has(error.code) ? error.code : undefined)
    }
  }

  /** Every check of OID-2 to OID-12; when any fails, nothing is stored. */
  function verify({ query, state }: Return, request: FastifyRequest, reply: FastifyReply) {
    const now = clock()
    const returnTo = `${publicUrl}/auth/steam/return?state=${state}`
    return verifyAssertion({
      query,
      expected: { openidUrl: config.steamOpenidUrl, returnTo, now },
      checkUrl,
      inTurn: (check) => inTurn(networkOf(request.address), reply.raw, check),
      useNonce: (nonce, expiresAt) =>
        database.transaction(
          async (tx) =>
            (await useOnce(tx, 'nonce', nonce, expiresAt)) &&
            (await useOnce(tx, 'state', usedReturn({ state, nonce }), now + USED_RETURN_MS)),
        ),
      log: { warn: (fields, text) => note(request, 'warn', fields, text) },
    })
  }

  /** Whether this browser has signed in by this return before (SIGN-35). */
  function isUsed(back: Return): Promise<boolean> {
    return isUsedOnce(database.queries, 'state', usedReturn(back))
  }

  /**
   * Asks Steam when it is this return's turn (LIM-30).
   * @throws AppError busy, or too_many_requests when Steam has confirmed too few returns of this network (LIM-31)
   */
  async function inTurn(
    network: string,
    client: FastifyReply['raw'],
    check: () => Promise<Confirmation>,
  ): Promise<Confirmation> {
    const leaveNetwork = await checksOfNetwork.enter(network, client)
    client.once('close', leaveNetwork)
    let leave: GiveBack | undefined
    try {
      leave = await checks.enter('', client)
      if (failures(network, 0) >= FAILURES_MAX) throw new AppError('too_many_requests')
      // Counted until it has passed, so that many at once, and those that leave, cannot exceed the limit.
      failures(network, 1)
      const confirmation = await check()
      if (confirmation === 'valid') failures(network, -1)
      return confirmation
    } finally {
      leave?.()
      leaveNetwork()
    }
  }

  function refuse(request: FastifyRequest, reason: string, why?: Failure | ErrorCode): Landing {
    note(request, why === 'cancelled' ? 'info' : 'warn', { reason }, 'sign-in refused')
    return { url: loginPage(why) }
  }

  function loginPage(why?: Failure | ErrorCode): string {
    return `${publicUrl}/login?error=steam_auth_failed${why === undefined ? '' : `&reason=${why}`}`
  }

  function note(request: FastifyRequest, level: 'info' | 'warn', fields: object, text: string): void {
    const count = lines('', 1)
    if (count <= LOGGED_MAX) request.log[level](fields, text)
    else if (count === LOGGED_MAX + 1) request.log.warn('more sign-ins were refused in this minute')
  }
}

/** A return from Steam, with the nonce that it claims. */
type Return = { query: string; state: string; nonce: string; invite: string | undefined }

/** A hash, because anything can be claimed. */
function usedReturn({ state, nonce }: Pick<Return, 'state' | 'nonce'>): string {
  return hashOfToken(`${state} ${nonce}`)
}

/** A prefetch must use nothing up (SIGN-32). */
async function answerPrefetch({ headers }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-moz']]
  const isPrefetch = purposes.some((purpose) => /prefetch|prerender|preview/i.test(String(purpose)))
  return isPrefetch ? reply.code(204).send() : undefined
}

/** Adds to the count of a key, which begins anew each minute, and returns it. */
function countInMinutes(clock: () => number): (key: string, by: number) => number {
  let minute = 0
  const counts = new Map<string, number>()
  return (key, by) => {
    const now = Math.floor(clock() / 60_000)
    if (now !== minute) counts.clear()
    minute = now
    const count = (counts.get(key) ?? 0) + by
    counts.set(key, count)
    return count
  }
}

/** Opens a session and returns the landing page, with four values in its query (SIGN-8). */
async function openSession(
  deps: Deps,
  steamId: SteamId,
  request: FastifyRequest,
  requireAllowed: (tx: Tx) => Promise<void>,
): Promise<Landing> {
  // In a public demo others share the account, and see its sessions.
  const userAgent = deps.config.demo === 'public' ? '' : (request.headers['user-agent'] ?? '')
  const profile = await deps.sync.readProfile(steamId)
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

export function sessionHandlers({ database, sessionUse, clock }: Deps) {
  return {
    // All parallel swaps succeed; only the token of the last one stays valid (SIGN-17).
    exchangeToken: async ({ caller }) => {
      if (caller.kind !== 'handover') throw new AppError('forbidden', { reason: 'only_handover_tokens' })
      const [token, now] = [newToken(), clock()]
      const { tokenHash: handoverHash, browserHash } = caller
      const values = {
        handoverHash,
        tokenHash: hashOfToken(token),
        now,
        expiresAt: sessionEnd('lasting', now),
      }
      const swapped =
        browserHash !== undefined &&
        (await database.transaction((tx) => swapHandover(database, tx, { ...values, browserHash })))
      if (swapped) return { token }
      // Since this request was authenticated, the lasting token may have been used or the session may have ended.
      if (!(await findHandover(database, handoverHash, now))) throw new AppError('not_signed_in')
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

/** The query string exactly as sent; parsing it here would hide duplicate parameters. */
function queryOf(request: FastifyRequest): string {
  const start = request.url.indexOf('?')
  return start === -1 ? '' : request.url.slice(start + 1)
}

/** How long a visitor may take to sign in at Steam, in seconds. */
const STATE_SECONDS = 600
/** More sign-ins of one browser end the oldest ones, so that their cookies stay small. */
const AT_ONCE = 10

/**
 * States as text: the time of issue in base 36, 128 random bits, and the HMAC of both.
 * @param hash the keyed hash of the installation (`storage/installation.ts`)
 * @param clock milliseconds since 1970
 */
function createSignInStates(publicUrl: string, hash: (text: string) => string, clock: () => number) {
  // Lax, because the browser must send it when it returns from Steam, which is another site.
  const { prefix, options } = cookieOptions(publicUrl, {
    path: '/auth/steam',
    sameSite: 'lax',
    maxAge: STATE_SECONDS,
  })
  const names = `${prefix}shelfmates_sign_in_`

  /** The name of a state's cookie, if this installation issued the state less than ten minutes ago. */
  function cookieOf(state: string): string | undefined {
    const [, payload = '', issuedAt = '', id = '', mac = ''] =
      /^(([0-9a-z]{1,11})\.([A-Za-z0-9_-]{22}))\.([A-Za-z0-9_-]{43})$/.exec(state) ?? []
    const isOurs = mac !== '' && timingSafeEqual(Buffer.from(mac), Buffer.from(hash(payload)))
    const isLate = clock() - parseInt(issuedAt, 36) > STATE_SECONDS * 1000
    return isOurs && !isLate ? names + id : undefined
  }

  return {
    /** Begins a sign-in and sets its cookie; returns the state. @param invite the link that the visitor came by (OPER-8) */
    begin(request: FastifyRequest, reply: FastifyReply, invite: string | undefined): string {
      const others = Object.entries(request.cookies).filter(([name]) => name.startsWith(names))
      const byAge = others.sort(([, a = ''], [, b = '']) => parseInt(b, 36) - parseInt(a, 36))
      for (const [name] of byAge.slice(AT_ONCE - 1)) void reply.clearCookie(name, options)
      const id = randomBytes(16).toString('base64url')
      const payload = `${clock().toString(36)}.${id}`
      const state = `${payload}.${hash(payload)}`
      void reply.setCookie(names + id, invite === undefined ? state : `${state}~${invite}`, options)
      return state
    },

    /**
     * The sign-in with this state, if this installation issued it to this browser less than ten minutes ago; needs no
     * query.
     */
    find(request: FastifyRequest, state: string): { invite: string | undefined } | undefined {
      const name = cookieOf(state)
      const [own, invite] = (name && request.cookies[name])?.split('~') ?? []
      return own === state ? { invite: asLinkToken(invite) || undefined } : undefined
    },
  }
}
