/**
 * The time of all servers of one database (OPS-35): the database's, so that leases, limits, sessions and nonces are the
 * same on every server, whatever the clock of its machine says.
 */
import type { Database } from './database.ts'

const READ_EVERY_MS = 30_000
/** A reading that took longer is too vague; the next one is used. */
const TAKES_AT_MOST_MS = 1000
type Options = {
  database: Pick<Database, 'time'>
  /** The clock of this machine. */
  local?: () => number
  readEveryMs?: number
}

/**
 * Reads the database's time now and every 30 seconds; in between, and during an outage, this machine's clock goes on from
 * there. A machine whose clock is set while the server runs is wrong for that long at most.
 */
export async function followDatabaseClock({
  database,
  local = Date.now,
  readEveryMs = READ_EVERY_MS,
}: Options) {
  const timeOf = database.time
  if (!timeOf) return { now: local, stop: () => {} }
  let aheadMs: number | undefined

  async function read(): Promise<void> {
    const [at, startedAt] = [local(), performance.now()]
    const time = await timeOf!()
    const tookMs = performance.now() - startedAt
    // Read at some moment in between: a smaller difference may be none.
    const uncertainMs = tookMs / 2
    const foundMs = Math.round(time - at - uncertainMs)
    const isVague = tookMs > TAKES_AT_MOST_MS || Math.abs(foundMs - (aheadMs ?? 0)) <= uncertainMs
    if (aheadMs === undefined || !isVague) aheadMs = foundMs
  }

  await read()
  const timer = setInterval(() => {
    // It is read again later; an outage is logged where it begins (`postgres.ts`).
    read().catch(() => {})
  }, readEveryMs)
  timer.unref()
  return {
    /** Milliseconds since 1970. */
    now: () => local() + aheadMs!,
    stop: () => clearInterval(timer),
  }
}
