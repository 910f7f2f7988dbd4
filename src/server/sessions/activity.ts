/**
 * Records when sessions were last used (SIGN-24). Uses are written in batches, because every write must be
 * durable on disk, and a busy server has many returning people each second.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { SteamId } from '#shared/entities.ts'
import type { Database } from '../database/database.ts'
import { listSessions, type SessionRow, touchSessions, recordUse } from '../storage/sessions.ts'

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
