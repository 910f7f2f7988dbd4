/**
 * What happens to game nights when players join or leave their group, delete their account or are blocked (NIGHT-7,
 * NIGHT-13, OPER-9).
 */
import type { SteamId } from '#shared/entities.ts'
import { GROUP_MEMBERS_MAX, NIGHT_LENGTH_MS, SERIES_HOSTED_MAX } from '#shared/limits.ts'
import { column, inChunks, notAmong } from '../database/chunks.ts'
import type { Database } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import { changed } from '../database/cache-tags.ts'
import {
  changeHost,
  countSeries,
  endSeries,
  endSeriesOfGroups,
  forgetInSeries,
  lockSeries,
  nightsOf,
  seriesHostedBy,
  type SeriesRow,
} from './night-series.ts'
import {
  addPlayers,
  changeNight,
  deleteNights,
  isOver,
  isPast,
  listNightPlayers,
  lockNights,
  type NightRow,
  nextHost,
  removePlayer,
  wasAnswered,
} from './nights.ts'
import type { RowByRow } from './row-by-row.ts'

/** Nights that housekeeping looks up at a time. */
const BATCH = 200

/** Asks a player who has joined a group to its nights that are not past, and gives back those they came to before. */
export async function joinNightsOfGroup(
  tx: Tx,
  groupId: number,
  steamId: SteamId,
  now: number,
): Promise<void> {
  const nights = await tx
    .selectFrom('nights')
    .select(['night_id', 'status', 'starts_at'])
    .where('group_id', '=', groupId)
    .execute()
  const nightIds = nights.map((night) => night.night_id)
  const locked = await lockNights(
    tx,
    nights.filter((night) => !isPast(night, now)).map((night) => night.night_id),
  )
  for (const night of locked) {
    if (isPast(night, now)) continue
    const { night_id } = night
    // Guests who came by link may have filled it (NIGHT-55).
    if ((await listNightPlayers(tx, night_id)).length >= GROUP_MEMBERS_MAX) continue
    await addPlayers(tx, night_id, [steamId], { by: null, at: now })
    await changeNight(tx, night_id)
  }
  const back = await inChunks(nightIds, (ids) =>
    tx
      .updateTable('night_people')
      .set({ gone: 0 })
      .where('steam_id', '=', steamId)
      .where('gone', '=', 1)
      .where('night_id', 'in', ids)
      .returning('night_id')
      .execute(),
  )
  changed(tx, 'night', column(back, 'night_id'))
  changed(tx, 'nights', back.length > 0 ? [steamId] : [])
}

/**
 * Removes a player who is no longer a member from the groups' nights that are not past. Past nights stay as they were,
 * but the player does not see them any more. Call it with the groups locked.
 */
export async function leaveNightsOfGroups(
  tx: Tx,
  groupIds: readonly number[],
  steamId: SteamId,
  now: number,
): Promise<void> {
  const nights = await lockNightsWith(tx, steamId, groupIds)
  for (const series of await seriesHostedBy(tx, steamId, groupIds)) await passOn(tx, series)
  const past = nights.filter((night) => isPast(night, now)).map((night) => night.night_id)
  for (const night of nights) if (!past.includes(night.night_id)) await removePlayer(tx, night, steamId, now)
  await inChunks(past, (ids) =>
    tx
      .updateTable('night_people')
      .set({ gone: 1 })
      .where('steam_id', '=', steamId)
      .where('night_id', 'in', ids)
      .execute(),
  )
  changed(tx, 'night', past)
  changed(tx, 'nights', past.length > 0 ? [steamId] : [])
}

/** Removes a player whose account is being blocked from their nights that are not past (OPER-9); past ones stay. */
export async function leaveOpenNights(tx: Tx, steamId: SteamId, now: number): Promise<void> {
  const nights = await lockNightsWith(tx, steamId)
  for (const series of await seriesHostedBy(tx, steamId)) await passOn(tx, series)
  for (const night of nights) if (!isPast(night, now)) await removePlayer(tx, night, steamId, now)
}

/** Removes a player whose account is being deleted from all nights, past ones too, and from what they did in them. */
export async function leaveAllNights(tx: Tx, steamId: SteamId, now: number): Promise<void> {
  const nights = await lockNightsWith(tx, steamId)
  // Titles that they wrote, before somebody else becomes the host (NIGHT-13).
  await tx.updateTable('nights').set({ title: null }).where('host_steam_id', '=', steamId).execute()
  await forgetInSeries(tx, steamId)
  for (const series of await seriesHostedBy(tx, steamId)) await passOn(tx, series)
  for (const night of nights) await removePlayer(tx, night, steamId, now)
  await tx.deleteFrom('night_people').where('steam_id', '=', steamId).execute()
  await tx.updateTable('nights').set({ host_steam_id: null }).where('host_steam_id', '=', steamId).execute()
  // Whom they asked did not come by a link (`isGuest`).
  await tx.updateTable('night_people').set({ added_by: '' }).where('added_by', '=', steamId).execute()
  await tx
    .updateTable('night_draws')
    .set({ drawn_by: null, reason: null })
    .where('drawn_by', '=', steamId)
    .execute()
}

/**
 * Gives a series another host, the one that its latest night gets when its host leaves it, or ends it (SERIES-7). It goes on
 * without the title that its host wrote. Call it before the host leaves, with that night locked.
 * @param leaving the night that the host leaves, if it is only one; an earlier night changes nothing
 */
export async function passOn(
  tx: Tx,
  { series_id, host_steam_id }: Pick<SeriesRow, 'series_id' | 'host_steam_id'>,
  leaving?: number,
): Promise<void> {
  const series = await lockSeries(tx, series_id)
  if (series?.host_steam_id !== host_steam_id) return
  const [latest] = await nightsOf(tx, series_id)
  if (leaving !== undefined && leaving !== latest) return
  const players = latest === undefined ? [] : await listNightPlayers(tx, latest)
  const others = players.filter(({ steam_id }) => steam_id !== host_steam_id)
  const host = await nextHost(
    tx,
    series,
    others,
    async (one) => (await countSeries(tx, { host_steam_id: one })) >= SERIES_HOSTED_MAX,
  )
  if (host === undefined) return endSeries(tx, [series_id])
  await changeHost(tx, series, host)
}

/** Locks the nights of a player, of all groups or of some. */
async function lockNightsWith(tx: Tx, steamId: SteamId, groupIds?: readonly number[]): Promise<NightRow[]> {
  const nights = tx
    .selectFrom('night_people')
    .innerJoin('nights', 'nights.night_id', 'night_people.night_id')
    .select('nights.night_id')
    .where('night_people.steam_id', '=', steamId)
  const rows = await (groupIds === undefined
    ? nights.execute()
    : inChunks(groupIds, (ids) => nights.where('nights.group_id', 'in', ids).execute()))
  return lockNights(tx, column(rows, 'night_id'))
}

/** Deletes the nights of groups. */
export async function deleteNightsOfGroups(tx: Tx, groupIds: readonly number[]): Promise<void> {
  const nights = await inChunks(groupIds, (ids) =>
    tx.selectFrom('nights').select('night_id').where('group_id', 'in', ids).execute(),
  )
  const nightIds = nights.map((row) => row.night_id)
  await lockNights(tx, nightIds)
  await endSeriesOfGroups(tx, groupIds)
  await deleteNights(tx, nightIds)
}

/** Stores that nights without a pick are over (NIGHT-5). */
export async function endOverNights(database: Database, rows: RowByRow, now: number): Promise<void> {
  await inBatches((batch) =>
    rows.each<number>('nights that are over', {
      now,
      due: async (waiting) => {
        const over = database.queries
          .selectFrom('nights')
          .select('night_id')
          // Those whose date is being found have background work of their own (`night-dating.ts`).
          .where('status', 'in', ['open', 'tied'])
          .where('starts_at', '<=', now - NIGHT_LENGTH_MS)
          .where(notAmong('night_id', waiting))
          .orderBy('night_id')
        return column(await over.limit(batch).execute(), 'night_id')
      },
      work: (nightId) =>
        database.transaction(async (tx) => {
          const [night] = await lockNights(tx, [nightId])
          // It may have been moved, decided or cancelled before it was locked.
          if (!night || night.status === 'over' || !isOver(night, now)) return
          await changeNight(tx, nightId, { status: 'over', ended_at: night.starts_at + NIGHT_LENGTH_MS })
        }),
    }),
  )
}

/** Deletes nights that started before a time, and those that were cancelled before another without an answer. */
export async function deleteOldNights(
  database: Database,
  rows: RowByRow,
  { now, startedBefore, cancelledBefore }: { now: number; startedBefore: number; cancelledBefore: number },
): Promise<void> {
  await inBatches((batch) =>
    rows.each<number>('old nights', {
      now,
      due: async (waiting) => {
        const old = database.queries
          .selectFrom('nights')
          .select('night_id')
          .where((eb) =>
            eb.or([
              eb('starts_at', '<', startedBefore),
              eb.and([
                eb('status', '=', 'cancelled'),
                eb('ended_at', '<', cancelledBefore),
                eb.not(wasAnswered(eb)),
              ]),
            ]),
          )
          .where(notAmong('night_id', waiting))
          .orderBy('night_id')
        return column(await old.limit(batch).execute(), 'night_id')
      },
      work: (nightId) =>
        database.transaction(async (tx) => {
          await lockNights(tx, [nightId])
          await deleteNights(tx, [nightId])
        }),
    }),
  )
}

async function inBatches(work: (batch: number) => Promise<number>): Promise<void> {
  while ((await work(BATCH)) === BATCH);
}
