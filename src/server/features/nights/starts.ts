/** Starting a night, by a user or as the next of a series (NIGHT-1, SERIES-3). */
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS, NIGHTS_HOSTED_MAX, OPEN_NIGHTS_PER_GROUP, SERIES_AHEAD_MS } from '#shared/limits.ts'
import { column } from '../../database/chunks.ts'
import type { Tx } from '../../database/schema.ts'
import type { Flag } from '../../database/schema-nights.ts'
import { findGroupRow } from '../../storage/groups/group-row.ts'
import { lockGroup } from '../../storage/groups/groups.ts'
import { newLinkToken, renewInvite } from '../../storage/groups/links.ts'
import { announce } from '../../storage/notifications/messages.ts'
import {
  addDates,
  addPlayers,
  changeNightPlayer,
  countCurrentNights,
  createNight,
  listNightPlayers,
  type NightRow,
} from '../../storage/nights/nights.ts'
import { notify } from '../../storage/notifications/notifications.ts'
import { planReminder } from './times.ts'
import type { Database } from '../../database/database.ts'
import { connectedAmong, storedConnections } from '../../storage/players/friends.ts'
import { listMemberIds } from '../../storage/groups/memberships.ts'
import {
  addNextNight,
  changeSeries,
  findSeries,
  leftOutOf,
  lockSeries,
  nextOf,
  nextStartOf,
  nightsOf,
  type SeriesRow,
} from '../../storage/nights/series.ts'
import { lockPlayers, type PlayerRow } from '../../storage/players/players.ts'
import type { RowByRow } from '../../sync/loop.ts'

/**
 * Starts a night of a host, who is in unless its date is to be found, and asks the others. Who may be asked is decided
 * before, with the players and the group locked.
 */
export async function startNight(
  tx: Tx,
  {
    host_steam_id: host,
    forbids,
    ...night
  }: Pick<NightRow, 'group_id' | 'title' | 'starts_at' | 'zone' | 'planned'> & {
    host_steam_id: SteamId
    /** Null: as the group has chosen. */
    forbids: Flag | null
  },
  {
    asked,
    dates,
    now,
  }: {
    asked: readonly SteamId[]
    /** The times to choose its date from. */
    dates?: { times: number[]; closeAt: number | null } | undefined
    now: number
  },
): Promise<number> {
  const { group_id } = night
  const group = await findGroupRow(tx, group_id)
  const id = await createNight(tx, {
    ...night,
    host_steam_id: host,
    forbids: forbids ?? group?.not_tonight_forbids ?? 0,
    created_at: now,
    ...(dates && { status: 'dating' }),
  })
  await addPlayers(tx, id, [host], { by: null, at: now })
  const others = asked.filter((one) => one !== host)
  await addPlayers(tx, id, others, { by: group_id === null ? host : null, at: now })
  if (dates) await addDates(tx, id, { ...dates, now })
  else await changeNightPlayer(tx, id, host, { answer: 'in', answered_at: now })
  const isAnnounced = dates
    ? await announce(tx, id, 'dating', now, { times: dates.times.toSorted((a, b) => a - b) })
    : await announce(tx, id, night.planned === 1 ? 'planned' : 'started', now)
  // Readers of the chat must be able to join.
  if (isAnnounced) {
    const expiresAt = night.starts_at + NIGHT_LENGTH_MS
    await renewInvite(tx, { night_id: id }, { token: newLinkToken(), by: host, at: now, expiresAt })
  }
  await notify(tx, id, 'asked', { now, by: host })
  if (!dates) await planReminder(tx, id, night.starts_at, now)
  return id
}

/** A series for whose next night there is no room is looked at again after this time. */
const AGAIN_MS = 60_000

/**
 * Creates the next nights that are due, each in its own transaction. Returns whether there may be more.
 */
export function repeatNights(database: Database, rows: RowByRow, now: number): Promise<boolean> {
  return rows.each<number>('series', {
    now,
    due: async ({ limit, without }) => {
      const due = database.queries
        .selectFrom('night_series')
        .select('series_id')
        .where('due_at', '<=', now)
        .where('series_id', 'not in', without)
      return column(await due.orderBy('due_at').orderBy('series_id').limit(limit).execute(), 'series_id')
    },
    work: (seriesId) => database.transaction((tx) => createNext(tx, seriesId, now)),
  })
}

/** The next night of a series; earlier ones stay as they are (SERIES-6). */
async function createNext(tx: Tx, seriesId: number, now: number): Promise<void> {
  const found = await findSeries(tx, seriesId)
  if (!found) return
  const players = await lockPlayers(tx, [found.host_steam_id, ...(await playersOf(tx, found))])
  if (found.group_id !== null) await lockGroup(tx, found.group_id)
  const locked = await lockSeries(tx, seriesId)
  if (!locked) return
  let series = locked
  // Dates that have passed are left out.
  while (nextStartOf(series) <= now) series = { ...series, ...nextOf(series) }
  const { next_time, due_at } = series
  if (series !== locked) await changeSeries(tx, seriesId, { next_time, due_at })
  const start = nextStartOf(series)
  // Another server has created it.
  if (start - SERIES_AHEAD_MS > now) return
  if (await isFull(tx, series, now)) return changeSeries(tx, seriesId, { due_at: now + AGAIN_MS })
  const { group_id, host_steam_id, title, zone, forbids } = series
  const night = await startNight(
    tx,
    { group_id, host_steam_id, title, zone, forbids, starts_at: start, planned: 1 },
    { asked: await whomToAsk(tx, series, players), now },
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
