/** Polls of the table `changes` on PostgreSQL (docs/develop/caching.md). */
import type pg from 'pg'
import type { Changes } from './database.ts'
import { readUnfinished, type Unfinished } from './several/machines.ts'
import { EVERYTHING } from './cache-tags.ts'

/**
 * A server that has not polled for longer starts over, long before changes are deleted, which allows for transactions
 * that take long to commit.
 */
const CHANGES_READ_WITHIN_MS = 5 * 60_000
export const CHANGES_KEPT_MINUTES = 15
/** A server that missed more changes than this starts over. */
const CHANGES_MAX = 10_000
/**
 * The cache tags changed by transactions that the snapshot of the last poll did not see, and this poll's own
 * snapshot. The whole statement uses that one snapshot: a commit is either in it or found by the next poll.
 */
const CHANGES = {
  name: 'changes',
  text: `SELECT pg_current_snapshot()::text AS snapshot, ARRAY(
    SELECT subject FROM changes WHERE transaction_id >= pg_snapshot_xmin($1::pg_snapshot)
    AND NOT pg_visible_in_snapshot(transaction_id, $1::pg_snapshot) LIMIT ${CHANGES_MAX + 1}) AS tags`,
}

type Position = {
  snapshot: string
  at: number
  /** Number of connections that had broken. */
  breaks: number
  unfinished: Unfinished | undefined
}
type Run = <Row extends pg.QueryResultRow>(query: pg.QueryConfig) => Promise<pg.QueryResult<Row>>

/** Reads the changes since a position; `connectionBroke` is to be called when a connection breaks. */
export function createChangesReader(run: Run, isDistributed: () => boolean) {
  let breaks = 0

  return {
    connectionBroke: () => void breaks++,

    changesSince: async (position: Changes['position'] | undefined): Promise<Changes> => {
      const last = position?.opaque as Position | undefined
      const now = performance.now()
      const breaksBefore = breaks
      const finished = isDistributed()
        ? await readUnfinished(run, last?.unfinished, { now, most: CHANGES_MAX + 1 })
        : undefined
      const { rows } = await run<{ snapshot: string; tags: string[] }>({
        ...CHANGES,
        values: [last?.snapshot ?? null],
      })
      const tags = [...(finished?.tags ?? []), ...rows[0]!.tags]
      const isComplete =
        last !== undefined &&
        now - last.at < CHANGES_READ_WITHIN_MS &&
        tags.length <= CHANGES_MAX &&
        // When the coordinator fails, a worker may have committed what the coordinator has not stored.
        !(isDistributed() && last.breaks !== breaksBefore)
      const opaque: Position = {
        snapshot: rows[0]!.snapshot,
        at: now,
        breaks: breaksBefore,
        unfinished: finished?.unfinished,
      }
      return { position: { opaque }, changes: isComplete ? tags : [EVERYTHING] }
    },
  }
}
