/** Tokens, cookies of sign-in (SIGN-2, SIGN-12), and when sessions were last used (SIGN-24). */
import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { SteamId } from '#shared/entities.ts'
import { SESSIONS_MAX } from '#shared/limits.ts'
import type { Database } from '../database/database.ts'
import {
  createSession,
  endLeastUsedSessions,
  listSessions,
  recordUse,
  type SessionRow,
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
 * to swap it. At the maximum number of sessions, their least recently used one ends (LIM-14). The transaction
 * must have locked the user's row, so that parallel sign-ins are counted correctly.
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
/** Sessions whose latest use is held in memory; forgetting one only costs precision. */
const IN_MEMORY_MAX = 100_000

type UsedSession = Pick<SessionRow, 'session_id' | 'token_hash' | 'kind' | 'last_used_at' | 'handover_hash'>

export function createSessionUse({
  database,
  clock,
  log,
}: {
  database: Database
  clock: () => number
  log: FastifyBaseLogger
}) {
  const beingWritten = new Map<string, Promise<boolean>>()
  /** Time of the latest use, by session id. */
  const latest = new LRUCache<number, number>({ max: IN_MEMORY_MAX })

  /** Where nothing can be written, such as on a full disk, a session goes on that was used before. */
  async function write(session: UsedSession, usedAt: number): Promise<boolean> {
    try {
      return await database.transaction((tx) => recordUse(tx, session, usedAt, usedAt + LASTING_MS))
    } catch (error) {
      // The first use of a token ends others, so it must be written.
      if (session.handover_hash !== null) throw error
      log.warn({ err: error }, 'the use of a session could not be written')
      return true
    }
  }

  return {
    /**
     * Records a use if it is due; concurrent requests share one write. False when another swap has replaced the token.
     */
    async record(session: UsedSession): Promise<boolean> {
      const { session_id, token_hash, kind, last_used_at, handover_hash } = session
      if (kind !== 'lasting') return true
      const now = clock()
      latest.set(session_id, now)
      // The first use of the lasting token is always due: it ends the hand-over token.
      if (handover_hash === null && now - last_used_at <= SAME_USE_MS) return true
      const written =
        beingWritten.get(token_hash) ?? write(session, now).finally(() => beingWritten.delete(token_hash))
      beingWritten.set(token_hash, written)
      return written
    },

    /**
     * Writes the latest uses of a user's sessions that this server has seen, for the list of sessions and for finding the
     * one that was unused for longest (LIM-14).
     */
    async writeUsesOf(steamId: SteamId): Promise<void> {
      for (const session of await listSessions(database.queries, steamId, clock())) {
        const usedAt = latest.get(session.session_id) ?? 0
        if (usedAt > session.last_used_at) await write(session, usedAt)
      }
    },
  }
}
