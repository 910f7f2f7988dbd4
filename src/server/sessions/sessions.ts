/**
 * Bearer tokens, authentication, cookies of sign-in (SIGN-2, SIGN-12), and when sessions were last used (SIGN-24). Uses are
 * written in batches, because every write must be durable on disk, and a busy server has many returning people each second.
 * Requirements: PERM-3, SIGN-16.
 */
import { hash, randomBytes } from 'node:crypto'
import type { SteamId } from '#shared/entities.ts'
import { SESSIONS_MAX } from '#shared/limits.ts'
import type { Config } from '../config.ts'
import type { ReadCache } from '../cache/read-cache.ts'
import { AppError } from '../errors.ts'
import type { Database } from '../database/database.ts'
import {
  createSession,
  endLeastUsedSessions,
  findHandover,
  listSessions,
  recordUse,
  type SessionRow,
  touchSessions,
} from '../storage/accounts/sessions.ts'
import type { Tx } from '../database/schema.ts'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyBaseLogger } from 'fastify'

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

/**
 * Opens a session for a user who has just signed in; returns the hand-over token for the URL, and the cookie that is needed
 * to swap it. At the maximum number of sessions, their least recently used one ends (LIM-14). The transaction must have locked the user's row, so that parallel sign-ins are counted correctly.
 */
export async function openHandover(
  tx: Tx,
  steamId: SteamId,
  userAgent: string,
  now: number,
): Promise<{ token: string; browserSecret: string }> {
  const [token, browserSecret] = [newToken(), newToken()]
  const [token_hash, expires_at] = [hashOfToken(token), sessionEnd('handover', now)]
  await endLeastUsedSessions(tx, steamId, SESSIONS_MAX - 1, now)
  await createSession(tx, {
    steam_id: steamId,
    token_hash,
    kind: 'handover',
    created_at: now,
    last_used_at: now,
    expires_at,
    user_agent: userAgent.slice(0, 200),
    browser_hash: hashOfToken(browserSecret),
    handover_hash: token_hash,
    handover_until: expires_at,
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
const HANDOVER_SECONDS = 60

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

/** A lasting session ends after this time without use. */
export const LASTING_MS = 30 * 24 * 60 * 60 * 1000
/** Uses this soon after the last recorded one are not recorded, unless the order of a user's sessions matters. */
const SAME_USE_MS = 5 * 60 * 1000
/** The first use after this time is written before the response, because a batch is lost when the server is killed. */
const WRITE_FIRST_AFTER_MS = 24 * 60 * 60 * 1000
const BATCH_MS = 10_000
/** Sessions whose latest use is held in memory. */
const IN_MEMORY_MAX = 100_000

type UsedSession = Pick<SessionRow, 'session_id' | 'token_hash' | 'kind' | 'last_used_at' | 'handover_hash'>

export type SessionUse = {
  /** Adds a use to the next batch if it is due; false when the use must be written with {@link writeAtOnce} instead. */
  note(session: UsedSession): boolean
  /**
   * Writes a use before the response; concurrent requests share one write. False when another swap has replaced the
   * token. Where nothing can be written, such as on a full disk, a session goes on that was used before.
   */
  writeAtOnce(session: UsedSession): Promise<boolean>
  /**
   * Writes the latest uses of a user's sessions that this server has seen, for the list of sessions and for finding the
   * one that was unused for longest (LIM-14).
   */
  writeUsesOf(steamId: SteamId): Promise<void>
  /** Writes the batch now and never rejects; called by a timer, and when the server stops. */
  write(): Promise<void>
}

/** Records the uses of sessions on one server. */
export function createSessionUse({
  database,
  clock,
  log,
}: {
  database: Database
  clock: () => number
  log: FastifyBaseLogger
}): SessionUse {
  let batch = new Set<number>()
  const beingWritten = new Map<string, Promise<boolean>>()
  /** Time of the latest use, by session id; cleared when full, which only costs precision. */
  const latest = new Map<number, number>()

  async function write(): Promise<void> {
    const sessionIds = [...batch]
    batch = new Set()
    if (sessionIds.length === 0) return
    try {
      const now = clock()
      await database.transaction((tx) => touchSessions(tx, sessionIds, now, now + LASTING_MS))
    } catch (error) {
      // The next use of each session is recorded instead.
      log.warn({ err: error }, 'uses of sessions could not be written')
    }
  }

  return {
    note({ session_id, kind, last_used_at, handover_hash }) {
      // The first use of the lasting token must be written: it ends the hand-over token.
      if (kind === 'lasting' && handover_hash !== null) return false
      if (kind !== 'lasting') return true
      const now = clock()
      if (latest.size >= IN_MEMORY_MAX) latest.clear()
      latest.set(session_id, now)
      const sinceRecorded = now - last_used_at
      if (sinceRecorded <= SAME_USE_MS) return true
      if (sinceRecorded > WRITE_FIRST_AFTER_MS) return false
      if (batch.size === 0) setTimeout(() => void write(), BATCH_MS).unref()
      batch.add(session_id)
      return true
    },

    async writeUsesOf(steamId) {
      for (const { session_id, last_used_at } of await listSessions(database.queries, steamId, clock())) {
        const usedAt = latest.get(session_id) ?? 0
        if (usedAt > last_used_at)
          await database.transaction((tx) => touchSessions(tx, [session_id], usedAt, usedAt + LASTING_MS))
      }
    },

    writeAtOnce(session) {
      const running = beingWritten.get(session.token_hash)
      if (running) return running
      const now = clock()
      const written = database
        .transaction((tx) => recordUse(tx, session, now, now + LASTING_MS))
        .catch((error: unknown) => {
          // The first use of a token ends others, so it must be written.
          if (session.handover_hash !== null) throw error
          log.warn({ err: error }, 'the use of a session could not be written')
          return true
        })
        .finally(() => beingWritten.delete(session.token_hash))
      beingWritten.set(session.token_hash, written)
      return written
    },

    write,
  }
}
