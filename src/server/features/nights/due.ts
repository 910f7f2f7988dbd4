/**
 * What background work does with nights and series when its time has come, each once, whichever server notices first; also
 * late, when servers were off.
 */
import type { SelectQueryBuilder } from 'kysely'
import type { SteamId } from '#shared/entities.ts'
import {
  NIGHT_LENGTH_MS,
  NIGHTS_HOSTED_MAX,
  OPEN_NIGHTS_PER_GROUP,
  REMINDER_MS,
  SERIES_AHEAD_MS,
} from '#shared/limits.ts'
import { column } from '../../database/chunks.ts'
import type { Queries, Schema, Tx } from '../../database/schema.ts'
import { lockGroup } from '../../storage/groups/groups.ts'
import { listMemberIds } from '../../storage/groups/memberships.ts'
import {
  changeNight,
  countCurrentNights,
  deleteNights,
  isPast,
  listNightPlayers,
  lockNight,
  nextDueAt,
  type NightRow,
  readDates,
  setDueAt,
} from '../../storage/nights/nights.ts'
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
import { announce } from '../../storage/notifications/messages.ts'
import { notify } from '../../storage/notifications/notifications.ts'
import { connectedAmong, storedConnections } from '../../storage/players/friends.ts'
import { lockPlayers, type PlayerRow } from '../../storage/players/players.ts'
import type { RowByRow } from '../../sync/loop.ts'
import { asLocked, endVoteAlone, isComplete } from './change.ts'
import type { NightDeps } from './shortlist.ts'
import { setReminder, startNight, takeAgreedTime, takeTime, timeDue } from './starts.ts'

const DAY_MS = 24 * 60 * 60_000
/** A night that servers did not announce for so long, because they were off, is no longer news. */
const LATE_START_MS = 60 * 60_000
/** How long past nights are stored (NIGHT-13). */
const STORED_MS = 400 * DAY_MS

type Nights = SelectQueryBuilder<Schema, 'nights', object>
type Work = {
  due: (nights: Nights, now: number) => Nights
  /** Is done with each night that is due, locked. */
  work: (tx: Tx, night: NightRow, { deps, now }: { deps: NightDeps; now: number }) => Promise<unknown>
}

const works: Record<string, Work> = {
  /** The vote may be complete since somebody left, unless answers have changed since (NIGHT-16). */
  completion: {
    due: (nights, now) => nights.where('completed_at', '<=', now).where('status', '=', 'open'),
    async work(tx, night, { deps, now }) {
      await changeNight(tx, night.night_id, { completed_at: null })
      const locked = await asLocked(deps, tx, night, night.host_steam_id!)
      if (!isPast(night, now) && isComplete(locked.players)) await endVoteAlone(locked, null)
    },
  },

  /** The vote ends by itself; if it cannot end alone, or nobody has voted, it stays open (NIGHT-16, NIGHT-153). */
  vote: {
    due: (nights, now) =>
      nights
        .where('vote_closes_at', '<=', now)
        .where('status', '=', 'open')
        .where('starts_at', '>', now - NIGHT_LENGTH_MS),
    async work(tx, night, { deps }) {
      const locked = await asLocked(deps, tx, night, night.host_steam_id!)
      const hasVoted = locked.players.some(({ answer, marks }) => answer === 'in' && marks !== null)
      if (!hasVoted || !(await endVoteAlone(locked, null)))
        await changeNight(tx, night.night_id, { vote_closes_at: null })
    },
  },

  /** A proposed time passes, or the deadline, which takes one; when all have passed, the night is over (DATE-7, DATE-8). */
  date: {
    due: (nights, now) =>
      nights
        .where('status', '=', 'dating')
        .where('night_id', 'in', (eb) =>
          eb.selectFrom('night_dates').select('night_id').where('due_at', '<=', now),
        ),
    async work(tx, night, { now }) {
      const dates = await readDates(tx, night.night_id)
      if (!dates) return
      const dueAt = nextDueAt(dates, now)
      if (dueAt === undefined || isPast(night, now))
        return changeNight(tx, night.night_id, { status: 'over', ended_at: night.starts_at })
      const at = timeDue(dates, now)
      if (at !== undefined) return takeTime(tx, night, dates, { at, now, by: null })
      await setDueAt(tx, night.night_id, dueAt)
      // Times that have passed need no answer.
      await takeAgreedTime(tx, night, { now, by: null })
    },
  },

  /** The time of a planned night has come, and nobody has been told. */
  start: {
    due: (nights, now) =>
      nights
        .where('status', 'in', ['open', 'tied', 'decided'])
        .where('starts_at', '<=', now)
        .where('starts_at', '>', now - LATE_START_MS)
        .where('planned', '=', 1)
        .where('start_announced', '=', 0),
    async work(tx, { night_id }, { now }) {
      // Nothing that is shown of the night changes.
      await tx.updateTable('nights').set({ start_announced: 1 }).where('night_id', '=', night_id).execute()
      await announce(tx, night_id, 'started', now)
    },
  },

  /** Players are reminded of a planned night a day and half an hour before its start (PUSH-6, NIGHT-68). */
  reminder: {
    due: (nights, now) =>
      nights.where('night_id', 'in', (eb) =>
        eb.selectFrom('night_reminders').select('night_id').where('due_at', '<=', now),
      ),
    async work(tx, { night_id, starts_at, status }, { now }) {
      const takesPlace = starts_at > now && ['open', 'tied', 'decided'].includes(status)
      const soonAt = starts_at - REMINDER_MS
      await setReminder(tx, night_id, takesPlace ? soonAt : now, now)
      if (!takesPlace) return
      await announce(tx, night_id, soonAt <= now ? 'starting' : 'upcoming', now)
      await notify(tx, night_id, 'starting', { now })
    },
  },

  /** It is over without a pick (NIGHT-5). */
  end: {
    due: (nights, now) =>
      nights.where('status', 'in', ['open', 'tied']).where('starts_at', '<=', now - NIGHT_LENGTH_MS),
    work: (tx, { night_id, starts_at }) =>
      changeNight(tx, night_id, { status: 'over', ended_at: starts_at + NIGHT_LENGTH_MS }),
  },

  deletion: {
    due: (nights, now) => nights.where('starts_at', '<', now - STORED_MS),
    work: (tx, { night_id }) => deleteNights(tx, [night_id]),
  },
}

/** All of it; each returns whether there may be more. */
export const nightWorks = Object.entries(works).map(
  ([name, { due, work }]) =>
    (deps: NightDeps, rows: RowByRow, now: number): Promise<boolean> => {
      const dueIn = (db: Queries | Tx) => due(db.selectFrom('nights'), now).select('night_id')
      return rows.each<number>(`${name} of nights`, {
        now,
        due: async ({ limit, without }) => {
          const found = dueIn(deps.database.queries).where('night_id', 'not in', without)
          return column(await found.orderBy('starts_at').limit(limit).execute(), 'night_id')
        },
        work: (nightId) =>
          deps.database.transaction(async (tx) => {
            const night = await lockNight(tx, nightId)
            // Another server may have done it, or the night has changed.
            const isDue = await dueIn(tx).where('night_id', '=', nightId).executeTakeFirst()
            if (night && isDue) await work(tx, night, { deps, now })
          }),
      })
    },
)

/** A series for whose next night there is no room is looked at again after this time. */
const AGAIN_MS = 60_000

/**
 * Creates the next nights that are due, each in its own transaction. Returns whether there may be more.
 */
export function repeatNights({ database }: Pick<NightDeps, 'database'>, rows: RowByRow, now: number) {
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
async function whomToAsk(tx: Tx, series: SeriesRow, players: ReadonlyMap<SteamId, PlayerRow>) {
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
