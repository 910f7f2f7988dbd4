/** Rows for tests and benches. */
import type { Insertable } from 'kysely'
import type { SteamId } from '#shared/entities.ts'
import type { Database } from '../../src/server/database/database.ts'
import type { Queries, Schema, Tx } from '../../src/server/database/schema.ts'
import { changedEverything } from '../../src/server/database/cache-tags.ts'
import { connectedAmong, storedConnections } from '../../src/server/storage/players/friends.ts'
import { readPlayers } from '../../src/server/storage/players/players.ts'

/** Writes rows without the functions of `storage`, and records that everything may have changed. */
export function writeRows<Result>(database: Database, write: (tx: Tx) => Promise<Result>): Promise<Result> {
  return database.transaction((tx) => {
    changedEverything(tx)
    return write(tx)
  })
}

/** Puts a player's library on the refresh list, as another player's sync does. */
export function insertRefresh(
  tx: Tx,
  row: Pick<Schema['refreshes'], 'steam_id' | 'requested_by'> & Partial<Insertable<Schema['refreshes']>>,
): Promise<unknown> {
  const rest = {
    requested_at: 1,
    games_due: 1,
    friends_due: 0,
    priority: 1,
    attempts: 0,
    next_attempt_at: 1,
  } as const
  return tx
    .insertInto('refreshes')
    .values({ ...rest, lease_owner: null, lease_until: 0, ...row })
    .execute()
}

/** Those of `ids` who are connected with `me`, as the database has it. */
export async function connectedWith(
  db: Queries | Tx,
  me: SteamId,
  ids: readonly SteamId[],
): Promise<Set<SteamId>> {
  return connectedAmong(storedConnections(db), me, [...(await readPlayers(db, ids)).values()])
}
