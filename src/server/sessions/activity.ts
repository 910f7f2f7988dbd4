/**
 * When sessions were used last (SIGN-25). Uses are written together: after any write every server
 * reads anew what it remembers (`cache/read-cache.ts`), and on a busy one somebody comes back many times a second.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/database.ts'
import { type SessionRow, touchSessions, recordUse } from '../storage/sessions.ts'

/** A lasting session ends when it was not used for so long. */
export const LASTING_MS = 30 * 24 * 60 * 60 * 1000
/** Uses closer than this to the one that is written down count as the same. */
const SAME_USE_MS = 5 * 60 * 1000
/** The first use after so long is written before it is answered: what is written together may be lost with a server. */
const AT_ONCE_MS = 24 * 60 * 60 * 1000
const WRITTEN_EVERY_MS = 10_000

type Used = Pick<SessionRow, 'session_id' | 'token_hash' | 'kind' | 'last_used_at' | 'handover_hash'>

export type SessionUse = {
  /** Notes that a session is in use; false when {@link writeAtOnce} is due instead. */
  note(session: Used): boolean
  /**
   * Writes a use before its request is answered; those that come together write once. False when the token was
   * replaced by another swap meanwhile.
   */
  writeAtOnce(session: Used): Promise<boolean>
  /** Writes what was noted, and never rejects. Happens by itself, but not before a server stops. */
  write(): Promise<void>
}

/** The uses one server notes. */
export function createSessionUse({
  database,
  clock,
  log,
}: {
  database: Database
  clock: () => number
  log: FastifyBaseLogger
}): SessionUse {
  let noted = new Set<number>()
  const beingWritten = new Map<string, Promise<boolean>>()

  async function write(): Promise<void> {
    const sessionIds = [...noted]
    noted = new Set()
    if (sessionIds.length === 0) return
    try {
      const now = clock()
      await database.transaction((tx) => touchSessions(tx, sessionIds, now, now + LASTING_MS))
    } catch (error) {
      // Nothing is lost: what was not written is noted again by the next use.
      log.warn({ err: error }, 'uses of sessions could not be written')
    }
  }

  return {
    note({ session_id, kind, last_used_at, handover_hash }) {
      // Its first use, which decides that no swap replaces this token any more.
      if (kind === 'lasting' && handover_hash !== null) return false
      const unwritten = clock() - last_used_at
      if (kind !== 'lasting' || unwritten <= SAME_USE_MS) return true
      if (unwritten > AT_ONCE_MS) return false
      if (noted.size === 0) setTimeout(() => void write(), WRITTEN_EVERY_MS).unref()
      noted.add(session_id)
      return true
    },

    writeAtOnce(session) {
      const known = beingWritten.get(session.token_hash)
      if (known) return known
      const now = clock()
      const written = recordUse(database.queries, session, now, now + LASTING_MS).finally(() =>
        beingWritten.delete(session.token_hash),
      )
      beingWritten.set(session.token_hash, written)
      return written
    },

    write,
  }
}
