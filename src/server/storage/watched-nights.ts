/** Game nights that somebody looks at: their versions and players, and the presence of these (NIGHT-40, NIGHT-46). */
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import { column, inChunks } from '../database/chunks.ts'
import { lockRows } from '../database/row-locks.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { listNotReadSince } from './players.ts'

export type WatchedNight = { version: number; players: ReadonlySet<SteamId> }

/**
 * Versions and players of nights, by id; nights that do not exist are missing. Their players are selected by
 * `isInNight`.
 */
export async function readWatchedNights(
  db: Queries | Tx,
  nightIds: readonly number[],
): Promise<Map<number, WatchedNight>> {
  const rows = await inChunks(nightIds, (ids) =>
    db
      .selectFrom('nights')
      .innerJoin('night_people', 'night_people.night_id', 'nights.night_id')
      .select(['nights.night_id', 'nights.version', 'night_people.steam_id'])
      .where('nights.night_id', 'in', ids)
      .where('night_people.gone', '=', 0)
      .execute(),
  )
  return new Map(
    [...Map.groupBy(rows, (row) => row.night_id)].map(([nightId, players]) => [
      nightId,
      { version: players[0]!.version, players: new Set(players.map((row) => row.steam_id)) },
    ]),
  )
}

/**
 * Those of `nightIds` whose presence this server is to read now: nobody has read it since `before`, and the night is
 * neither cancelled nor past.
 */
export async function claimPresence(
  tx: Tx,
  nightIds: readonly number[],
  { now, before }: { now: number; before: number },
): Promise<number[]> {
  // Locked in one order, because two servers may claim the same nights.
  const due = await lockRows(tx, 'night', nightIds, (ids) =>
    tx
      .selectFrom('nights')
      .select('night_id')
      .where('night_id', 'in', ids)
      .where('presence_at', '<=', before)
      .where('status', 'in', ['open', 'tied', 'decided'])
      .where('starts_at', '>', now - NIGHT_LENGTH_MS)
      .orderBy('night_id'),
  )
  const claimed = await inChunks(column(due, 'night_id'), (ids) =>
    tx
      .updateTable('nights')
      .set({ presence_at: now })
      .where('night_id', 'in', ids)
      .where('presence_at', '<=', before)
      .returning('night_id')
      .execute(),
  )
  return claimed.map((row) => row.night_id)
}

/** The players of nights whose profiles were not read since `before`, without deleted accounts. */
export async function listStalePlayers(
  db: Queries | Tx,
  nightIds: readonly number[],
  before: number,
): Promise<SteamId[]> {
  const rows = await inChunks(nightIds, (ids) =>
    db
      .selectFrom('night_people')
      .select('steam_id')
      .distinct()
      .where('night_id', 'in', ids)
      .where('gone', '=', 0)
      .execute(),
  )
  return listNotReadSince(db, [...new Set(rows.map((row) => row.steam_id))], before)
}
