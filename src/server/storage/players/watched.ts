/** What open pages are told of: groups and nights with their people, and the presence of these (LIVE-2, NIGHT-46). */
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import { column } from '../../database/chunks.ts'
import type { Queries } from '../../database/schema.ts'
import type { NightPlayerRow } from '../nights/nights.ts'
import { seriesOfNights } from '../nights/series.ts'

/** A night as far as it decides whom its changes concern. */
export type WatchedNight = {
  groupId: number | null
  host: SteamId | null
  /** Its players, and how each came to it. */
  players: ReadonlyMap<SteamId, Pick<NightPlayerRow, 'answer'> & { isAdded: boolean }>
  /** Changes with everything that lists of nights show of it. */
  listed: string
}

/** The groups that each of these players is in, joined or not, and the nights of both that are not past. */
export async function readRooms(db: Queries, steamIds: readonly SteamId[], now: number) {
  const memberships = await db
    .selectFrom('group_members')
    .select(['steam_id', 'group_id'])
    .where('steam_id', 'in', steamIds)
    .execute()
  const current = db.selectFrom('nights').where('starts_at', '>', now - NIGHT_LENGTH_MS)
  const [played, ofGroups] = await Promise.all([
    current
      .innerJoin('night_people', 'night_people.night_id', 'nights.night_id')
      .select(['night_people.steam_id', 'night_people.night_id'])
      .where('night_people.steam_id', 'in', steamIds)
      .where('night_people.gone', '=', 0)
      .execute(),
    current
      .select(['group_id', 'night_id'])
      .where('group_id', 'in', [...new Set(column(memberships, 'group_id'))])
      .execute(),
  ])
  return { memberships, played, ofGroups }
}

/** Nights by id; those that do not exist are missing. */
export async function readWatchedNights(
  db: Queries,
  nightIds: readonly number[],
): Promise<Map<number, WatchedNight>> {
  const [series, nights, people] = await Promise.all([
    seriesOfNights(db, nightIds),
    db
      .selectFrom('nights')
      .select(['night_id', 'version', 'group_id', 'host_steam_id', 'title', 'starts_at', 'zone', 'status'])
      .where('night_id', 'in', nightIds)
      .execute(),
    db
      .selectFrom('night_people')
      .select(['night_id', 'steam_id', 'answer', 'added_by'])
      .where('night_id', 'in', nightIds)
      .where('gone', '=', 0)
      .orderBy('steam_id')
      .execute(),
  ])
  const peopleOf = Map.groupBy(people, (row) => row.night_id)
  return new Map(
    nights.map(({ night_id, version, group_id, host_steam_id, ...own }) => {
      const shown = { ...own, series: series.get(night_id)?.series_id }
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

/** The players of those of some nights that are neither cancelled nor past. */
export async function listPlayersOfCurrent(db: Queries, nightIds: readonly number[], now: number) {
  const rows = await db
    .selectFrom('night_people')
    .innerJoin('nights', 'nights.night_id', 'night_people.night_id')
    .select('night_people.steam_id')
    .where('nights.night_id', 'in', nightIds)
    .where('nights.status', 'in', ['open', 'tied', 'decided'])
    .where('nights.starts_at', '>', now - NIGHT_LENGTH_MS)
    .where('night_people.gone', '=', 0)
    .execute()
  return [...new Set(column(rows, 'steam_id'))]
}
