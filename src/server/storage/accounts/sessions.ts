/**
 * Sessions, by the hash of their token (SIGN-24). What ends or replaces sessions of a user locks the user, so that none
 * is replaced while it is ended. Notifications of a device end with its session (PUSH-3).
 */
import type { SteamId } from '#shared/entities.ts'
import type { DeleteQueryBuilder, DeleteResult, Insertable, Selectable } from 'kysely'
import { column } from '../../database/chunks.ts'
import type { Database } from '../../database/database.ts'
import type { Queries, Schema, Tx } from '../../database/schema.ts'
import { changed, changedEverything } from '../../database/cache-tags.ts'
import { lockPlayers } from '../players/players.ts'
import { endSubscriptions, endSubscriptionsOf } from '../notifications/push-subscriptions.ts'

export type SessionRow = Selectable<Schema['sessions']>

const SESSIONS = 'sessions'

/**
 * Locks all sessions until the transaction ends: none is opened or replaced. Take it before row locks; a
 * transaction that opens or replaces a session takes it 'shared'.
 */
export function lockSessions(database: Database, tx: Tx, how?: 'shared'): Promise<void> {
  return database.lock(tx, SESSIONS, how)
}

/** Opens a session; the user must have a row, and the transaction must have called {@link lockSessions}. */
export async function createSession(tx: Tx, session: Insertable<Schema['sessions']>): Promise<void> {
  changed(tx, 'sessions', [session.steam_id])
  await tx.insertInto('sessions').values(session).execute()
}

/** The session of a token, unless it has ended. */
export function findSession(db: Queries | Tx, tokenHash: string, now: number) {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** When the sessions of these tokens end, by token hash; those that have ended at `now` are missing. */
export async function sessionEnds(db: Queries | Tx, tokenHashes: readonly string[], now: number) {
  const rows = await db
    .selectFrom('sessions')
    .select(['token_hash', 'expires_at'])
    .where('token_hash', 'in', tokenHashes)
    .where('expires_at', '>', now)
    .execute()
  return new Map(rows.map((row) => [row.token_hash, row.expires_at]))
}

function changedSessionsOf(tx: Tx, rows: readonly Pick<SessionRow, 'steam_id'>[]): void {
  changed(tx, 'sessions', column(rows, 'steam_id'))
}

/**
 * Records the use of a session, which extends it, and ends its hand-over token, which cannot be swapped after the first
 * use of the lasting token. False when the session has another token by now: of a concurrent use and swap,
 * exactly one succeeds.
 */
export async function recordUse(
  tx: Tx,
  { session_id, token_hash }: Pick<SessionRow, 'session_id' | 'token_hash'>,
  lastUsedAt: number,
  expiresAt: number,
): Promise<boolean> {
  const used = await tx
    .updateTable('sessions')
    .set({
      last_used_at: lastUsedAt,
      expires_at: expiresAt,
      browser_hash: null,
      handover_hash: null,
      handover_until: null,
    })
    .where('session_id', '=', session_id)
    .where('token_hash', '=', token_hash)
    .returning('steam_id')
    .execute()
  changedSessionsOf(tx, used)
  return used.length === 1
}

/** The session of a hand-over token, swapped or not, while that token can still be swapped. */
export async function findHandover(database: Database, handoverHash: string, now: number) {
  const found = await sessionOfHandover(database.queries, handoverHash, now)
  if (found || !database.isDistributed) return found
  // While its token is swapped, its row may be on no machine.
  return database.transaction(async (tx) => {
    await database.lock(tx, lockOfHandover(handoverHash), 'shared')
    return sessionOfHandover(tx, handoverHash, now)
  })
}

const lockOfHandover = (handoverHash: string) => `handover:${handoverHash}`

function sessionOfHandover(db: Queries | Tx, handoverHash: string, now: number) {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('handover_hash', '=', handoverHash)
    .where('handover_until', '>', now)
    .executeTakeFirst()
}

/**
 * Replaces the token of a hand-over token's session by a new lasting token. Locked, so parallel swaps run one after
 * another and the last token stays valid. False when the hand-over token cannot be swapped, or not by this browser.
 */
export async function swapHandover(
  database: Database,
  tx: Tx,
  swap: { handoverHash: string; browserHash: string; tokenHash: string; now: number; expiresAt: number },
): Promise<boolean> {
  await lockSessions(database, tx, 'shared')
  await database.lock(tx, lockOfHandover(swap.handoverHash))
  const found = await sessionOfHandover(tx, swap.handoverHash, swap.now)
  changedSessionsOf(tx, found ? [found] : [])
  if (!found) return false
  await lockPlayers(tx, [found.steam_id])
  // A new row instead of an update, because a distributed PostgreSQL stores sessions by token.
  const [session] = await tx
    .deleteFrom('sessions')
    .where('handover_hash', '=', swap.handoverHash)
    .where('browser_hash', '=', swap.browserHash)
    .where('handover_until', '>', swap.now)
    .returningAll()
    .execute()
  if (!session) return false
  await tx
    .insertInto('sessions')
    .values({
      ...session,
      token_hash: swap.tokenHash,
      kind: 'lasting',
      last_used_at: swap.now,
      expires_at: swap.expiresAt,
    })
    .execute()
  return true
}

type Deleting = DeleteQueryBuilder<Schema, 'sessions', DeleteResult>

/** Ends sessions, with the notification of the devices that they were on; returns their number. */
async function endSessions(tx: Tx, which: (all: Deleting) => Deleting): Promise<number> {
  const ended = await which(tx.deleteFrom('sessions')).returning(['steam_id', 'session_id']).execute()
  changedSessionsOf(tx, ended)
  await endSubscriptionsOf(tx, ended)
  return ended.length
}

/** Ends all sessions of a user except the `keep` most recently used ones; expired ones are not kept. */
export async function endLeastUsedSessions(
  tx: Tx,
  steamId: SteamId,
  keep: number,
  now: number,
): Promise<void> {
  await lockPlayers(tx, [steamId])
  const kept = (await listSessions(tx, steamId, now)).slice(0, keep)
  await endSessions(tx, (all) =>
    all.where('steam_id', '=', steamId).where('session_id', 'not in', column(kept, 'session_id')),
  )
}

/** Ends one session of a user; false when they have no session with this id. */
export async function deleteSession(tx: Tx, steamId: SteamId, sessionId: number): Promise<boolean> {
  await lockPlayers(tx, [steamId])
  const ended = await endSessions(tx, (all) =>
    all.where('steam_id', '=', steamId).where('session_id', '=', sessionId),
  )
  return ended === 1
}

export async function deleteSessionsOf(tx: Tx, steamId: SteamId): Promise<void> {
  await lockPlayers(tx, [steamId])
  await endSessions(tx, (all) => all.where('steam_id', '=', steamId))
  await endSubscriptions(tx, (all) => all.where('steam_id', '=', steamId))
}

/** Ends the sessions of everyone but one user, also those that are being opened. */
export async function deleteOtherSessions(database: Database, tx: Tx, steamId: SteamId): Promise<void> {
  await lockSessions(database, tx)
  await tx.deleteFrom('sessions').where('steam_id', '!=', steamId).execute()
  await endSubscriptions(tx, (all) => all.where('steam_id', '!=', steamId))
  changedEverything(tx)
}

/** A user's sessions that have not ended, most recently used first. */
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

/** Deletes expired sessions; returns their number. */
export function deleteExpiredSessions(tx: Tx, now: number): Promise<number> {
  return endSessions(tx, (all) => all.where('expires_at', '<=', now))
}
