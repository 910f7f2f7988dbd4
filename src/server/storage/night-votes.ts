/** Ballots, results and draws of game nights, and what groups picked before (NIGHT-15 to NIGHT-19). */
import { column, inChunks } from '../database/chunks.ts'
import type { GameFacts } from '#shared/nights/facts.ts'
import type { Ballot, GameOdds, GameScore } from '#shared/nights/entities.ts'
import type { Mark } from '#shared/nights/votes.ts'
import type { Insertable, Selectable } from 'kysely'
import type { Queries, Schema, Tx } from '../database/schema.ts'
import { changeNight, newSeed } from './nights.ts'

/** What the vote of a night ended with; it stays the same however libraries change afterwards. */
export type NightResult = {
  /** How the host ended it; a vote that ends by itself is decided by votes. */
  by: 'votes' | 'draw'
  entries: { appid: number; facts: GameFacts }[]
  total: number
  scores: GameScore[]
  everythingRuledOut: boolean
}

/** A stored result; undefined while the vote is open. */
export function resultOf({ result }: { result: string | null }): NightResult | undefined {
  return result === null ? undefined : (JSON.parse(result) as NightResult)
}

/** The column of a ballot. */
export function packMarks(marks: Ballot): string {
  return marks.map(({ appid, mark }) => `${appid}:${mark}`).join(',')
}

/** The ballot in a column; null when there is none. */
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

/** Stores a draw of a locked night, which is decided by it. */
export async function addDraw(
  tx: Tx,
  draw: Omit<Insertable<Schema['night_draws']>, 'odds'> & { odds: readonly GameOdds[] },
  change: { result?: string } = {},
): Promise<void> {
  await tx
    .insertInto('night_draws')
    .values({ ...draw, odds: JSON.stringify(draw.odds) })
    .execute()
  // Calendars show the pick (NIGHT-62).
  await tx
    .updateTable('nights')
    .set((eb) => ({ calendar_sequence: eb('calendar_sequence', '+', 1) }))
    .where('night_id', '=', draw.night_id)
    .execute()
  await changeNight(tx, draw.night_id, {
    ...change,
    ...(draw.seed && { seed: newSeed() }),
    status: 'decided',
    decided_at: draw.at,
    ended_at: draw.at,
  })
}

/** Removes what the vote of a locked night ended with, its pick included, and opens it again. */
export async function withdrawResult(tx: Tx, nightId: number): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('night_draws')
    .where('night_id', '=', nightId)
    .executeTakeFirstOrThrow()
  // Calendars show the pick (NIGHT-62).
  if (numDeletedRows > 0n)
    await tx
      .updateTable('nights')
      .set((eb) => ({ calendar_sequence: eb('calendar_sequence', '+', 1) }))
      .where('night_id', '=', nightId)
      .execute()
  await changeNight(tx, nightId, {
    status: 'open',
    vote_closes_at: null,
    result: null,
    decided_at: null,
    ended_at: null,
    // It showed the pick.
    share_token: null,
  })
}

/** When a group last picked each game in its other nights. */
export async function picksOfGroup(
  db: Queries | Tx,
  groupId: number,
  exceptNightId: number,
): Promise<Map<number, number>> {
  const nights = await db
    .selectFrom('nights')
    .select(['night_id', 'decided_at'])
    .where('group_id', '=', groupId)
    .where('status', '=', 'decided')
    .where('night_id', '!=', exceptNightId)
    .orderBy('decided_at')
    .execute()
  const picks = await picksOf(db, column(nights, 'night_id'))
  const pickedAt = new Map<number, number>()
  for (const { night_id, decided_at } of nights) {
    const appid = picks.get(night_id)
    if (appid !== undefined) pickedAt.set(appid, decided_at!)
  }
  return pickedAt
}

/** The picks of some nights, by night. */
export async function picksOf(db: Queries | Tx, nightIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await inChunks(nightIds, (ids) =>
    db
      .selectFrom('night_draws')
      .select(['night_id', 'appid'])
      .where('night_id', 'in', ids)
      .orderBy('number')
      .execute(),
  )
  // The last draw of a night counts.
  return new Map(rows.map((row) => [row.night_id, row.appid]))
}

/** The pick of a night; null when it has none. */
export async function pickOf(db: Queries | Tx, nightId: number): Promise<number | null> {
  return (await picksOf(db, [nightId])).get(nightId) ?? null
}
