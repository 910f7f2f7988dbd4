/** Game nights in lists: those of a person, and those of a group (NIGHT-12). */
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS, PAST_NIGHTS_LISTED } from '#shared/limits.ts'
import { inChunks } from '../database/chunks.ts'
import type { Queries } from '../database/schema.ts'
import { madeOf } from '../database/subjects.ts'
import { type NightRow, nightsOfGroup } from './nights.ts'

/** More current nights than anyone has; the limits are per group and host. */
const CURRENT_LISTED = 200

/** Nights that are not past, by their start, and the last 50 past ones, latest first. */
export async function listNights(
  db: Queries,
  of: { steam_id: SteamId } | { group_id: number },
  now: number,
): Promise<NightRow[]> {
  madeOf('nights', ['steam_id' in of ? of.steam_id : nightsOfGroup(of.group_id)])
  const nights = db
    .selectFrom('nights')
    .selectAll()
    .where((eb) =>
      'group_id' in of
        ? eb('group_id', '=', of.group_id)
        : eb(
            'night_id',
            'in',
            eb
              .selectFrom('night_people')
              .select('night_people.night_id')
              .where('steam_id', '=', of.steam_id)
              .where('gone', '=', 0),
          ),
    )
  const [current, past] = await Promise.all([
    nights
      .where('status', 'in', ['open', 'tied', 'decided'])
      .where('starts_at', '>', now - NIGHT_LENGTH_MS)
      .orderBy('starts_at')
      .orderBy('night_id')
      .limit(CURRENT_LISTED)
      .execute(),
    nights
      .where((eb) =>
        eb.or([eb('status', 'in', ['cancelled', 'over']), eb('starts_at', '<=', now - NIGHT_LENGTH_MS)]),
      )
      .orderBy('starts_at', 'desc')
      .orderBy('night_id', 'desc')
      .limit(PAST_NIGHTS_LISTED)
      .execute(),
  ])
  const listed = [...current, ...past]
  madeOf(
    'night',
    listed.map((night) => night.night_id),
  )
  return listed
}

/** The people of some nights with their answers, by night, in the order they were added. */
export async function listPeopleOfNights(db: Queries, nightIds: readonly number[]) {
  madeOf('night', nightIds)
  madeOf('nights', [])
  const rows = await inChunks(nightIds, (ids) =>
    db
      .selectFrom('night_people')
      .select(['night_id', 'steam_id', 'answer', 'gone', 'played'])
      .where('night_id', 'in', ids)
      .where('gone', 'in', [0, 1])
      .orderBy('night_id')
      .orderBy('added_at')
      .orderBy('steam_id')
      .execute(),
  )
  return Map.groupBy(rows, (row) => row.night_id)
}

/** Names and pictures of groups, by id. */
export async function readGroupNames(db: Queries, groupIds: readonly number[]) {
  madeOf('group', groupIds)
  const rows = await inChunks([...new Set(groupIds)], (ids) =>
    db
      .selectFrom('groups')
      .select(['group_id', 'name', 'picture_key'])
      .where('group_id', 'in', ids)
      .execute(),
  )
  return new Map(rows.map((row) => [row.group_id, row]))
}
