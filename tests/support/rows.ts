/** Rows for tests and benches. */
import { randomBytes } from 'node:crypto'
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

/** Adds so many pictures, each of a megabyte of noise unless `bytesOf` says otherwise. */
export async function insertPictures(
  tx: Tx,
  count: number,
  bytesOf = (_nth: number) => randomBytes(2 ** 20),
) {
  for (let n = 0; n < count; n++)
    await tx
      .insertInto('pictures')
      .values({ picture_key: `p${n}`, bytes: bytesOf(n), created_at: n })
      .execute()
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

/** A sync of a player's own games, which is running unless `row` says otherwise. */
export function insertSync(
  tx: Tx,
  row: Pick<Schema['syncs'], 'steam_id'> & Partial<Insertable<Schema['syncs']>>,
): Promise<unknown> {
  const rest = { kind: 'games', target: row.steam_id, started_at: 1, finished_at: null } as const
  const running = { result: 'running', counted: 1, item_count: null } as const
  return tx
    .insertInto('syncs')
    .values({ ...rest, ...running, ...row })
    .execute()
}

/** A profile as Steam returns it, of somebody who is offline. */
export const profileOf = (steamId: SteamId, displayName: string | null) => ({
  steamId,
  displayName,
  avatarUrl: null,
  personastate: 0,
  playing: null,
  playingAppid: null,
})

/** Those of `ids` who are connected with `me`, as the database has it. */
export async function connectedWith(
  db: Queries | Tx,
  me: SteamId,
  ids: readonly SteamId[],
): Promise<Set<SteamId>> {
  return connectedAmong(storedConnections(db), me, [...(await readPlayers(db, ids)).values()])
}
