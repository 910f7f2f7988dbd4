/**
 * Nights that repeat (SERIES-1): the rows. Who changes a series locks it, after the players, the group and the nights that
 * it locks.
 */
import type { SteamId } from '#shared/entities.ts'
import { instantOf, localTimeIn, dateOf, nextTime } from '#shared/nights/repeats.ts'
import { SERIES_AHEAD_MS } from '#shared/limits.ts'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { changed } from '../../database/cache-tags.ts'
import { column, countOf, deleteRows } from '../../database/chunks.ts'
import { lockRows } from '../../database/row-locks.ts'
import type { Queries, Schema, Tx } from '../../database/schema.ts'

export type SeriesRow = Selectable<Schema['night_series']>

/** Nights that a series knows: whoever still has an earlier one open reads nothing of the series there. */
const NIGHTS_KNOWN = 6

/** Makes a night the first of a series. The host and the group must be locked. */
export async function addSeries(
  tx: Tx,
  series: Omit<Insertable<Schema['night_series']>, 'next_time' | 'due_at'>,
  { nightId, startsAt, leftOut }: { nightId: number; startsAt: number; leftOut: readonly SteamId[] },
): Promise<void> {
  const first = localTimeIn(series.zone, startsAt)
  const { series_id } = await tx
    .insertInto('night_series')
    .values({ ...series, ...nextOf({ ...series, next_time: first }) })
    .returning('series_id')
    .executeTakeFirstOrThrow()
  await addNight(tx, series_id, dateOf(first), nightId)
  if (leftOut.length > 0)
    await tx
      .insertInto('night_series_left_out')
      .values(leftOut.map((steam_id) => ({ series_id, steam_id })))
      .execute()
}

/** Stores that a locked series has its next night, and when the one after it is created. */
export async function addNextNight(tx: Tx, series: SeriesRow, nightId: number): Promise<void> {
  await addNight(tx, series.series_id, dateOf(series.next_time), nightId)
  await changeSeries(tx, series.series_id, nextOf(series))
  const nights = await nightsOf(tx, series.series_id)
  await deleteRows(tx, ['night_series_nights'], 'night_id', nights.slice(NIGHTS_KNOWN))
}

/** A series whose next date is left out. */
export function nextOf({
  zone,
  every,
  next_time,
}: Pick<SeriesRow, 'zone' | 'every' | 'next_time'>): Pick<SeriesRow, 'next_time' | 'due_at'> {
  const time = nextTime(next_time, every)
  return { next_time: time, due_at: instantOf(zone, time) - SERIES_AHEAD_MS }
}

/** When the next night of a series starts, the first that does not exist yet. */
export function nextStartOf({ zone, next_time }: Pick<SeriesRow, 'zone' | 'next_time'>): number {
  return instantOf(zone, next_time)
}

// A second night on a date violates the key (SERIES-4).
async function addNight(tx: Tx, series_id: number, date: string, night_id: number): Promise<void> {
  changed(tx, 'night', [night_id])
  await tx.insertInto('night_series_nights').values({ series_id, date, night_id }).execute()
}

/** One series; undefined when it has ended. */
export function findSeries(db: Queries | Tx, seriesId: number): Promise<SeriesRow | undefined> {
  return db.selectFrom('night_series').selectAll().where('series_id', '=', seriesId).executeTakeFirst()
}

/** Locks a series until the transaction ends; undefined when it has ended. */
export async function lockSeries(tx: Tx, seriesId: number): Promise<SeriesRow | undefined> {
  const [series] = await lockRows(tx, 'series', [seriesId], (ids) =>
    tx.selectFrom('night_series').selectAll().where('series_id', 'in', ids),
  )
  return series
}

export async function seriesOfNights(db: Queries | Tx, nightIds: readonly number[]) {
  const rows = await db
    .selectFrom('night_series_nights as its')
    .innerJoin('night_series', 'night_series.series_id', 'its.series_id')
    .selectAll('night_series')
    .select('its.night_id')
    .where('its.night_id', 'in', nightIds)
    .execute()
  return new Map(rows.map(({ night_id, ...series }) => [night_id, series]))
}

/** The nights of a series that it knows, the latest date first. */
export async function nightsOf(db: Queries | Tx, seriesId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('night_series_nights')
    .select('night_id')
    .where('series_id', '=', seriesId)
    .orderBy('date', 'desc')
    .execute()
  return column(rows, 'night_id')
}

/** Members of its group whom a series does not ask. */
export async function leftOutOf(db: Queries | Tx, seriesId: number): Promise<Set<SteamId>> {
  const rows = await db
    .selectFrom('night_series_left_out')
    .select('steam_id')
    .where('series_id', '=', seriesId)
    .orderBy('steam_id')
    .execute()
  return new Set(column(rows, 'steam_id'))
}

/** All series that a player hosts, or those of a group. */
export async function seriesHostedBy(db: Queries | Tx, steamId: SteamId, groupId?: number) {
  const all = db.selectFrom('night_series').select('series_id').where('host_steam_id', '=', steamId)
  const rows = await (groupId === undefined ? all : all.where('group_id', '=', groupId)).execute()
  return column(rows, 'series_id')
}

/** How many series a player hosts, or a group has (LIM-46). */
export function countSeries(tx: Tx, of: { group_id: number } | { host_steam_id: SteamId }): Promise<number> {
  const all = tx.selectFrom('night_series')
  return countOf(
    'group_id' in of
      ? all.where('group_id', '=', of.group_id)
      : all.where('host_steam_id', '=', of.host_steam_id),
  )
}

/** Changes a series; its nights name it. */
export async function changeSeries(
  tx: Tx,
  seriesId: number,
  change: Omit<Updateable<Schema['night_series']>, 'series_id'>,
): Promise<void> {
  changed(tx, 'night', await nightsOf(tx, seriesId))
  await tx.updateTable('night_series').set(change).where('series_id', '=', seriesId).execute()
}

/** Ends series; their nights stay. */
export async function endSeries(tx: Tx, seriesIds: readonly number[]): Promise<void> {
  const nights = await tx
    .deleteFrom('night_series_nights')
    .where('series_id', 'in', seriesIds)
    .returning('night_id')
    .execute()
  changed(tx, 'night', column(nights, 'night_id'))
  await deleteRows(tx, ['night_series_left_out', 'night_series'], 'series_id', seriesIds)
}

export async function endSeriesOfGroups(tx: Tx, groupIds: readonly number[]): Promise<void> {
  const all = tx.selectFrom('night_series').select('series_id').where('group_id', 'in', groupIds)
  const rows = await all.execute()
  await endSeries(tx, column(rows, 'series_id'))
}
