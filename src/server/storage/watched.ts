/** What open pages are told of: groups and nights with their people, and the presence of these (LIVE-2, NIGHT-46). */
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import { column, inChunks } from '../database/chunks.ts'
import { lockRows } from '../database/row-locks.ts'
import type { Queries, Tx } from '../database/schema.ts'
import type { NightPlayerRow } from './nights.ts'
import { listNotReadSince } from './players.ts'

/** A night as far as it decides whom its changes concern. */
export type WatchedNight = {
  groupId: number | null
  host: SteamId | null
  /** Its players, and how each came to it. */
  players: ReadonlyMap<SteamId, Pick<NightPlayerRow, 'answer'> & { isAdded: boolean }>
  /** Changes with everything that lists of nights show of it. */
  listed: string
}

/** The groups that each of these players is in, joined or not. */
export function readMemberships(db: Queries, steamIds: readonly SteamId[]) {
  return inChunks(steamIds, (ids) =>
    db.selectFrom('group_members').select(['steam_id', 'group_id']).where('steam_id', 'in', ids).execute(),
  )
}

/** The nights of these players that are not past. */
export function readCurrentNights(db: Queries, steamIds: readonly SteamId[], now: number) {
  return inChunks(steamIds, (ids) =>
    db
      .selectFrom('night_people')
      .innerJoin('nights', 'nights.night_id', 'night_people.night_id')
      .select(['night_people.steam_id', 'night_people.night_id'])
      .where('night_people.steam_id', 'in', ids)
      .where('night_people.gone', '=', 0)
      .where('nights.starts_at', '>', now - NIGHT_LENGTH_MS)
      .execute(),
  )
}

/** The nights of these groups that are not past. */
export function readCurrentNightsOfGroups(db: Queries, groupIds: readonly number[], now: number) {
  return inChunks(groupIds, (ids) =>
    db
      .selectFrom('nights')
      .select(['group_id', 'night_id'])
      .where('group_id', 'in', ids)
      .where('starts_at', '>', now - NIGHT_LENGTH_MS)
      .execute(),
  )
}

/** Nights by id; those that do not exist are missing. Their players are selected by `isInNight`. */
export async function readWatchedNights(
  db: Queries,
  nightIds: readonly number[],
): Promise<Map<number, WatchedNight>> {
  const [nights, people] = await Promise.all([
    inChunks(nightIds, (ids) =>
      db
        .selectFrom('nights')
        .select(['night_id', 'version', 'group_id', 'host_steam_id', 'title', 'starts_at', 'zone', 'status'])
        .where('night_id', 'in', ids)
        .execute(),
    ),
    inChunks(nightIds, (ids) =>
      db
        .selectFrom('night_people')
        .select(['night_id', 'steam_id', 'answer', 'added_by'])
        .where('night_id', 'in', ids)
        .where('gone', '=', 0)
        .orderBy('steam_id')
        .execute(),
    ),
  ])
  const peopleOf = Map.groupBy(people, (row) => row.night_id)
  return new Map(
    nights.map(({ night_id, version, group_id, host_steam_id, ...shown }) => {
      const players = peopleOf.get(night_id) ?? []
      // Lists show no votes; what they show of another night may change with anything.
      const isVoting = shown.status === 'open' || shown.status === 'tied'
      return [
        night_id,
        {
          groupId: group_id,
          host: host_steam_id,
          players: new Map(
            players.map(({ steam_id, answer, added_by }) => [
              steam_id,
              { answer, isAdded: added_by !== null },
            ]),
          ),
          listed: JSON.stringify(
            isVoting
              ? [host_steam_id, shown, players.map(({ steam_id, answer }) => [steam_id, answer])]
              : version,
          ),
        },
      ]
    }),
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
