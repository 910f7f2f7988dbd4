/**
 * What happens to game nights when players join or leave their group, delete their account or are blocked (NIGHT-7,
 * NIGHT-13, OPER-9).
 */
import type { SteamId } from '#shared/entities.ts'
import { GROUP_MEMBERS_MAX, NIGHT_LENGTH_MS } from '#shared/limits.ts'
import { column, inChunks } from '../database/chunks.ts'
import type { Database } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import { changed } from '../database/cache-tags.ts'
import { readDates } from './night-dates.ts'
import {
  changeSeries,
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
  mayBecomeHost,
  removePlayer,
  successorAmong,
  wasAnswered,
} from './nights.ts'
import { readPlayers } from './players.ts'

/** Nights that one transaction of housekeeping changes. */
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
  changed(tx, 'night', [])
  changed(tx, 'nights', [])
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
 * Removes a player from nights that one host asks them to, which they have not answered and that are not past
 * (NIGHT-115).
 */
export async function leaveNightsFrom(
  tx: Tx,
  nightIds: readonly number[],
  { steamId, host, now }: { steamId: SteamId; host: SteamId; now: number },
): Promise<void> {
  for (const night of await lockNights(tx, nightIds)) {
    // It may have changed before it was locked.
    if (night.host_steam_id !== host || isPast(night, now)) continue
    const players = await listNightPlayers(tx, night.night_id)
    const me = players.find((player) => player.steam_id === steamId)
    const dates = await readDates(tx, night.night_id)
    if (me?.answer === null && me.gone === 0 && !dates?.answeredAt.has(steamId))
      await removePlayer(tx, night, steamId, now)
  }
}

/**
 * Gives a series another host, the one that its latest night gets when its host leaves it, or ends it (SERIES-7). Call it before
 * the host leaves, with that night locked.
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
  const others = players.filter(({ steam_id, gone }) => gone === 0 && steam_id !== host_steam_id)
  const host = successorAmong(await mayBecomeHost(tx, series, await mayHostSeries(tx, series, others)))
  if (host === undefined) return endSeries(tx, [series_id])
  await changeSeries(tx, series_id, { host_steam_id: host })
}

/** Those who have an account that is not blocked and, of a group's series, have joined the group (SERIES-7). */
export async function mayHostSeries<Player extends { steam_id: SteamId }>(
  tx: Tx,
  { group_id }: Pick<SeriesRow, 'group_id'>,
  players: readonly Player[],
): Promise<Player[]> {
  const ids = players.map(({ steam_id }) => steam_id)
  const rows = await readPlayers(tx, ids)
  const members = await inChunks(group_id === null ? [] : ids, (some) =>
    tx
      .selectFrom('group_members')
      .select('steam_id')
      .where('group_id', '=', group_id)
      .where('joined_at', 'is not', null)
      .where('steam_id', 'in', some)
      .execute(),
  )
  const joined = new Set(group_id === null ? ids : members.map(({ steam_id }) => steam_id))
  return players.filter(({ steam_id }) => joined.has(steam_id) && rows.get(steam_id)?.blocked_at === null)
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
export function endOverNights(database: Database, now: number): Promise<void> {
  return inBatches(database, async (tx) => {
    const over = await tx
      .selectFrom('nights')
      .select('night_id')
      // Those whose date is being found have background work of their own (`night-dating.ts`).
      .where('status', 'in', ['open', 'tied'])
      .where('starts_at', '<=', now - NIGHT_LENGTH_MS)
      .orderBy('night_id')
      .limit(BATCH)
      .execute()
    const locked = await lockNights(tx, column(over, 'night_id'))
    for (const night of locked)
      // It may have been moved, decided or cancelled before it was locked.
      if (night.status !== 'over' && isOver(night, now))
        await changeNight(tx, night.night_id, { status: 'over', ended_at: night.starts_at + NIGHT_LENGTH_MS })
    return over
  })
}

/** Deletes nights that started before a time, and those that were cancelled before another without an answer. */
export function deleteOldNights(
  database: Database,
  { startedBefore, cancelledBefore }: { startedBefore: number; cancelledBefore: number },
): Promise<void> {
  return inBatches(database, async (tx) => {
    const old = await tx
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
      .orderBy('night_id')
      .limit(BATCH)
      .execute()
    const nightIds = old.map((night) => night.night_id)
    await lockNights(tx, nightIds)
    await deleteNights(tx, nightIds)
    return old
  })
}

async function inBatches(database: Database, work: (tx: Tx) => Promise<object[]>): Promise<void> {
  while ((await database.transaction(work)).length === BATCH);
}
