/**
 * Bearer tokens and authentication (SIGN-12, SIGN-24).
 * Requirements: PERM-3, SIGN-16.
 */
import { hash, randomBytes } from 'node:crypto'
import type { SteamId } from '#shared/entities.ts'
import { SESSIONS_MAX } from '#shared/limits.ts'
import type { Config } from '../config.ts'
import type { ReadCache } from '../cache/read-cache.ts'
import { AppError } from '../errors.ts'
import type { Database } from '../database/database.ts'
import { createSession, endLeastUsedSessions, findHandover } from '../storage/sessions.ts'
import type { Tx } from '../database/schema.ts'
import { LASTING_MS, type SessionUse } from './activity.ts'
import type { CookieSerializeOptions } from '@fastify/cookie'

/** The session of a call; `tokenHash` is never logged. */
export type SessionInfo = {
  sessionId: number
  kind: 'handover' | 'lasting'
  tokenHash: string
  /** SHA-256 of the browser cookie set at sign-in, hex; for calls with a hand-over token. */
  browserHash?: string | undefined
}

/** A new opaque token of 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 of a token, hex; the server stores only this. */
export function hashOfToken(token: string): string {
  return hash('sha256', token)
}

/** When a session of this kind ends if it is not used after `now`. */
export function sessionEnd(kind: SessionInfo['kind'], now: number): number {
  return now + (kind === 'handover' ? HANDOVER_SECONDS * 1000 : LASTING_MS)
}

/** What a browser gets at sign-in: the hand-over token in the URL, and the cookie that is needed to swap it. */
export type Handover = { token: string; browserSecret: string }

/**
 * Opens a session for a user who has just signed in. At the maximum number of sessions, their least recently used one
 * ends (LIM-14). The transaction must have locked the user's row, so that parallel sign-ins are counted correctly.
 */
export async function openHandover(
  tx: Tx,
  steamId: SteamId,
  userAgent: string,
  now: number,
): Promise<Handover> {
  const [token, browserSecret] = [newToken(), newToken()]
  await endLeastUsedSessions(tx, steamId, SESSIONS_MAX - 1, now)
  await createSession(tx, {
    steamId,
    tokenHash: hashOfToken(token),
    browserHash: hashOfToken(browserSecret),
    kind: 'handover',
    now,
    expiresAt: sessionEnd('handover', now),
    userAgent: userAgent.slice(0, 200),
  })
  return { token, browserSecret }
}

/**
 * SHA-256 of a request's bearer token; undefined when it has none or the format is wrong. Only the Authorization header
 * counts, not cookies or the query.
 */
export function tokenHashOf(request: {
  headers: { authorization?: string | undefined }
}): string | undefined {
  const token = /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(request.headers.authorization ?? '')?.[1]
  return token === undefined ? undefined : hashOfToken(token)
}

/** The authenticated user and session. */
export type AuthContext = { user: SteamId; caller: SessionInfo }

type AuthDeps = { readCache: ReadCache; sessionUse: SessionUse; clock: () => number }

/**
 * Authenticates a request by its {@link tokenHashOf}; the database must have been polled since it arrived.
 * @throws AppError not_signed_in
 */
export async function authenticate(deps: AuthDeps, tokenHash: string): Promise<AuthContext> {
  const found = await deps.readCache.session(tokenHash, deps.clock())
  if (!found) throw new AppError('not_signed_in')
  if (!deps.sessionUse.note(found) && !(await deps.sessionUse.writeAtOnce(found)))
    throw new AppError('not_signed_in')
  return { user: found.steam_id, caller: { sessionId: found.session_id, kind: found.kind, tokenHash } }
}

/**
 * Like {@link authenticate}, but accepts a hand-over token for its 60 seconds even after it was swapped; for calls that
 * a page must be able to repeat when the response was lost (SIGN-17).
 * @throws AppError not_signed_in
 */
export async function authenticateHandover(
  deps: AuthDeps & { config: Pick<Config, 'publicUrl'>; database: Database },
  tokenHash: string,
  cookies: Record<string, string | undefined>,
): Promise<AuthContext> {
  const session = await findHandover(deps.database, tokenHash, deps.clock())
  if (!session) return authenticate(deps, tokenHash)
  const browserSecret = cookies[browserCookie(deps.config.publicUrl).name]
  const caller: SessionInfo = {
    sessionId: session.session_id,
    kind: 'handover',
    tokenHash,
    browserHash: browserSecret === undefined ? undefined : hashOfToken(browserSecret),
  }
  return { user: session.steam_id, caller }
}

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
