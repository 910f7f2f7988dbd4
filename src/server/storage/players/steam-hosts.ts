/** State of the outgoing calls of all servers: one row per host of Steam, and a count per host and day. */
import type { Selectable } from 'kysely'
import { upsert } from '../../database/chunks.ts'
import type { Queries, Schema, Tx } from '../../database/schema.ts'

export type HostState = Omit<Selectable<Schema['platform_hosts']>, 'host'>

/** The state of a host that no request was sent to yet. */
const blankHost: HostState = {
  blocked_until: 0,
  blocked_by: null,
  next_call_at: 0,
}

/** The state of a host. To change it, read it while holding the host's lock. */
export async function readHost(db: Queries | Tx, host: string): Promise<HostState> {
  const row = await db
    .selectFrom('platform_hosts')
    .select(['blocked_until', 'blocked_by', 'next_call_at'])
    .where('host', '=', host)
    .executeTakeFirst()
  return row ?? blankHost
}

export function writeHost(tx: Tx, host: string, state: HostState): Promise<void> {
  return upsert(tx, 'platform_hosts', { host }, state)
}

/** The number of calls to a host on a day (`2026-01-31`, UTC). */
export async function readCalls(db: Queries | Tx, host: string, day: string): Promise<number> {
  const row = await db
    .selectFrom('platform_days')
    .select('calls')
    .where('host', '=', host)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.calls ?? 0
}

export async function addCall(tx: Tx, host: string, day: string): Promise<void> {
  await tx
    .insertInto('platform_days')
    .values({ host, day, calls: 1 })
    .onConflict((conflict) =>
      conflict.columns(['host', 'day']).doUpdateSet((eb) => ({ calls: eb('platform_days.calls', '+', 1) })),
    )
    .execute()
}

/** Day of a time, UTC: `2026-01-31`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
