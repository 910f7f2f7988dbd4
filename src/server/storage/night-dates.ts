/** The times that are proposed for nights, and the answers to them (DATE-1 to DATE-3). Call writes with the night locked. */
import type { SteamId } from '#shared/entities.ts'
import { aheadOf, type DateAnswer, type ProposedTime } from '#shared/nights/dates.ts'
import type { NightAnswer } from '#shared/nights/entities.ts'
import { changed } from '../database/cache-tags.ts'
import { deleteRows, inChunks } from '../database/chunks.ts'
import type { Queries, Tx } from '../database/schema.ts'

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
export async function listDates(
  db: Queries | Tx,
  nightIds: readonly number[],
): Promise<Map<number, NightDates>> {
  const nights = await inChunks(nightIds, (ids) =>
    db.selectFrom('night_dates').selectAll().where('night_id', 'in', ids).execute(),
  )
  const rows = await inChunks(nightIds, (ids) =>
    db
      .selectFrom('night_date_answers')
      .selectAll()
      .where('night_id', 'in', ids)
      .orderBy('steam_id')
      .execute(),
  )
  const answersOf = Map.groupBy(rows, (row) => row.night_id)
  return new Map(
    nights.map(({ night_id, times, close_at, due_at }) => {
      const given = (answersOf.get(night_id) ?? []).map(
        (row) => [row.steam_id, unpackAnswers(row.answers)] as const,
      )
      return [
        night_id,
        {
          times: times
            .split(',')
            .map((text) => ({ at: Number(text), answers: answersTo(Number(text), given) })),
          closeAt: close_at,
          dueAt: due_at,
          answeredAt: new Map(
            (answersOf.get(night_id) ?? []).map(({ steam_id, answered_at }) => [steam_id, answered_at]),
          ),
        },
      ]
    }),
  )
}

/** The proposed times of one night; undefined when its date is not being found. */
export async function readDates(db: Queries | Tx, nightId: number): Promise<NightDates | undefined> {
  return (await listDates(db, [nightId])).get(nightId)
}

/** Whether a player can come at one of the proposed times, perhaps. */
export function canCome(dates: NightDates | undefined, steamId: SteamId): boolean {
  return dates?.times.some(({ answers }) => ['yes', 'maybe'].includes(answers.get(steamId)!)) ?? false
}

/** Players of a night, in which those who can come at one of its times count like those who may come (DATE-8). */
export async function withDateAnswers<
  Player extends { steam_id: SteamId; answer: NightAnswer | null; answered_at: number | null },
>(tx: Tx, nightId: number, players: readonly Player[]): Promise<readonly Player[]> {
  const dates = await readDates(tx, nightId)
  return players.map((player) =>
    canCome(dates, player.steam_id)
      ? { ...player, answer: 'maybe', answered_at: dates!.answeredAt.get(player.steam_id)! }
      : player,
  )
}

function answersTo(at: number, given: readonly (readonly [SteamId, ReadonlyMap<number, DateAnswer>])[]) {
  return new Map(
    given.flatMap(([steamId, answers]) => {
      const answer = answers.get(at)
      return answer === undefined ? [] : [[steamId, answer] as const]
    }),
  )
}

/** The answers in a column, by time. */
export function unpackAnswers(column: string): Map<number, DateAnswer> {
  return new Map(
    column.split(',').map((text) => {
      const [at, answer] = text.split(':')
      return [Number(at), answer as DateAnswer]
    }),
  )
}

/** Proposes times for a new night. */
export async function addDates(
  tx: Tx,
  nightId: number,
  { times, closeAt, now }: { times: readonly number[]; closeAt: number | null; now: number },
): Promise<void> {
  changed(tx, 'night', [nightId])
  const ascending = times.toSorted((a, b) => a - b)
  const due_at = nextDueAt(
    ascending.map((at) => ({ at })),
    closeAt,
    now,
  )!
  await tx
    .insertInto('night_dates')
    .values({ night_id: nightId, times: ascending.join(','), close_at: closeAt, due_at })
    .execute()
}

/** When a night is to be looked at next: when a time passes, and at the deadline; undefined when all times have passed. */
export function nextDueAt(
  times: readonly { at: number }[],
  closeAt: number | null,
  now: number,
): number | undefined {
  const [next] = aheadOf(times, now)
  return next && (closeAt !== null && closeAt > now ? Math.min(closeAt, next.at) : next.at)
}

/** Sets when a night is to be looked at next. */
export async function setDueAt(tx: Tx, nightId: number, dueAt: number): Promise<void> {
  // Nothing that is shown of the night changes.
  await tx.updateTable('night_dates').set({ due_at: dueAt }).where('night_id', '=', nightId).execute()
}

/** Stores all answers of a player of a night. */
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
  await tx
    .insertInto('night_date_answers')
    .values({ night_id: nightId, steam_id: steamId, answers: packed, answered_at: at })
    .onConflict((conflict) =>
      conflict.columns(['night_id', 'steam_id']).doUpdateSet({ answers: packed, answered_at: at }),
    )
    .execute()
}

/** Deletes a player's answers to the times of a night. */
export async function deleteDateAnswers(tx: Tx, nightId: number, steamId: SteamId): Promise<void> {
  changed(tx, 'night', [nightId])
  await tx
    .deleteFrom('night_date_answers')
    .where('night_id', '=', nightId)
    .where('steam_id', '=', steamId)
    .execute()
}

/** Deletes the times of nights and the answers to them: the date was found, or will not be. */
export async function deleteDates(tx: Tx, nightIds: readonly number[]): Promise<void> {
  changed(tx, 'night', nightIds)
  await deleteRows(tx, ['night_date_answers', 'night_dates'], 'night_id', nightIds)
}
