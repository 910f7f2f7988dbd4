/** Sessions, by the hash of their token (CONTRACT.md 'Sign-in' 4). */
import type { SteamId } from '#shared/entities.ts'
import type { Selectable } from 'kysely'
import { inChunks } from './chunks.ts'
import { prepared } from './prepared.ts'
import type { Queries, SessionsTable, Tx } from './schema.ts'

export type SessionRow = Selectable<SessionsTable>

export type NewSession = {
  steamId: SteamId
  tokenHash: string
  kind: SessionsTable['kind']
  now: number
  expiresAt: number
  userAgent: string
}

/** Opens a session; the person must have a row. */
export async function createSession(db: Queries | Tx, session: NewSession): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      steam_id: session.steamId,
      token_hash: session.tokenHash,
      kind: session.kind,
      created_at: session.now,
      last_used_at: session.now,
      expires_at: session.expiresAt,
      user_agent: session.userAgent,
      browser_hash: null,
      handover_hash: null,
      handover_until: null,
    })
    .execute()
}

/** The session of a token, unless it has ended. */
export async function findSession(
  db: Queries | Tx,
  tokenHash: string,
  now: number,
): Promise<SessionRow | undefined> {
  return (await sessionOfToken(db, { tokenHash, now }))[0]
}
const sessionOfToken = prepared<{ tokenHash: string; now: number }, SessionRow>((db, value) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('token_hash', '=', value('tokenHash'))
    .where('expires_at', '>', value('now')),
)

/** Notes that these sessions were used, which moves their ends. */
export async function touchSessions(
  db: Queries | Tx,
  sessionIds: readonly number[],
  lastUsedAt: number,
  expiresAt: number,
): Promise<void> {
  await inChunks(sessionIds, (chunk) =>
    db
      .updateTable('sessions')
      .set({ last_used_at: lastUsedAt, expires_at: expiresAt })
      .where('session_id', 'in', chunk)
      .execute(),
  )
}

/**
 * Turns a hand-over session into a lasting one with another token. One statement, so of parallel swaps exactly
 * one finds the old token; false for the others.
 */
export async function swapHandover(
  db: Queries | Tx,
  oldHash: string,
  newHash: string,
  now: number,
  expiresAt: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ token_hash: newHash, kind: 'lasting', last_used_at: now, expires_at: expiresAt })
    .where('token_hash', '=', oldHash)
    .where('kind', '=', 'handover')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Ends the session of a token. */
export async function deleteSessionByHash(db: Queries | Tx, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

/** Ends one of somebody's sessions; false when they have none of that number. */
export async function deleteSession(db: Queries | Tx, steamId: SteamId, sessionId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('steam_id', '=', steamId)
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Ends all of somebody's sessions. */
export async function deleteSessionsOf(db: Queries | Tx, steamId: SteamId): Promise<void> {
  await db.deleteFrom('sessions').where('steam_id', '=', steamId).execute()
}

/** Somebody's sessions that have not ended, last used first. */
export function listSessions(db: Queries | Tx, steamId: SteamId, now: number): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('steam_id', '=', steamId)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('session_id', 'desc')
    .execute()
}

/** Removes sessions that have ended; how many there were. */
export async function deleteExpiredSessions(db: Queries | Tx, now: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('sessions').where('expires_at', '<=', now).executeTakeFirst()
  return Number(numDeletedRows)
}
