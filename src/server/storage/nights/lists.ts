/** Lists of game nights: current and past ones, those that were played, and those held before (NIGHT-12, NIGHT-149). */
import type { ExpressionBuilder } from 'kysely'
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS, PAST_NIGHTS_LISTED } from '#shared/limits.ts'
import type { Queries, Schema } from '../../database/schema.ts'
import type { NightRow } from './nights.ts'

/** Most current and most cancelled nights in one response. */
const CURRENT_LISTED = 200
const CANCELLED_LISTED = 20
/** How long ago a night was held that is still named, and how many are looked at for one of the same people. */
const HELD_WITHIN_MS = 366 * 24 * 60 * 60_000
const HELD_LOOKED_AT = 100

/** Whose nights: the nights a player was asked to, or a group's nights. */
export type NightsOf = { steam_id: SteamId } | { group_id: number }

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

const countOfIn = (eb: ExpressionBuilder<Schema, 'nights'>) =>
  eb
    .selectFrom('night_people')
    .select((count) => count.fn.countAll().as('in'))
    .whereRef('night_people.night_id', '=', 'nights.night_id')
    .where('night_people.answer', '=', 'in')

/** When a past night was over. */
const endOf = ({ status, starts_at, ended_at }: Pick<NightRow, 'status' | 'starts_at' | 'ended_at'>) =>
  status === 'cancelled' || status === 'over' ? (ended_at ?? starts_at) : starts_at + NIGHT_LENGTH_MS

/**
 * Nights in a list: those that are not past, by their start, then the last past ones, by when they were over, latest first;
 * of a player those that they have answered.
 */
export async function listNights(db: Queries, of: NightsOf, viewer: SteamId, now: number) {
  const all = nightsIn(db, of, viewer).selectAll('nights')
  const current = await all
    .where('nights.status', 'in', ['dating', 'open', 'tied', 'decided'])
    .where('nights.starts_at', '>', now - NIGHT_LENGTH_MS)
    .orderBy('nights.starts_at')
    .orderBy('nights.night_id')
    .limit(CURRENT_LISTED)
    .execute()
  const past = (were: 'cancelled' | 'held', limit: number) =>
    all
      .where((eb) =>
        were === 'cancelled'
          ? eb('nights.status', '=', 'cancelled')
          : eb.and([
              eb('nights.status', '!=', 'cancelled'),
              eb.or([eb('nights.status', '=', 'over'), eb('nights.starts_at', '<=', now - NIGHT_LENGTH_MS)]),
            ]),
      )
      .$if('steam_id' in of, (some) =>
        some.where((eb) =>
          eb.or([eb('mine.answer', 'is not', null), eb('nights.host_steam_id', '=', viewer)]),
        ),
      )
      // Those that were held were over twelve hours after their start.
      .orderBy(were === 'cancelled' ? 'nights.ended_at' : 'nights.starts_at', 'desc')
      .orderBy('nights.night_id', 'desc')
      .limit(limit)
      .execute()
  // However many are cancelled, those that were played stay in the list.
  const held = await past('held', PAST_NIGHTS_LISTED)
  const cancelled = await past('cancelled', CANCELLED_LISTED)
  const latest = [...held, ...cancelled].sort((a, b) => endOf(b) - endOf(a) || b.night_id - a.night_id)
  return [...current, ...latest]
}

/**
 * Nights that began since a time, with their picks: those that a player was in on, or of a group those in which at least two
 * were in.
 */
export function listPlayed(
  db: Queries,
  of: NightsOf,
  { since, now, limit = PAST_NIGHTS_LISTED }: { since: number; now: number; limit?: number },
) {
  return nightsIn(db, of, 'steam_id' in of ? of.steam_id : '')
    .innerJoin('night_draws as pick', 'pick.night_id', 'nights.night_id')
    .select(['nights.night_id', 'nights.title', 'nights.group_id', 'nights.starts_at', 'pick.appid'])
    .$if('steam_id' in of, (some) => some.where('mine.answer', '=', 'in'))
    .$if('group_id' in of, (some) => some.where(countOfIn, '>=', 2))
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
    .limit(limit)
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
    .where(countOfIn, '>=', 2)
    .orderBy('nights.starts_at', 'desc')
    .orderBy('nights.night_id', 'desc')
    .limit(HELD_LOOKED_AT)
    .execute()
}

/** The players of some nights with their answers, by night, in the order they were added. */
export async function listPlayersOfNights(db: Queries, nightIds: readonly number[]) {
  const rows = await db
    .selectFrom('night_people')
    .select(['night_id', 'steam_id', 'answer', 'added_by', 'gone'])
    .where('night_id', 'in', nightIds)
    .where('gone', 'in', [0, 1])
    .orderBy('night_id')
    .orderBy('added_at')
    .orderBy('steam_id')
    .execute()
  return Map.groupBy(rows, (row) => row.night_id)
}
