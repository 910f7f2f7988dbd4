/**
 * When sessions were used last (CONTRACT.md 'Sign-in' 4). Uses are written together: after any write every server
 * reads anew what it remembers (`storage/recall.ts`), and on a busy one somebody comes back many times a second.
 */
import type { Deps } from '../deps.ts'
import { type SessionRow, touchSessions } from '../storage/sessions.ts'

/** A lasting session ends when it was not used for so long. */
export const LASTING_MS = 30 * 24 * 60 * 60 * 1000
/** Uses closer than this to the one that is written down count as the same. */
const SAME_USE_MS = 5 * 60 * 1000
/** The first use after so long is written before it is answered: what is written together may be lost with a server. */
const AT_ONCE_MS = 24 * 60 * 60 * 1000
const WRITTEN_EVERY_MS = 10_000

type Used = Pick<SessionRow, 'session_id' | 'kind' | 'last_used_at'>

export type SessionUse = {
  /** Notes that a session is in use; false when {@link writeAtOnce} is due instead. */
  note(session: Used): boolean
  /** Writes a use before its request is answered; those that come together write once. */
  writeAtOnce(session: Used): Promise<void>
  /** Writes what was noted, and never rejects. Happens by itself, but not before a server stops. */
  write(): Promise<void>
}

/** The uses one server notes. */
export function createSessionUse({
  database,
  clock,
  log,
}: Pick<Deps, 'database' | 'clock' | 'log'>): SessionUse {
  let noted = new Set<number>()
  const beingWritten = new Map<number, Promise<void>>()

  function save(sessionIds: readonly number[]): Promise<void> {
    const now = clock()
    return database.transaction((tx) => touchSessions(tx, sessionIds, now, now + LASTING_MS))
  }

  async function write(): Promise<void> {
    const sessionIds = [...noted]
    noted = new Set()
    if (sessionIds.length === 0) return
    try {
      await save(sessionIds)
    } catch (error) {
      // Nothing is lost: what was not written is noted again by the next use.
      log.warn({ err: error }, 'uses of sessions could not be written')
    }
  }

  return {
    note({ session_id, kind, last_used_at }) {
      const unwritten = clock() - last_used_at
      if (kind !== 'lasting' || unwritten <= SAME_USE_MS) return true
      if (unwritten > AT_ONCE_MS) return false
      if (noted.size === 0) setTimeout(() => void write(), WRITTEN_EVERY_MS).unref()
      noted.add(session_id)
      return true
    },

    writeAtOnce({ session_id }) {
      const known = beingWritten.get(session_id)
      if (known) return known
      const written = save([session_id]).finally(() => beingWritten.delete(session_id))
      beingWritten.set(session_id, written)
      return written
    },

    write,
  }
}
