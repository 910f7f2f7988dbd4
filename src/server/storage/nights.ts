/**
 * Game nights and their players (NIGHT-1 to NIGHT-14). A transaction that changes a night, its players or its draws
 * locks the night first (`lockNight`), after the players and the group that it locks (`groups.ts`), so that the changes
 * of a night come one after another.
 */
import { randomBytes } from 'node:crypto'
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import type { ExpressionBuilder, Selectable, Updateable } from 'kysely'
import { column, countOf, deleteRows, inChunks } from '../database/chunks.ts'
import { prepared } from '../database/prepared.ts'
import { lockRows } from '../database/row-locks.ts'
import type { Queries, Schema, Tx } from '../database/schema.ts'
import { changed } from '../database/cache-tags.ts'
import { deleteInvitesBy } from './links.ts'
import { deleteDateAnswers, deleteDates } from './night-dates.ts'
import { endSeriesOfGroups } from './night-series.ts'
import { readPlayers } from './players.ts'

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

/** One night; undefined when it does not exist. */
export async function findNight(db: Queries | Tx, nightId: number): Promise<NightRow | undefined> {
  return (await nightOf(db, { nightId }))[0]
}
const nightOf = prepared<{ nightId: number }, NightRow>((db, value) =>
  db.selectFrom('nights').selectAll().where('night_id', '=', value('nightId')),
)

/** Ids of the nights of a player whose vote is open, or whose date is being found. */
export async function openNightsOf(db: Queries, steamId: SteamId): Promise<number[]> {
  const rows = await db
    .selectFrom('night_people')
    .innerJoin('nights', 'nights.night_id', 'night_people.night_id')
    .select('nights.night_id')
    .where('night_people.steam_id', '=', steamId)
    .where('night_people.gone', '=', 0)
    .where('nights.status', 'in', ['open', 'dating'])
    .orderBy('nights.night_id')
    .execute()
  return rows.map((row) => row.night_id)
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
 * The players of a night in the order they were added: those who see it, and of a past night (`gone` 1) also those who
 * have left its group since (NIGHT-7).
 */
export async function listNightPlayers(db: Queries | Tx, nightId: number): Promise<NightPlayerRow[]> {
  return playersOf(db, { nightId })
}
const playersOf = prepared<{ nightId: number }, NightPlayerRow>((db, value) =>
  db
    .selectFrom('night_people')
    .selectAll()
    .where('night_id', '=', value('nightId'))
    .where('gone', 'in', [0, 1])
    .orderBy('added_at')
    .orderBy('steam_id'),
)

/** A seed for a draw (NIGHT-32). */
export function newSeed(): string {
  return randomBytes(32).toString('hex')
}

/** Creates a night and returns its id; its players are added by {@link addPlayers}. */
export async function createNight(
  tx: Tx,
  night: Pick<
    NightRow,
    'group_id' | 'host_steam_id' | 'title' | 'starts_at' | 'created_at' | 'planned' | 'forbids'
  > &
    Partial<Pick<NightRow, 'zone' | 'status'>>,
): Promise<number> {
  const { night_id } = await tx
    .insertInto('nights')
    .values({ status: 'open', ...night, version: 1, seed: newSeed() })
    .returning('night_id')
    .executeTakeFirstOrThrow()
  changed(tx, 'night', [night_id])
  changed(tx, 'nights', night.group_id === null ? [] : [nightsOfGroup(night.group_id)])
  return night_id
}

/**
 * Changes a night, or only its version after its players or draws have changed; it must be locked. Another
 * status ends finding its date.
 */
export async function changeNight(
  tx: Tx,
  nightId: number,
  change: Omit<Updateable<Schema['nights']>, 'night_id' | 'version'> = {},
): Promise<void> {
  changed(tx, 'night', [nightId])
  if (change.status !== undefined) await deleteDates(tx, [nightId])
  await tx
    .updateTable('nights')
    .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
    .where('night_id', '=', nightId)
    .execute()
}

/**
 * Adds players who have not answered; those it has stay unchanged, and those who had left are back, without their vote.
 * Those whom the host removed are back only when the host asks them, which `by` says.
 */
export async function addPlayers(
  tx: Tx,
  nightId: number,
  steamIds: readonly SteamId[],
  { by, at }: { by: SteamId | null; at: number },
): Promise<void> {
  changed(tx, 'night', [nightId])
  changed(tx, 'nights', steamIds)
  await inChunks(steamIds, (ids) =>
    tx
      .insertInto('night_people')
      .values(
        ids.map((steam_id) => ({
          night_id: nightId,
          steam_id,
          added_by: by,
          added_at: at,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['night_id', 'steam_id'])
          .doUpdateSet({ gone: 0, added_by: by })
          .where('night_people.gone', 'in', by === null ? [1, 2] : [1, 2, 3]),
      )
      .execute(),
  )
}

/** Changes a player's answer or ballot. */
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

/** Those of these players who have left a night (2), or were removed from it (3), which is `gone` of each. */
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
  await deleteInvitesBy(tx, steamId, { night_id: nightId })
  await deleteDateAnswers(tx, nightId, steamId)
}

/** Those who have an account that is not blocked and have joined the group, where there is one. */
export async function mayHost<Player extends { steam_id: SteamId }>(
  tx: Tx,
  { group_id }: Pick<NightRow, 'group_id'>,
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

const NIGHT_TABLES = [
  'night_draws',
  'night_date_answers',
  'night_dates',
  'night_series_nights',
  'night_reminders',
  'invites',
] as const

/** Deletes nights with everything that belongs to them. */
export async function deleteNights(tx: Tx, nightIds: readonly number[]): Promise<void> {
  changed(tx, 'night', nightIds)
  await deleteRows(tx, NIGHT_TABLES, 'night_id', nightIds)
  const players = await inChunks(nightIds, (ids) =>
    tx.deleteFrom('night_people').where('night_id', 'in', ids).returning(['steam_id', 'gone']).execute(),
  )
  const groups = await inChunks(nightIds, (ids) =>
    tx.deleteFrom('nights').where('night_id', 'in', ids).returning('group_id').execute(),
  )
  // Those who are gone are told nothing (LIVE-3).
  const present = players.filter(({ gone }) => gone === 0)
  changed(tx, 'nights', column(present, 'steam_id'))
  changed(
    tx,
    'nights',
    groups.flatMap(({ group_id }) => (group_id === null ? [] : [nightsOfGroup(group_id)])),
  )
}

/** Numbers of nights that are not past: of a group, those without a pick; of a host, all (LIM-46). */
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

/** Whether a night of a query was answered by anyone but its host. */
export function wasAnswered(eb: ExpressionBuilder<Schema, 'nights'>) {
  return eb.exists(
    eb
      .selectFrom('night_people as others')
      .select('others.night_id')
      .whereRef('others.night_id', '=', 'nights.night_id')
      .where('others.answer', 'is not', null)
      .where((other) =>
        other.or([
          other('nights.host_steam_id', 'is', null),
          other('others.steam_id', '!=', other.ref('nights.host_steam_id')),
        ]),
      ),
  )
}

/** The nights of groups: their ids, and what decides whether they are past. */
export function nightsOfGroups(tx: Tx, groupIds: readonly number[]) {
  return inChunks(groupIds, (ids) =>
    tx
      .selectFrom('nights')
      .select(['night_id', 'status', 'starts_at'])
      .where('group_id', 'in', ids)
      .execute(),
  )
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

/** Deletes the nights of groups. */
export async function deleteNightsOfGroups(tx: Tx, groupIds: readonly number[]): Promise<void> {
  const nightIds = column(await nightsOfGroups(tx, groupIds), 'night_id')
  await lockNights(tx, nightIds)
  await endSeriesOfGroups(tx, groupIds)
  await deleteNights(tx, nightIds)
}

/** Removes a player whose account is being deleted, and who has left all nights, from what they did in nights. */
export async function forgetInNights(tx: Tx, steamId: SteamId): Promise<void> {
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

/** Removes the titles that a player wrote whose account is being deleted (NIGHT-13). */
export async function forgetTitles(tx: Tx, steamId: SteamId): Promise<void> {
  await tx.updateTable('nights').set({ title: null }).where('host_steam_id', '=', steamId).execute()
}

/** Hides past nights from a player, who stays in them, or shows hidden ones again. */
export async function hidePastNights(
  tx: Tx,
  nightIds: readonly number[],
  steamId: SteamId,
  isHidden: boolean,
): Promise<void> {
  const [before, gone] = isHidden ? ([0, 1] as const) : ([1, 0] as const)
  const rows = await inChunks(nightIds, (ids) =>
    tx
      .updateTable('night_people')
      .set({ gone })
      .where('steam_id', '=', steamId)
      .where('gone', '=', before)
      .where('night_id', 'in', ids)
      .returning('night_id')
      .execute(),
  )
  changed(tx, 'night', column(rows, 'night_id'))
  changed(tx, 'nights', rows.length > 0 ? [steamId] : [])
}
