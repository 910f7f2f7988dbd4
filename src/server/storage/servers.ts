/** The processes of a database and their signs of life (OPER-6). */
import type { Queries, ServersTable } from '../database/schema.ts'

/** A failed response: how often in the last hour, and when last. */
export type ErrorCount = { status: number; code: string; route: string; count: number; last_at: number }

/** What a server tells the others. */
export type ServerCounters = { errors: readonly ErrorCount[]; memory_bytes: number }

export type ServerRow = Omit<ServersTable, 'counters'> & ServerCounters

/** Writes a server's sign of life. */
export async function writeServer(
  db: Queries,
  { server_id, version, started_at, seen_at, ...counters }: ServerRow,
): Promise<void> {
  const row = { version, started_at, seen_at, counters: JSON.stringify(counters satisfies ServerCounters) }
  await db
    .insertInto('servers')
    .values({ server_id, ...row })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(row))
    .execute()
}

/** All servers seen since a time, latest first. */
export async function listServers(db: Queries, since: number): Promise<ServerRow[]> {
  const rows = await db
    .selectFrom('servers')
    .selectAll()
    .where('seen_at', '>=', since)
    .orderBy('seen_at', 'desc')
    .orderBy('server_id')
    .execute()
  return rows.map(({ counters, ...row }) => ({ ...row, ...(JSON.parse(counters) as ServerCounters) }))
}

/** Deletes servers that were last seen before a time. */
export async function deleteGoneServers(db: Queries, before: number): Promise<void> {
  await db.deleteFrom('servers').where('seen_at', '<', before).execute()
}
