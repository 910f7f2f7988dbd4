/**
 * The next nights of series (SERIES-3 to SERIES-6). A night is created with its series locked, so that every date has one on
 * any number of servers.
 */
import type { SteamId } from '#shared/entities.ts'
import { NIGHTS_HOSTED_MAX, OPEN_NIGHTS_PER_GROUP, SERIES_AHEAD_MS } from '#shared/limits.ts'
import type { Database } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import { connectedAmong, storedConnections } from '../storage/friends.ts'
import { lockGroup } from '../storage/groups.ts'
import { listMemberIds } from '../storage/memberships.ts'
import {
  addNextNight,
  changeSeries,
  findSeries,
  leftOutOf,
  listDueSeries,
  lockSeries,
  nextStartOf,
  nightsOf,
  pastDatesLeftOut,
  type SeriesRow,
} from '../storage/night-series.ts'
import { passOn } from './departures.ts'
import { startNight } from './night-start.ts'
import { countCurrentNights, listNightPlayers, mayHost } from '../storage/nights.ts'
import { lockPlayers, type PlayerRow } from '../storage/players.ts'
import type { RowByRow } from '../sync/loop.ts'

/** A series for whose next night there is no room is looked at again after this time. */
const AGAIN_MS = 60_000

/**
 * Creates the next nights that are due, each in its own transaction. Returns whether there may be more.
 */
export function repeatNights(database: Database, rows: RowByRow, now: number): Promise<boolean> {
  return rows.each<number>('series', {
    now,
    due: (batch) => listDueSeries(database.queries, now, batch),
    work: (seriesId) => database.transaction((tx) => createNext(tx, seriesId, now)),
  })
}

async function createNext(tx: Tx, seriesId: number, now: number): Promise<void> {
  const found = await findSeries(tx, seriesId)
  if (!found) return
  const players = await lockPlayers(tx, [found.host_steam_id, ...(await playersOf(tx, found))])
  if (found.group_id !== null) await lockGroup(tx, found.group_id)
  const series = await lockSeries(tx, seriesId)
  // It was passed on before it was locked; the next turn has its players.
  if (!series || series.host_steam_id !== found.host_steam_id) return
  const start = nextStartOf(series)
  // Dates that have passed are left out; the next turn looks at the one after them.
  if (start <= now) return changeSeries(tx, seriesId, pastDatesLeftOut(series, now))
  // Another server has created it.
  if (start - SERIES_AHEAD_MS > now) return
  if (await isFull(tx, series, now)) return changeSeries(tx, seriesId, { due_at: now + AGAIN_MS })
  const [host] = await mayHost(tx, series, [{ steam_id: series.host_steam_id }])
  if (!host) return passOn(tx, series)
  const { group_id, host_steam_id, title, zone, forbids } = series
  const night = await startNight(
    tx,
    { group_id, host_steam_id, title, zone, forbids, starts_at: start, planned: 1 },
    {
      asked: await whomToAsk(tx, series, players),
      hostIsIn: !(await leftOutOf(tx, series.series_id)).has(host_steam_id),
      now,
    },
  )
  await addNextNight(tx, series, night)
}

/** Those whom a series may ask: its group's members, or the players of its latest night. */
async function playersOf(tx: Tx, { series_id, group_id }: SeriesRow): Promise<SteamId[]> {
  if (group_id !== null) return listMemberIds(tx, group_id)
  const [latest] = await nightsOf(tx, series_id)
  const players = latest === undefined ? [] : await listNightPlayers(tx, latest)
  return players.filter(({ gone }) => gone === 0).map(({ steam_id }) => steam_id)
}

/** Whether group and host have as many nights as they may (LIM-46). */
async function isFull(tx: Tx, { group_id, host_steam_id }: SeriesRow, now: number): Promise<boolean> {
  return (
    (await countCurrentNights(tx, { host_steam_id }, now)) >= NIGHTS_HOSTED_MAX ||
    (group_id !== null && (await countCurrentNights(tx, { group_id }, now)) >= OPEN_NIGHTS_PER_GROUP)
  )
}

/** Those who are asked to the next night; others are left out without a word (SERIES-5). */
async function whomToAsk(
  tx: Tx,
  series: SeriesRow,
  players: ReadonlyMap<SteamId, PlayerRow>,
): Promise<SteamId[]> {
  const ids = (await playersOf(tx, series)).filter((id) => isThere(players.get(id)))
  if (series.group_id !== null) {
    const leftOut = await leftOutOf(tx, series.series_id)
    return ids.filter((id) => !leftOut.has(id))
  }
  const others = ids.filter((id) => id !== series.host_steam_id).map((id) => players.get(id)!)
  return [...(await connectedAmong(storedConnections(tx), series.host_steam_id, others))]
}

/** Whether a player was locked, so that their account is not deleted, and is not blocked. */
function isThere(player: PlayerRow | undefined): boolean {
  return player !== undefined && player.blocked_at === null
}
