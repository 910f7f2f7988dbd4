/** The processes of a database and their heartbeat (OPER-4). */
import type { Queries, ServersTable, Tx } from '../database/schema.ts'

/** A failed response: how often in the last hour, and when last. */
export type ErrorCount = { status: number; code: string; route: string; count: number; last_at: number }

/** What a server publishes to the others. */
export type ServerCounters = { errors: readonly ErrorCount[]; memory_bytes: number }

export type ServerRow = Omit<ServersTable, 'counters' | 'stopped_at'> & ServerCounters

/** A server as the others see it; `stopped_at` is null while it runs, or when it was killed. */
export type SeenServer = ServerRow & { stopped_at: number | null }

/** Writes a server's heartbeat. */
export async function writeServer(
  db: Queries | Tx,
  { server_id, version, started_at, seen_at, ...counters }: ServerRow,
): Promise<void> {
  const row = { version, started_at, seen_at, counters: JSON.stringify(counters satisfies ServerCounters) }
  await db
    .insertInto('servers')
    .values({ server_id, ...row })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(row))
    .execute()
}

/** Notes that a server was stopped; its errors stay. */
export async function noteStop(db: Queries, serverId: string, at: number): Promise<void> {
  await db.updateTable('servers').set({ stopped_at: at }).where('server_id', '=', serverId).execute()
}

/** All servers seen since a time, latest first. */
export async function listServers(db: Queries, since: number): Promise<SeenServer[]> {
  const rows = await db
    .selectFrom('servers')
    .select(['server_id', 'version', 'started_at', 'seen_at', 'stopped_at', 'counters'])
    .where('seen_at', '>=', since)
    .orderBy('seen_at', 'desc')
    .orderBy('server_id')
    .execute()
  return rows.map(({ counters, ...row }) => ({ ...row, ...(JSON.parse(counters) as ServerCounters) }))
}
