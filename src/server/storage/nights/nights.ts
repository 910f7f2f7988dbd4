/**
 * Game nights with what belongs to them: players and ballots, proposed times, and draws (NIGHT-1 to NIGHT-19, DATE-1 to
 * DATE-3); lists of them are in `lists.ts`. A transaction that changes a night, or any of that, locks the night first (`lockNight`), after
 * the players and the group that it locks (`groups.ts`), so that the changes of a night come one after another.
 */
import { randomBytes } from 'node:crypto'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import { aheadOf, type DateAnswer, type ProposedTime } from '#shared/nights/dates.ts'
import type { Ballot, GameOdds, GameScore } from '#shared/nights/entities.ts'
import type { GameFacts } from '#shared/nights/facts.ts'
import type { Mark } from '#shared/nights/votes.ts'
import { changed } from '../../database/cache-tags.ts'
import { column, countOf, deleteRows, upsert } from '../../database/chunks.ts'
import { lockRows } from '../../database/row-locks.ts'
import type { Queries, Schema, Tx } from '../../database/schema.ts'
import { deleteInvite, deleteLinksBy } from '../groups/links.ts'
import { endSeriesOfGroups, seriesOfNights } from './series.ts'
import { readPlayers } from '../players/players.ts'

export type NightRow = Selectable<Schema['nights']>
export type NightPlayerRow = Selectable<Schema['night_people']>

/** Without a pick, and twelve hours after its start; background work stores it later (NIGHT-5). */
export function isOver(night: Pick<NightRow, 'status' | 'starts_at'>, now: number): boolean {
  const { status } = night
  return status === 'over' || (status !== 'decided' && status !== 'cancelled' && hasPassed(night, now))
}

/** Nothing of a past night changes any more, except that players leave it. */
export function isPast(night: Pick<NightRow, 'status' | 'starts_at'>, now: number): boolean {
  return night.status === 'cancelled' || night.status === 'over' || hasPassed(night, now)
}

/** A night whose date is being found starts at the last of its times, and is over when that has passed (DATE-8). */
function hasPassed({ status, starts_at }: Pick<NightRow, 'status' | 'starts_at'>, now: number): boolean {
  return starts_at + (status === 'dating' ? 0 : NIGHT_LENGTH_MS) <= now
}

/** Id in the cache tag of a group’s nights; a player’s nights have the steam id. */
export function nightsOfGroup(groupId: number): string {
  return `g${groupId}`
}

export function findNight(db: Queries | Tx, nightId: number): Promise<NightRow | undefined> {
  return db.selectFrom('nights').selectAll().where('night_id', '=', nightId).executeTakeFirst()
}

/** Locks a night until the transaction ends; undefined when it does not exist. */
export async function lockNight(tx: Tx, nightId: number): Promise<NightRow | undefined> {
  return (await lockNights(tx, [nightId]))[0]
}

/** Like {@link lockNight}, for several; those that do not exist are missing from the result. */
export function lockNights(tx: Tx, nightIds: readonly number[]): Promise<NightRow[]> {
  return lockRows(tx, 'night', nightIds, (ids) =>
    tx.selectFrom('nights').selectAll().where('night_id', 'in', ids).orderBy('night_id'),
  )
}

/**
 * The players of a night in the order they were added; of a past night also those who have since left its group (`gone`
 * 1, NIGHT-7).
 */
export function listNightPlayers(db: Queries | Tx, nightId: number): Promise<NightPlayerRow[]> {
  return db
    .selectFrom('night_people')
    .selectAll()
    .where('night_id', '=', nightId)
    .where('gone', 'in', [0, 1])
    .orderBy('added_at')
    .orderBy('steam_id')
    .execute()
}

/** A seed for a draw (NIGHT-32). */
export function newSeed(): string {
  return randomBytes(32).toString('hex')
}

/** Creates a night and returns its id; its players are added by {@link addPlayers}. */
export async function createNight(
  tx: Tx,
  night: Omit<Insertable<Schema['nights']>, 'status' | 'version' | 'seed'> & { status?: NightRow['status'] },
): Promise<number> {
  const { night_id } = await tx
    .insertInto('nights')
    .values({ status: 'open', ...night, version: 1, seed: newSeed() })
    .returning('night_id')
    .executeTakeFirstOrThrow()
  changed(tx, 'night', [night_id])
  changed(tx, 'nights', night.group_id ? [nightsOfGroup(night.group_id)] : [])
  return night_id
}

/**
 * Changes a night, or only its version after its players or draws have changed; it must be locked. Another status ends
 * the search for its date, and a night that will not take place loses its link.
 * @param inCalendars whether calendars show the change (NIGHT-62)
 */
export async function changeNight(
  tx: Tx,
  nightId: number,
  change: Omit<Updateable<Schema['nights']>, 'night_id' | 'version' | 'calendar_sequence'> = {},
  { inCalendars = false } = {},
): Promise<void> {
  const { status, starts_at } = change
  changed(tx, 'night', [nightId])
  if (status !== undefined) await deleteRows(tx, ['night_date_answers', 'night_dates'], 'night_id', [nightId])
  await tx
    .updateTable('nights')
    .set((eb) => ({
      ...change,
      version: eb('version', '+', 1),
      ...(inCalendars && { calendar_sequence: eb('calendar_sequence', '+', 1) }),
    }))
    .where('night_id', '=', nightId)
    .execute()
  if (status === 'cancelled' || status === 'over') await deleteInvite(tx, { night_id: nightId })
  else if (starts_at !== undefined)
    await tx
      .updateTable('invites')
      .set({ expires_at: starts_at + NIGHT_LENGTH_MS })
      .where('night_id', '=', nightId)
      .execute()
}

/**
 * Adds players who have not answered. Its players stay unchanged; those who had left come back without their vote, and
 * those whom the host removed only if the host (`by`) asks them.
 */
export async function addPlayers(
  tx: Tx,
  nightId: number,
  steamIds: readonly SteamId[],
  { by, at }: { by: SteamId | null; at: number },
): Promise<void> {
  changed(tx, 'night', [nightId])
  changed(tx, 'nights', steamIds)
  if (steamIds.length === 0) return
  await tx
    .insertInto('night_people')
    .values(steamIds.map((steam_id) => ({ night_id: nightId, steam_id, added_by: by, added_at: at })))
    .onConflict((conflict) =>
      conflict
        .columns(['night_id', 'steam_id'])
        .doUpdateSet({ gone: 0, added_by: by })
        .where('night_people.gone', 'in', by === null ? [1, 2] : [1, 2, 3]),
    )
    .execute()
}

export async function changeNightPlayer(
  tx: Tx,
  nightId: number,
  steamId: SteamId,
  change: Pick<Updateable<Schema['night_people']>, 'answer' | 'word' | 'answered_at' | 'voted_at' | 'marks'>,
): Promise<void> {
  changed(tx, 'night', [nightId])
  await tx
    .updateTable('night_people')
    .set(change)
    .where('night_id', '=', nightId)
    .where('steam_id', '=', steamId)
    .execute()
}

/** Which of these players left a night (`gone` 2) or were removed from it (3). */
export async function departedAmong(
  tx: Tx,
  nightId: number,
  steamIds: readonly SteamId[],
  gone: readonly (2 | 3)[] = [2, 3],
): Promise<SteamId[]> {
  const rows = await tx
    .selectFrom('night_people')
    .select('steam_id')
    .where('night_id', '=', nightId)
    .where('steam_id', 'in', steamIds)
    .where('gone', 'in', gone)
    .orderBy('steam_id')
    .execute()
  return column(rows, 'steam_id')
}

/**
 * Ends a player's part in a locked night, with their link and answers.
 * @param gone how they left, which is remembered (`night_people.gone`); undefined to forget that they were in it
 */
export async function endPart(
  tx: Tx,
  nightId: number,
  steamId: SteamId,
  gone: 2 | 3 | undefined,
): Promise<void> {
  changed(tx, 'night', [nightId])
  changed(tx, 'nights', [steamId])
  if (gone === undefined)
    await tx
      .deleteFrom('night_people')
      .where('night_id', '=', nightId)
      .where('steam_id', '=', steamId)
      .execute()
  else
    await tx
      .updateTable('night_people')
      .set({ gone, answer: null, word: null, answered_at: null, marks: null, added_by: null })
      .where('night_id', '=', nightId)
      .where('steam_id', '=', steamId)
      // Leaving the group does not undo a removal by the host.
      .where('gone', '!=', 3)
      .execute()
  await deleteLinksBy(tx, steamId, { night_id: nightId })
  await deleteDateAnswers(tx, nightId, steamId)
}

/** Those who have an account that is not blocked and have joined the group, where there is one. */
export async function mayHost<Player extends { steam_id: SteamId }>(
  tx: Tx,
  { group_id }: Pick<NightRow, 'group_id'>,
  players: readonly Player[],
): Promise<Player[]> {
  const rows = await readPlayers(tx, column(players, 'steam_id'))
  const joined = tx.selectFrom('group_members').select('steam_id').where('joined_at', 'is not', null)
  const members = column(await joined.where('group_id', '=', group_id).execute(), 'steam_id')
  return players.filter(
    ({ steam_id }) =>
      rows.get(steam_id)?.blocked_at === null && (group_id === null || members.includes(steam_id)),
  )
}

const NIGHT_TABLES = [
  'night_draws',
  'night_date_answers',
  'night_dates',
  'night_series_nights',
  'night_reminders',
  'invites',
] as const

export async function deleteNights(tx: Tx, nightIds: readonly number[]): Promise<void> {
  changed(tx, 'night', nightIds)
  await deleteRows(tx, NIGHT_TABLES, 'night_id', nightIds)
  const players = await tx
    .deleteFrom('night_people')
    .where('night_id', 'in', nightIds)
    .returning(['steam_id', 'gone'])
    .execute()
  const groups = await tx
    .deleteFrom('nights')
    .where('night_id', 'in', nightIds)
    .returning('group_id')
    .execute()
  // Former players are not told (LIVE-3).
  const present = players.filter(({ gone }) => gone === 0)
  const tags = groups.flatMap(({ group_id }) => (group_id === null ? [] : [nightsOfGroup(group_id)]))
  changed(tx, 'nights', [...column(present, 'steam_id'), ...tags])
}

/** How many nights are not past: of a group those without a pick, of a host all (LIM-46). */
export async function countCurrentNights(
  db: Queries | Tx,
  of: { group_id: number } | { host_steam_id: SteamId },
  now: number,
): Promise<number> {
  const current = db.selectFrom('nights').where('starts_at', '>', now - NIGHT_LENGTH_MS)
  return countOf(
    'group_id' in of
      ? current.where('status', 'in', ['dating', 'open', 'tied']).where('group_id', '=', of.group_id)
      : current
          .where('status', 'in', ['dating', 'open', 'tied', 'decided'])
          .where('host_steam_id', '=', of.host_steam_id),
  )
}

/** The nights of groups: their ids, and what decides whether they are past. */
export function nightsOfGroups(tx: Tx, groupIds: readonly number[]) {
  return tx
    .selectFrom('nights')
    .select(['night_id', 'status', 'starts_at'])
    .where('group_id', 'in', groupIds)
    .execute()
}

/** Locks all nights that a player was ever in, or the nights of a group that the player is in. */
export async function lockNightsWith(tx: Tx, steamId: SteamId, groupId?: number): Promise<NightRow[]> {
  const nights = tx
    .selectFrom('night_people')
    .innerJoin('nights', 'nights.night_id', 'night_people.night_id')
    .select('nights.night_id')
    .where('night_people.steam_id', '=', steamId)
    .$if(groupId !== undefined, (all) => all.where('gone', '=', 0).where('nights.group_id', '=', groupId!))
  return lockNights(tx, column(await nights.execute(), 'night_id'))
}

export async function deleteNightsOfGroups(tx: Tx, groupIds: readonly number[]): Promise<void> {
  const nightIds = column(await nightsOfGroups(tx, groupIds), 'night_id')
  await lockNights(tx, nightIds)
  await endSeriesOfGroups(tx, groupIds)
  await deleteNights(tx, nightIds)
}

/** Hides past nights from a player, who stays in them, or shows hidden ones again. */
export async function hidePastNights(
  tx: Tx,
  nightIds: readonly number[],
  steamId: SteamId,
  isHidden: boolean,
): Promise<void> {
  const [before, gone] = isHidden ? ([0, 1] as const) : ([1, 0] as const)
  const rows = await tx
    .updateTable('night_people')
    .set({ gone })
    .where('steam_id', '=', steamId)
    .where('gone', '=', before)
    .where('night_id', 'in', nightIds)
    .returning('night_id')
    .execute()
  changed(tx, 'night', column(rows, 'night_id'))
  changed(tx, 'nights', rows.length > 0 ? [steamId] : [])
}

/** What is stored of a night whose date is being found. */
export type NightDates = {
  /** The earliest first. */
  times: readonly ProposedTime<SteamId>[]
  closeAt: number | null
  dueAt: number
  /** When each player last changed an answer. */
  answeredAt: ReadonlyMap<SteamId, number>
}

/** The proposed times of some nights with the answers of their players, by night; others are missing. */
export async function listDates(db: Queries | Tx, nightIds: readonly number[]) {
  const nights = await db.selectFrom('night_dates').selectAll().where('night_id', 'in', nightIds).execute()
  const rows = await db
    .selectFrom('night_date_answers')
    .selectAll()
    .where('night_id', 'in', nightIds)
    .orderBy('steam_id')
    .execute()
  return new Map(
    nights.map(({ night_id, times, close_at, due_at }) => {
      const answersTo = new Map(times.split(',').map((at) => [Number(at), new Map<SteamId, DateAnswer>()]))
      const given = rows.filter((row) => row.night_id === night_id)
      for (const { steam_id, answers } of given)
        for (const [at, answer] of unpackAnswers(answers)) answersTo.get(at)!.set(steam_id, answer)
      return [
        night_id,
        {
          times: [...answersTo].map(([at, answers]) => ({ at, answers })),
          closeAt: close_at,
          dueAt: due_at,
          answeredAt: new Map(given.map(({ steam_id, answered_at }) => [steam_id, answered_at])),
        },
      ]
    }),
  )
}

/** The proposed times of one night; undefined when its date is not being found. */
export async function readDates(db: Queries | Tx, nightId: number): Promise<NightDates | undefined> {
  return (await listDates(db, [nightId])).get(nightId)
}

/** Whether a player can or may come at one of the proposed times. */
export function canCome(dates: NightDates | undefined, steamId: SteamId): boolean {
  return dates?.times.some(({ answers }) => ['yes', 'maybe'].includes(answers.get(steamId)!)) ?? false
}

export function unpackAnswers(column: string): Map<number, DateAnswer> {
  return new Map(
    column.split(',').map((text) => {
      const [at, answer] = text.split(':')
      return [Number(at), answer as DateAnswer]
    }),
  )
}

export async function addDates(
  tx: Tx,
  nightId: number,
  { times, closeAt, now }: { times: readonly number[]; closeAt: number | null; now: number },
): Promise<void> {
  changed(tx, 'night', [nightId])
  const ascending = times.toSorted((a, b) => a - b)
  const due_at = nextDueAt({ times: ascending.map((at) => ({ at })), closeAt }, now)!
  await tx
    .insertInto('night_dates')
    .values({ night_id: nightId, times: ascending.join(','), close_at: closeAt, due_at })
    .execute()
}

/** When a night is to be looked at next: when a time passes, and at the deadline; undefined when all times have passed. */
export function nextDueAt(
  { times, closeAt }: { times: readonly { at: number }[]; closeAt: number | null },
  now: number,
): number | undefined {
  const [next] = aheadOf(times, now)
  return next && (closeAt !== null && closeAt > now ? Math.min(closeAt, next.at) : next.at)
}

export async function setDueAt(tx: Tx, nightId: number, dueAt: number): Promise<void> {
  // Nothing that is shown of the night changes.
  await tx.updateTable('night_dates').set({ due_at: dueAt }).where('night_id', '=', nightId).execute()
}

export async function saveDateAnswers(
  tx: Tx,
  nightId: number,
  steamId: SteamId,
  { answers, at }: { answers: ReadonlyMap<number, DateAnswer>; at: number },
): Promise<void> {
  changed(tx, 'night', [nightId])
  const packed = [...answers]
    .sort(([a], [b]) => a - b)
    .map(([time, answer]) => `${time}:${answer}`)
    .join(',')
  const key = { night_id: nightId, steam_id: steamId }
  await upsert(tx, 'night_date_answers', key, { answers: packed, answered_at: at })
}

export async function deleteDateAnswers(tx: Tx, nightId: number, steamId: SteamId): Promise<void> {
  changed(tx, 'night', [nightId])
  await tx
    .deleteFrom('night_date_answers')
    .where('night_id', '=', nightId)
    .where('steam_id', '=', steamId)
    .execute()
}

/** The result of a vote; libraries that change later do not change it. */
export type NightResult = {
  /** How the host ended it; a vote that ends by itself is decided by votes. */
  by: 'votes' | 'draw'
  entries: { appid: number; facts: GameFacts }[]
  scores: GameScore[]
  everythingRuledOut: boolean
}

/** A stored result; undefined while the vote is open. */
export function resultOf({ result }: { result: string | null }): NightResult | undefined {
  return result === null ? undefined : (JSON.parse(result) as NightResult)
}

export function packMarks(marks: Ballot): string {
  return marks.map(({ appid, mark }) => `${appid}:${mark}`).join(',')
}

export function unpackMarks(column: string | null): Ballot | null {
  if (column === null) return null
  if (column === '') return []
  return column.split(',').map((text) => {
    const [appid, mark] = text.split(':')
    return { appid: Number(appid), mark: mark as Mark }
  })
}

export type NightDrawRow = Omit<Selectable<Schema['night_draws']>, 'odds'> & { odds: GameOdds[] }

/** The draws of a night, in order; the last one is its pick. */
export async function listDraws(db: Queries | Tx, nightId: number): Promise<NightDrawRow[]> {
  const rows = await db
    .selectFrom('night_draws')
    .selectAll()
    .where('night_id', '=', nightId)
    .orderBy('number')
    .execute()
  return rows.map((row) => ({ ...row, odds: JSON.parse(row.odds) as GameOdds[] }))
}

/** Stores a draw, which decides a locked night. */
export async function addDraw(
  tx: Tx,
  draw: Omit<Insertable<Schema['night_draws']>, 'odds'> & { odds: readonly GameOdds[] },
  change: { result?: string } = {},
): Promise<void> {
  await tx
    .insertInto('night_draws')
    .values({ ...draw, odds: JSON.stringify(draw.odds) })
    .execute()
  const picked = { status: 'decided', decided_at: draw.at, ended_at: draw.at } as const
  const next = draw.seed ? { seed: newSeed() } : {}
  await changeNight(tx, draw.night_id, { ...change, ...next, ...picked }, { inCalendars: true })
}

/** When a group last picked each game in its other nights. */
export async function picksOfGroup(db: Queries | Tx, groupId: number, exceptNightId: number) {
  const draws = await db
    .selectFrom('nights')
    .innerJoin('night_draws', 'night_draws.night_id', 'nights.night_id')
    .select(['nights.night_id', 'decided_at', 'appid'])
    .where('group_id', '=', groupId)
    .where('status', '=', 'decided')
    .where('nights.night_id', '!=', exceptNightId)
    .orderBy('decided_at')
    .orderBy('number')
    .execute()
  // The last draw of a night counts.
  const picks = new Map(draws.map((draw) => [draw.night_id, draw]))
  return new Map([...picks.values()].map(({ appid, decided_at }) => [appid, decided_at!]))
}

export async function picksOf(db: Queries | Tx, nightIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('night_draws')
    .select(['night_id', 'appid'])
    .where('night_id', 'in', nightIds)
    .orderBy('number')
    .execute()
  // The last draw of a night counts.
  return new Map(rows.map((row) => [row.night_id, row.appid]))
}

export async function pickOf(db: Queries | Tx, nightId: number): Promise<number | null> {
  return (await picksOf(db, [nightId])).get(nightId) ?? null
}

/** What belongs to a night beside its players; undefined or null where there is none. */
export type NightParts = ReturnType<Awaited<ReturnType<typeof readParts>>>

export async function readParts(
  db: Queries,
  nights: readonly Pick<NightRow, 'night_id' | 'group_id' | 'status'>[],
) {
  const ids = column(nights, 'night_id')
  const dating = nights.filter(({ status }) => status === 'dating')
  const dates = await listDates(db, column(dating, 'night_id'))
  const series = await seriesOfNights(db, ids)
  const picks = await picksOf(db, ids)
  const groups = await db
    .selectFrom('groups')
    .select(['group_id', 'name', 'picture_key', 'owner_steam_id'])
    .where(
      'group_id',
      'in',
      [...new Set(column(nights, 'group_id'))].filter((id) => id !== null),
    )
    .execute()
  const groupOf = new Map(groups.map((group) => [group.group_id, group]))
  return ({ night_id, group_id }: Pick<NightRow, 'night_id' | 'group_id'>) => ({
    /** While its date is being found. */
    dates: dates.get(night_id),
    series: series.get(night_id),
    pick: picks.get(night_id) ?? null,
    group: groupOf.get(group_id ?? 0),
  })
}
