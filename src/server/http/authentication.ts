/** Bearer tokens: how they are made, and whose request this is (CONTRACT.md 'Sign-in' 3 and 4). */
import { hash, randomBytes } from 'node:crypto'
import type { SteamId } from '#shared/entities.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { DatabaseState } from '../storage/database.ts'
import { createSession } from '../storage/sessions.ts'
import type { Queries, Tx } from '../storage/schema.ts'
import type { Caller } from './handlers.ts'
import { LASTING_MS } from './session-use.ts'

const HANDOVER_MS = 60_000

/** A new opaque token of 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 of a token, hex: all that the server keeps of it. */
export function hashOfToken(token: string): string {
  return hash('sha256', token)
}

/** When a session of this kind ends if it is not used from `now` on. */
export function sessionEnd(kind: Caller['kind'], now: number): number {
  return now + (kind === 'handover' ? HANDOVER_MS : LASTING_MS)
}

/** Opens a hand-over session for somebody who has just proved who they are, and returns its token. */
export async function openHandover(
  db: Queries | Tx,
  steamId: SteamId,
  userAgent: string,
  now: number,
): Promise<string> {
  const token = newToken()
  await createSession(db, {
    steamId,
    tokenHash: hashOfToken(token),
    kind: 'handover',
    now,
    expiresAt: sessionEnd('handover', now),
    userAgent: userAgent.slice(0, 200),
  })
  return token
}

/**
 * SHA-256 of the bearer token a request came with; undefined when it has none, or one that none of ours can be. Only
 * the header Authorization counts: neither a cookie nor the query signs anybody in.
 */
export function tokenHashOf(request: {
  headers: { authorization?: string | undefined }
}): string | undefined {
  const token = /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(request.headers.authorization ?? '')?.[1]
  return token === undefined ? undefined : hashOfToken(token)
}

/** Whose request it is, and where the database stood when it began. */
export type Who = { user: SteamId; caller: Caller; state: DatabaseState }

/**
 * Whose request this is, by {@link tokenHashOf}.
 * @throws AppError not_signed_in
 */
export async function authenticate(
  deps: Pick<Deps, 'recall' | 'sessionUse' | 'clock'>,
  tokenHash: string | undefined,
): Promise<Who> {
  if (tokenHash === undefined) throw new AppError('not_signed_in')
  const state = await deps.recall.refresh()
  const session = await deps.recall.session(tokenHash, deps.clock())
  if (!session) throw new AppError('not_signed_in')
  if (!deps.sessionUse.note(session)) await deps.sessionUse.writeAtOnce(session)
  const caller = { sessionId: session.session_id, kind: session.kind, tokenHash }
  return { user: session.steam_id, caller, state }
}
