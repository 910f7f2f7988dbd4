/**
 * A cache of rows that are valid while the database reports no change (`Database.state`). The next request therefore
 * sees a change made through any server of the same database.
 */
import type { Database, SnapshotToken } from '../database/database.ts'
import { createLruCache } from './lru-cache.ts'

/** The current snapshot of the database. */
export type Snapshots = {
  /**
   * Polls the database; each request does so once, before it reads. Requests in the same turn of the event loop share
   * one poll: all of them were sent before it, so none can know of a later change.
   */
  refresh(): SnapshotToken | Promise<SnapshotToken>
  /** Like {@link refresh}, with its own poll; for a request that has written or waited since it started. */
  refreshNow(): SnapshotToken | Promise<SnapshotToken>
  /** The snapshot of the last poll; undefined before the first. */
  current(): SnapshotToken | undefined
}

/** Tracks the snapshot of a database. `onChange` is called when a poll finds another snapshot. */
export function createSnapshots(database: Pick<Database, 'state'>, onChange: () => void): Snapshots {
  let current: SnapshotToken | undefined
  let shared: SnapshotToken | Promise<SnapshotToken> | undefined
  let lastPoll = 0
  let lastApplied = 0

  /** Polls may overlap; results older than the last one applied are ignored. */
  function apply(poll: number, found: SnapshotToken): SnapshotToken {
    if (poll > lastApplied) {
      lastApplied = poll
      if (found !== current) onChange()
      current = found
    }
    return found
  }

  function refreshNow(): SnapshotToken | Promise<SnapshotToken> {
    const poll = ++lastPoll
    const found = database.state()
    return found instanceof Promise ? found.then((later) => apply(poll, later)) : apply(poll, found)
  }

  return {
    refresh: () => {
      if (shared === undefined) {
        shared = refreshNow()
        setImmediate(() => (shared = undefined))
      }
      return shared
    },
    refreshNow,
    current: () => current,
  }
}

/** Rows by key, each valid in the snapshot it was read in. */
export type SnapshotCache<Key, Row> = {
  get(key: Key): Row | undefined
  /** The cached row, or the result of `read`, which is then cached unless it is undefined. */
  load<Found extends Row | undefined>(key: Key, read: () => Promise<Found>): Promise<Row | Found>
  clear(): void
}

/** A cache of at most `bytes`; `weigh` estimates the memory of a row. */
export function createSnapshotCache<Key, Row>(
  snapshots: Pick<Snapshots, 'current'>,
  bytes: number,
  weigh: (row: Row) => number,
): SnapshotCache<Key, Row> {
  type Entry = { row: Row; snapshot: SnapshotToken }
  const entries = createLruCache<Key, Entry>(bytes, ({ row }) => weigh(row))

  function get(key: Key): Row | undefined {
    const entry = entries.get(key)
    return entry?.snapshot === snapshots.current() ? entry?.row : undefined
  }

  return {
    get,
    async load(key, read) {
      const cached = get(key)
      if (cached !== undefined) return cached
      // Taken before the read: the row may be newer than its snapshot, never older.
      const snapshot = snapshots.current()
      const row = await read()
      if (row !== undefined && snapshot !== undefined) entries.set(key, { row, snapshot })
      return row
    },
    clear: () => entries.clear(),
  }
}
