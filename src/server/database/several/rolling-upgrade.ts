/**
 * Migrations beside servers that go on (OPS-38, OPS-40, docs/develop/decisions/017-expand-migrate-contract.md): which
 * steps they can go on beside, and how long they are held up. PostgreSQL only: an SQLite database has one server.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { StorageError } from '../database.ts'
import type { ServersTable, Tx } from '../schema.ts'

/** The lock that a migration holds; a server that begins to serve holds it 'shared' (`storage/servers.ts`). */
export const MIGRATIONS_LOCK = 'migrations'

/**
 * Beside which servers that run a step may be made. `true`: servers of every earlier version go on. `since`: those from
 * this version on, which no longer use what the step removes. `false`: none.
 */
export type Rolling = boolean | { since: `${number}.${number}.${number}` }

/** Times in milliseconds. */
export type Timing = {
  /** How long a step waits for the lock of a table, while everything else that needs the table waits behind it. */
  lockMs: number
  /** How often locks are tried again, and the pause before that, in which everything that has waited goes on. */
  tries: number
  pauseMs: number
  /** How long a statement may hold the lock of a table while other servers use it. */
  statementMs: number
}

export const defaultTiming: Timing = { lockMs: 1000, tries: 30, pauseMs: 1000, statementMs: 5000 }

/** A server gives a heartbeat each minute; it counts as running until it has missed two. */
export const RUNNING_MS = 150_000

/** "lock not available", and "deadlock detected": a transaction of a server was in the way. */
const LOCKED_CODES = new Set(['55P03', '40P01'])
const TOO_LONG_CODE = '57014'

type Server = Pick<ServersTable, 'server_id' | 'version'>

/** The servers that use the database, by their heartbeat. */
async function serversInUse(tx: Tx): Promise<Server[]> {
  // All columns, because the step that adds `stopped_at` may not have been run.
  const { rows } = await sql<Server & { stopped_at?: number | null }>`
    SELECT * FROM servers WHERE seen_at > ${Date.now() - RUNNING_MS} ORDER BY server_id`.execute(tx)
  return rows.filter(({ stopped_at }) => (stopped_at ?? null) === null)
}

/**
 * Before pending steps: refuses them where servers in use cannot go on beside them, and limits how long the rest of the
 * transaction waits for locks.
 * @param isAlone whether no other server can use the database
 * @throws StorageError when servers cannot go on beside the steps
 */
export async function prepareBeside(
  tx: Tx,
  pending: readonly { rolling: Rolling }[],
  { isAlone, timing }: { isAlone: boolean; timing: Timing },
): Promise<void> {
  const others = isAlone ? [] : await serversInUse(tx)
  refuseBeside(others, pending)
  await limitWaiting(tx, { isAlone: others.length === 0, timing })
}

function refuseBeside(servers: readonly Server[], pending: readonly { rolling: Rolling }[]): void {
  const inTheWay = servers.filter(({ version }) => !pending.every((step) => goesOnBeside(step, version)))
  if (inTheWay.length === 0) return
  const names = inTheWay.map(({ server_id, version }) => `${server_id} of version ${version}`).join(', ')
  throw new StorageError(
    `Servers that use the database cannot go on beside a migration of this version (${names}); stop them and start ` +
      'again, or set OTHER_SERVERS=stopped if they do not run any more. Nothing was changed (docs/operate/upgrade.md).',
  )
}

function goesOnBeside({ rolling }: { rolling: Rolling }, version: string): boolean {
  if (typeof rolling === 'boolean') return rolling
  return version.localeCompare(rolling.since, 'en', { numeric: true }) >= 0
}

/**
 * For the rest of the transaction: limits how long it waits for locks, and, beside other servers, how long a statement
 * may take, because tables stay locked. Alone there is no limit: large tables take their time.
 */
async function limitWaiting(
  tx: Tx,
  { isAlone, timing }: { isAlone: boolean; timing: Timing },
): Promise<void> {
  await sql`SET LOCAL lock_timeout = ${sql.lit(timing.lockMs)}`.execute(tx)
  await sql`SET LOCAL statement_timeout = ${sql.lit(isAlone ? 0 : timing.statementMs)}`.execute(tx)
}

/**
 * Runs a migration again while the lock of a table is not free. Each attempt is a transaction of its own, so what was
 * in the way, and everything that waited behind the migration, goes on in between.
 * @throws StorageError when a lock is not free for too long, or a statement takes too long beside other servers
 */
export async function untilLocked<Result>(timing: Timing, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (code === TOO_LONG_CODE)
        throw new StorageError(
          'A migration takes too long beside the servers that use the database; stop them and start again. ' +
            'Nothing was changed (docs/operate/upgrade.md).',
          { cause: error },
        )
      if (!LOCKED_CODES.has(code)) throw error
      if (attempt === timing.tries)
        throw new StorageError(
          'A migration cannot lock a table, because another program uses it for long, such as a backup; start again ' +
            'when that has ended. Nothing was changed (docs/operate/upgrade.md).',
          { cause: error },
        )
      await pause(timing.pauseMs)
    }
  }
}
