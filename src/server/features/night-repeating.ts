/**
 * The next nights of series (SERIES-3 to SERIES-6). All servers share the work: each claims series that are due, and creates
 * a night with its series locked, so that every date has one on any number of servers.
 */
import type { SteamId } from '#shared/entities.ts'
import { NIGHTS_HOSTED_MAX, OPEN_NIGHTS_PER_GROUP, SERIES_AHEAD_MS } from '#shared/limits.ts'
import type { Database } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import { connectedAmong, storedConnections } from '../storage/friends.ts'
import { lockGroup } from '../storage/groups.ts'
import { listMemberIds } from '../storage/memberships.ts'
import { passOn } from '../storage/night-departures.ts'
import {
  addNextNight,
  changeSeries,
  claimSeries,
  endSeries,
  findSeries,
  leftOutOf,
  lockSeries,
  nextStartOf,
  nightsOf,
  pastDatesLeftOut,
  type SeriesRow,
} from '../storage/night-series.ts'
import { startNight } from './night-start.ts'
import { countCurrentNights, listNightPlayers, mayHost } from '../storage/nights.ts'
import { lockPlayers, type PlayerRow } from '../storage/players.ts'
import type { RowByRow } from '../storage/row-by-row.ts'

/** Series that one turn of the background work looks at. */
const BATCH = 20

/**
 * Creates the next nights that are due, each in its own transaction. Returns whether there may be more.
 */
export async function repeatNights(database: Database, rows: RowByRow, now: number): Promise<boolean> {
  const done = await rows.each<number>('series', {
    now,
    due: (without) => claimSeries(database, now, { limit: BATCH, without }),
    work: (seriesId) => database.transaction((tx) => createNext(tx, seriesId, now)),
  })
  return done === BATCH
}

async function createNext(tx: Tx, seriesId: number, now: number): Promise<void> {
  const found = await findSeries(tx, seriesId)
  if (!found) return
  const players = await lockPlayers(tx, [found.host_steam_id, ...(await playersOf(tx, found))])
  const group = found.group_id === null ? undefined : await lockGroup(tx, found.group_id)
  const series = await lockSeries(tx, seriesId)
  // It was passed on before it was locked; the next turn has its players.
  if (!series || series.host_steam_id !== found.host_steam_id) return
  // A server of an earlier version has deleted the group.
  if (series.group_id !== null && !group) return endSeries(tx, [seriesId])
  const start = nextStartOf(series)
  // Dates that have passed are left out; the next turn looks at the one after them.
  if (start <= now) return changeSeries(tx, seriesId, pastDatesLeftOut(series, now))
  // Another server has created it, or there is no room for it yet.
  if (start - SERIES_AHEAD_MS > now || (await isFull(tx, series, now))) return
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
