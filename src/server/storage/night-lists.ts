/** Lists of game nights: a player's and a group's (NIGHT-12, MEMORY-1). */
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS, PAST_NIGHTS_LISTED, UNANSWERED_NIGHTS_LISTED } from '#shared/limits.ts'
import type { Selectable } from 'kysely'
import { column, inChunks } from '../database/chunks.ts'
import type { Queries, Schema } from '../database/schema.ts'
import { listJoinedGroupIds } from './memberships.ts'
import { type NightRow, wasAnswered } from './nights.ts'

/** Most current nights in one response. */
const CURRENT_LISTED = 200
/** How long ago a night was held that is still named, and how many are looked at for one of the same people. */
const HELD_WITHIN_MS = 366 * 24 * 60 * 60_000
const HELD_LOOKED_AT = 100

/** Whose nights: the nights a player was asked to, or a group's nights. */
export type NightsOf = { steam_id: SteamId } | { group_id: number }

/**
 * Nights as a viewer sees them in a list. First those that are not past: what the viewer has answered, then nights of
 * groups they have joined, then others, each by their start. Then the past ones, by when they were over, latest first.
 */
export async function listNights(
  db: Queries,
  of: NightsOf,
  viewer: SteamId,
  now: number,
): Promise<NightRow[]> {
  const current = await currentNights(db, of, viewer, now)
  const past = await pastNights(db, of, viewer, now)
  return [...current, ...past]
}

/** The nights of a list, with the viewer's part in them, if any, as `mine`. */
function nightsIn(db: Queries, of: NightsOf, viewer: SteamId) {
  return db
    .selectFrom('nights')
    .leftJoin('night_people as mine', (join) =>
      join
        .onRef('mine.night_id', '=', 'nights.night_id')
        .on('mine.steam_id', '=', viewer)
        .on('mine.gone', '=', 0),
    )
    .where((eb) =>
      'group_id' in of
        ? eb('nights.group_id', '=', of.group_id)
        : eb(
            'nights.night_id',
            'in',
            eb
              .selectFrom('night_people')
              .select('night_people.night_id')
              .where('steam_id', '=', of.steam_id)
              .where('gone', '=', 0),
          ),
    )
}

/** Nights that are not past, in the order of {@link listNights}. */
async function currentNights(db: Queries, of: NightsOf, viewer: SteamId, now: number): Promise<NightRow[]> {
  const rows = await nightsIn(db, of, viewer)
    .leftJoin('night_date_answers as dates', (join) =>
      join.onRef('dates.night_id', '=', 'nights.night_id').on('dates.steam_id', '=', viewer),
    )
    .selectAll('nights')
    .select(['mine.steam_id as is_mine', 'mine.answer', 'dates.answered_at as dates_answered_at'])
    .where('nights.status', 'in', ['dating', 'open', 'tied', 'decided'])
    .where('nights.starts_at', '>', now - NIGHT_LENGTH_MS)
    .orderBy('nights.starts_at')
    .orderBy('nights.night_id')
    .execute()
  const joined = new Set((await listJoinedGroupIds(db, [viewer])).get(viewer))
  const rank = (row: (typeof rows)[number]) => {
    if (row.answer !== null || row.dates_answered_at !== null || row.host_steam_id === viewer) return 0
    if (row.is_mine === null) return 3
    return row.group_id !== null && joined.has(row.group_id) ? 1 : 2
  }
  return rows.toSorted((a, b) => rank(a) - rank(b)).slice(0, CURRENT_LISTED)
}

/**
 * The last past nights that somebody came to, and fewer of the others: whoever starts and cancels nights alone pushes
 * no other out. In a player's list they are those that the player has answered.
 */
async function pastNights(db: Queries, of: NightsOf, viewer: SteamId, now: number): Promise<NightRow[]> {
  const past = nightsIn(db, of, viewer)
    .selectAll('nights')
    .where((eb) =>
      eb.or([
        eb('nights.status', 'in', ['cancelled', 'over']),
        eb('nights.starts_at', '<=', now - NIGHT_LENGTH_MS),
      ]),
    )
    .orderBy(
      (eb) =>
        eb
          .case()
          .when('nights.status', 'in', ['cancelled', 'over'])
          .then(eb.fn.coalesce('nights.ended_at', 'nights.starts_at'))
          .else(eb('nights.starts_at', '+', NIGHT_LENGTH_MS))
          .end(),
      'desc',
    )
    .orderBy('nights.night_id', 'desc')
  const [counting, others] = await Promise.all(
    [true, false].map((counts) =>
      past
        .where((eb) => {
          const condition =
            'group_id' in of
              ? wasAnswered(eb)
              : eb.and([
                  eb('mine.answer', 'is not', null),
                  eb.or([eb('nights.status', '!=', 'cancelled'), wasAnswered(eb)]),
                ])
          return counts ? condition : eb.not(condition)
        })
        .limit(counts ? PAST_NIGHTS_LISTED : UNANSWERED_NIGHTS_LISTED)
        .execute(),
    ),
  )
  return [...counting!, ...others!].toSorted((a, b) => overAt(b) - overAt(a) || b.night_id - a.night_id)
}

/** Nights that a player was in on and that began since a time, with their picks. */
export function listPlayed(db: Queries, steamId: SteamId, { since, now }: { since: number; now: number }) {
  return nightsIn(db, { steam_id: steamId }, steamId)
    .innerJoin('night_draws as pick', 'pick.night_id', 'nights.night_id')
    .select(['nights.night_id', 'nights.title', 'nights.group_id', 'nights.starts_at', 'pick.appid'])
    .where('mine.answer', '=', 'in')
    .where('nights.status', '=', 'decided')
    .where('nights.starts_at', '>', since)
    .where('nights.starts_at', '<=', now)
    .where((eb) =>
      eb(
        'pick.number',
        '=',
        eb
          .selectFrom('night_draws')
          .select((one) => one.fn.max('night_draws.number').as('last'))
          .whereRef('night_draws.night_id', '=', 'nights.night_id'),
      ),
    )
    .orderBy('nights.starts_at', 'desc')
    .limit(PAST_NIGHTS_LISTED)
    .execute()
}

/**
 * Nights of the same group before one, or of no group, that were held: decided and begun, or past without a pick, and at
 * least two were in; latest first. A decided night that was moved ahead has not begun.
 */
export function listHeldBefore(
  db: Queries,
  { night_id, group_id, starts_at }: Pick<NightRow, 'night_id' | 'group_id' | 'starts_at'>,
  viewer: SteamId,
  now: number,
) {
  return nightsIn(db, group_id === null ? { steam_id: viewer } : { group_id }, viewer)
    .select(['nights.night_id', 'nights.starts_at', 'nights.host_steam_id'])
    .where('nights.group_id', group_id === null ? 'is' : '=', group_id)
    .where('nights.night_id', '!=', night_id)
    .where('nights.starts_at', '<', starts_at)
    .where('nights.starts_at', '<=', now)
    .where('nights.starts_at', '>', now - HELD_WITHIN_MS)
    .where((eb) =>
      eb.or([
        eb('nights.status', '=', 'decided'),
        eb.and([
          eb('nights.status', 'in', ['open', 'tied', 'over']),
          eb('nights.starts_at', '<=', now - NIGHT_LENGTH_MS),
        ]),
      ]),
    )
    .where(
      (eb) =>
        eb
          .selectFrom('night_people')
          .select((count) => count.fn.countAll().as('in'))
          .whereRef('night_people.night_id', '=', 'nights.night_id')
          .where('night_people.answer', '=', 'in'),
      '>=',
      2,
    )
    .orderBy('nights.starts_at', 'desc')
    .orderBy('nights.night_id', 'desc')
    .limit(HELD_LOOKED_AT)
    .execute()
}

/** When a past night was over. */
function overAt({ status, starts_at, ended_at }: NightRow): number {
  const isStored = status === 'cancelled' || status === 'over'
  return isStored ? (ended_at ?? starts_at) : starts_at + NIGHT_LENGTH_MS
}

/** The players of some nights with their answers, by night, in the order they were added. */
export async function listPlayersOfNights(db: Queries, nightIds: readonly number[]) {
  const rows = await inChunks(nightIds, (ids) =>
    db
      .selectFrom('night_people')
      .select(['night_id', 'steam_id', 'answer', 'added_by', 'gone'])
      .where('night_id', 'in', ids)
      .where('gone', 'in', [0, 1])
      .orderBy('night_id')
      .orderBy('added_at')
      .orderBy('steam_id')
      .execute(),
  )
  return Map.groupBy(rows, (row) => row.night_id)
}

export type GroupNames = Pick<
  Selectable<Schema['groups']>,
  'group_id' | 'name' | 'picture_key' | 'owner_steam_id'
>

export type GroupsOfNights = ReadonlyMap<number | null, GroupNames>

/** Names, pictures and owners of the groups of some nights, by id. */
export async function readGroupsOf(
  db: Queries,
  nights: readonly Pick<NightRow, 'group_id'>[],
): Promise<GroupsOfNights> {
  const groupIds = new Set(column(nights, 'group_id').filter((id) => id !== null))
  const rows = await inChunks([...groupIds], (ids) =>
    db
      .selectFrom('groups')
      .select(['group_id', 'name', 'picture_key', 'owner_steam_id'])
      .where('group_id', 'in', ids)
      .execute(),
  )
  return new Map(rows.map((row) => [row.group_id, row]))
}
